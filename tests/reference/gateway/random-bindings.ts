import { bitsOfField } from './bits.ts';
import { bitLengthOf } from './codecs.ts';
import type { FrameBindingRow, LinearCodecRow } from './project.ts';
import type { ProjectDraft, SignalDraft } from './project-draft.ts';
import type { Random } from './random.ts';
import {
  boundOf,
  flagCodec,
  randomCodec,
  roundingCodec,
  selectorCodec,
  typeFor,
} from './random-codecs.ts';
import { smallValue } from './random-signals.ts';

/** Space for bindings: bytes of a message, some of whose bits are used. */
export interface Room {
  readonly target: { readonly message: string } | { readonly pdu: string };
  readonly direction: 'rx' | 'tx';
  readonly bytes: number;
  /** Bits that are written; received ones may be read repeatedly. */
  readonly taken: Set<number>;
}

type Mux = NonNullable<FrameBindingRow['mux']>;

const findPlace = (
  random: Random,
  { bytes, direction, taken }: Room,
  length: number,
  order: 'intel' | 'motorola',
): number | undefined => {
  for (let left = 25; left > 0; left -= 1) {
    const start = random.integer(0, 8 * bytes - 1);
    const bits = bitsOfField(start, length, order);
    const isFree = bits.every((bit) => bit < 8 * bytes && (direction === 'rx' || !taken.has(bit)));
    if (!isFree) continue;
    for (const bit of bits) taken.add(bit);
    return start;
  }
  return undefined;
};

/** The signal of a received binding, always a new one. */
export const addInput = (
  random: Random,
  draft: ProjectDraft,
  codec: LinearCodecRow,
): SignalDraft => {
  const type = typeFor(random, codec);
  return draft.addSignal(
    {
      id: draft.name('input'),
      type,
      producer: 'input',
      ...random.some(0.5, { initial: smallValue(random, type) }),
    },
    { bound: boundOf(codec) },
  );
};

const addBinding = (
  random: Random,
  draft: ProjectDraft,
  room: Room,
  codecOf: (signal: SignalDraft | undefined) => LinearCodecRow,
  signal: SignalDraft | undefined,
  mux: Mux | undefined,
): FrameBindingRow | undefined => {
  const codec = codecOf(signal);
  const start = findPlace(random, room, bitLengthOf(codec), codec.byte_order ?? 'intel');
  if (start === undefined) return undefined;
  const validity = random.chance(0.2) ? findPlace(random, room, 1, 'intel') : undefined;
  const binding: FrameBindingRow = {
    id: draft.name(room.direction),
    signal: (signal ?? addInput(random, draft, codec)).id,
    direction: room.direction,
    ...room.target,
    codec: codec.id,
    start_bit: start,
    ...(mux === undefined ? {} : { mux }),
    ...(validity === undefined ? {} : { validity_bit: validity }),
  };
  draft.tables.bindings.push(binding);
  return binding;
};

const signalFor = (random: Random, draft: ProjectDraft, room: Room): SignalDraft | undefined =>
  room.direction === 'tx' ? random.pick(draft.signals) : undefined;

const addPlain = (random: Random, draft: ProjectDraft, room: Room, mux?: Mux): void => {
  const codecOf = (signal: SignalDraft | undefined): LinearCodecRow => {
    if (signal !== undefined && !signal.isExact) return roundingCodec(random, draft);
    if (signal?.type === 'bool' && random.chance(0.7)) return flagCodec(random, draft);
    return randomCodec(random, draft, room.direction, 8 * room.bytes);
  };
  addBinding(random, draft, room, codecOf, signalFor(random, draft, room), mux);
};

/** A selector and bindings on its pages; a page can have its own selector. */
const addPages = (
  random: Random,
  draft: ProjectDraft,
  room: Room,
  depth: number,
  mux?: Mux,
): void => {
  const exact = draft.signals.filter(({ isExact }) => isExact);
  const signal = room.direction === 'tx' ? random.pick(exact) : undefined;
  const codecOf = (): LinearCodecRow => selectorCodec(random, draft);
  const selector = addBinding(random, draft, room, codecOf, signal, mux);
  if (selector === undefined) return;
  const before = new Set(room.taken);
  const pages = random.shuffle([['0'], ['1'], random.chance(0.5) ? ['2-3'] : ['2', '3']]);
  for (const values of pages.slice(0, random.integer(1, 3))) {
    // Each page begins with the bits that are free on all pages.
    const page = { ...room, taken: new Set(before) };
    const own = { selector: selector.id, values };
    if (depth < 2 && random.chance(0.3)) addPages(random, draft, page, depth + 1, own);
    else addPlain(random, draft, page, own);
    for (const bit of page.taken) room.taken.add(bit);
  }
};

/** Fills a space with bindings. */
export const addBindings = (random: Random, draft: ProjectDraft, room: Room): void => {
  if (room.bytes === 0) return;
  for (let left = random.integer(1, 4); left > 0; left -= 1) addPlain(random, draft, room);
  if (random.chance(0.35)) addPages(random, draft, room, 0);
};
