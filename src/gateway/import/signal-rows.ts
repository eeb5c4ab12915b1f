import { bytesFor } from '../../database/layout.ts';
import type { Message, Signal } from '../../database/model.ts';
import { isFloat, rawOfWritten } from '../../database/raw-span.ts';
import type { BindingRow } from '../project/tables/bindings.ts';
import type { CodecRow } from '../project/tables/codecs.ts';
import type { Direction } from '../project/tables/messages.ts';
import type { SignalRow } from '../project/tables/signals.ts';
import { commentOf } from './row-comment.ts';
import { type SignalScale, scaleOf, typeOf } from './signal-scale.ts';
import { startValueOf } from './start-value.ts';

type Labels = NonNullable<SignalRow['labels']>;

interface ImportedLabels {
  readonly labels: Labels;
  /** Labels of raws whose values are not whole: a project has none for them. */
  readonly lost: number;
}

const wholeNumber = /^-?\d{1,39}$/;

/**
 * The names of values out of those of raws. They are metadata: no name makes a value invalid. Of two
 * names for one raw the later counts, and what is written counts more than what may be meant.
 */
const labelsOf = (signal: Signal, { linear }: SignalScale): ImportedLabels => {
  const byRaw = new Map<bigint, { readonly label: string; readonly isWritten: boolean }>();
  for (const { raw: written, text } of signal.values) {
    const raw = isFloat(signal) ? written : rawOfWritten(signal, written);
    if (raw === null) continue;
    const isWritten = raw === written;
    if (isWritten || byRaw.get(raw)?.isWritten !== true) byRaw.set(raw, { label: text, isWritten });
  }
  const labels: Labels = [];
  for (const [raw, { label }] of byRaw) {
    const value = linear.textOf(raw);
    if (wholeNumber.test(value)) labels.push({ value, label });
  }
  return { labels, lost: byRaw.size - labels.length };
};

const mostBits = 64;
const longestText = 65_536;

/** Where the rows of a signal belong. */
export interface SignalLocation {
  readonly id: string;
  /** Id of the row of the message. */
  readonly messageId: string;
  readonly direction: Direction;
  /** Left out for a signal that is always there. */
  readonly mux?: BindingRow['mux'];
}

/** The rows of a signal. Those of its direction alone differ between two imports of one file. */
export interface SignalRows {
  readonly signal: SignalRow;
  readonly codec: CodecRow;
  readonly binding: BindingRow;
  readonly lostLabels: number;
}

export const bindingId = (signalId: string, direction: Direction): string =>
  `${signalId}.${direction}`;

/** Why the bits of a signal cannot be carried; null if they can. */
export const bitFlaw = (signal: Signal, { length }: Pick<Message, 'length'>): string | null => {
  if (signal.length < 1 || signal.length > mostBits) {
    return `has ${signal.length} bits; 1 to ${mostBits} can be carried`;
  }
  const bytes = bytesFor(signal);
  return bytes > length ? `needs ${bytes} bytes, and the message has ${length}` : null;
};

const usableLabels = ({ labels, lost }: ImportedLabels): ImportedLabels => {
  const usable = labels.filter(({ label }) => label.length <= longestText);
  return { labels: usable, lost: lost + labels.length - usable.length };
};

const codecOf = (signal: Signal, { factor, offset }: SignalScale, id: string) => ({
  id,
  kind: 'linear' as const,
  raw: signal.kind,
  ...(isFloat(signal) ? {} : { bit_length: signal.length }),
  byte_order: signal.byteOrder,
  factor,
  offset,
});

/** What a signal and its codec have in one direction alone; a sentence if it cannot be sent. */
const directedOf = (signal: Signal, scale: SignalScale, direction: Direction) => {
  if (direction === 'rx') return { signal: { producer: 'input' as const }, codec: {} };
  const start = startValueOf(signal, scale);
  if (typeof start === 'string') return start;
  const comment = 'The limits of the file are widened up to its start value';
  return {
    signal: { producer: 'software' as const, initial: start.initial },
    codec: { ...start.limits, ...(start.isBeyondLimits ? { comment } : {}) },
  };
};

/** The rows of a signal whose bits can be carried; a sentence if it has none. */
export const signalRowsOf = (signal: Signal, place: SignalLocation): SignalRows | string => {
  const { id, messageId, direction, mux } = place;
  const scale = scaleOf(signal);
  if (typeof scale === 'string') return scale;
  const directed = directedOf(signal, scale, direction);
  if (typeof directed === 'string') return directed;
  const { labels, lost } = usableLabels(labelsOf(signal, scale));
  return {
    signal: {
      id,
      type: typeOf(signal, scale),
      ...directed.signal,
      ...(signal.unit === '' ? {} : { unit: signal.unit.slice(0, longestText) }),
      ...(labels.length === 0 ? {} : { labels }),
      ...commentOf(signal, id),
    },
    codec: { ...codecOf(signal, scale, id), ...directed.codec },
    binding: {
      id: bindingId(id, direction),
      signal: id,
      direction,
      message: messageId,
      codec: id,
      start_bit: signal.startBit,
      ...(mux === undefined ? {} : { mux }),
    },
    lostLabels: lost,
  };
};
