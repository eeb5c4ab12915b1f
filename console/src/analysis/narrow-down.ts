import type { BitIndex } from '../codec/signal-bits.ts';

/** Data of the last frame of each ID, by the serial of its row. */
export type Snapshot = ReadonlyMap<number, Uint8Array>;

export const outcomes = ['up', 'down', 'changed', 'same'] as const;
export type Outcome = (typeof outcomes)[number];

/** Fields of a payload, numbered by place. */
export interface FieldReader {
  readonly placesOf: (serial: number, data: Uint8Array) => readonly number[];
  /** Null if the data are too short for the field. */
  readonly read: (serial: number, data: Uint8Array, place: number) => number | null;
  readonly bitsOf: (serial: number, place: number) => readonly BitIndex[];
  readonly nameOf: (serial: number, place: number) => string;
}

const upTo = (count: number): readonly number[] =>
  Array.from({ length: Math.max(0, count) }, (_, place) => place);

const bitsFrom = (first: BitIndex, count: number): readonly BitIndex[] =>
  upTo(count).map((bit) => first + bit);

export const bitReader: FieldReader = {
  placesOf: (_, { length }) => upTo(8 * length),
  read: (_, data, bit) => {
    const byte = data[bit >> 3];
    return byte === undefined ? null : (byte >> (bit & 7)) & 1;
  },
  bitsOf: (_, bit) => [bit],
  nameOf: (_, bit) => `byte ${bit >> 3}, bit ${bit & 7}`,
};

/** Integers of whole bytes at every byte. */
export const integerReader = (
  bytes: 1 | 2 | 4,
  isIntel: boolean,
  isSigned: boolean,
): FieldReader => ({
  placesOf: (_, { length }) => upTo(length - bytes + 1),
  read: (_, data, place) => {
    if (place + bytes > data.length) return null;
    let value = 0;
    for (let i = 0; i < bytes; i++) {
      value = value * 256 + (data[isIntel ? place + bytes - 1 - i : place + i] as number);
    }
    return isSigned && value >= 2 ** (8 * bytes - 1) ? value - 2 ** (8 * bytes) : value;
  },
  bitsOf: (_, place) => bitsFrom(8 * place, 8 * bytes),
  nameOf: (_, place) => (bytes === 1 ? `byte ${place}` : `bytes ${place}–${place + bytes - 1}`),
});

/** Places of the fields that are left, by the serial of their row. */
export type Candidates = ReadonlyMap<number, readonly number[]>;

/** All fields without an ignored bit. */
export const allCandidates = (
  snapshot: Snapshot,
  { placesOf, bitsOf }: FieldReader,
  ignoredOf: (serial: number) => ReadonlySet<BitIndex>,
): Candidates => {
  const candidates = new Map<number, readonly number[]>();
  for (const [serial, data] of snapshot) {
    const ignored = ignoredOf(serial);
    const places = placesOf(serial, data);
    const kept =
      ignored.size === 0
        ? places
        : places.filter((place) => !bitsOf(serial, place).some((bit) => ignored.has(bit)));
    if (kept.length > 0) candidates.set(serial, kept);
  }
  return candidates;
};

const isMet = (outcome: Outcome, before: number, now: number): boolean => {
  switch (outcome) {
    case 'up':
      return now > before;
    case 'down':
      return now < before;
    case 'changed':
      return now !== before;
    case 'same':
      return now === before;
  }
};

/** Candidates whose value did that between two snapshots. */
export const narrowedDown = (
  candidates: Candidates,
  { read }: FieldReader,
  before: Snapshot,
  now: Snapshot,
  outcome: Outcome,
): Candidates => {
  const left = new Map<number, readonly number[]>();
  for (const [serial, places] of candidates) {
    const [old, fresh] = [before.get(serial), now.get(serial)];
    if (!old || !fresh) continue;
    const met = places.filter((place) => {
      const [was, is] = [read(serial, old, place), read(serial, fresh, place)];
      return was !== null && is !== null && isMet(outcome, was, is);
    });
    if (met.length > 0) left.set(serial, met);
  }
  return left;
};

export const countOf = (candidates: Candidates): number => {
  let count = 0;
  for (const places of candidates.values()) count += places.length;
  return count;
};
