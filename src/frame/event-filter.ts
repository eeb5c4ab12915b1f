import { maxStandardId } from './frame.ts';
import { frm2EventKind, frm2Flags, frm2Id } from './frm2-codec.ts';
import { type EventKind, eventKindCode, frameFlag } from './frm2-layout.ts';
import { type IdPattern, isOfPattern, parseIdPattern } from './id-pattern.ts';

export const directions = ['rx', 'tx'] as const;
export type Direction = (typeof directions)[number];

/** Events that a client selects on its channels. Omitted fields do not filter. */
export interface EventChoice {
  readonly id?: readonly string[] | undefined;
  readonly direction?: Direction | undefined;
}

export type EventFilter = (record: DataView, at: number) => boolean;

const kindOf: Readonly<Record<Direction, EventKind>> = { rx: 'rx_frame', tx: 'tx_complete' };

const passes = (id: number, patterns: readonly IdPattern[]): boolean => {
  for (const pattern of patterns) if (isOfPattern(pattern, id)) return true;
  return false;
};

/** Error frames never pass because their id contains class bits. */
const idFilter = (texts: readonly string[]): EventFilter => {
  const patterns = texts.map((text, index) => parseIdPattern(text, `id[${index}]`));
  const wide = patterns.filter(({ extended }) => extended);
  const narrow = patterns.filter(({ extended }) => !extended);
  // The 2,048 11-bit identifiers are decided in advance.
  const standard = Uint8Array.from({ length: maxStandardId + 1 }, (_, id) =>
    passes(id, narrow) ? 1 : 0,
  );
  return (record, at) => {
    const flags = frm2Flags(record, at);
    if ((flags & frameFlag.error) !== 0) return false;
    const id = frm2Id(record, at);
    return (flags & frameFlag.extended) === 0 ? standard[id] === 1 : passes(id, wide);
  };
};

export const compileEventFilter = ({
  id = [],
  direction,
}: EventChoice): EventFilter | undefined => {
  const byId = id.length === 0 ? undefined : idFilter(id);
  if (direction === undefined) return byId;
  const kind = eventKindCode[kindOf[direction]];
  return (record, at) => frm2EventKind(record, at) === kind && (byId?.(record, at) ?? true);
};
