import type { DatabaseSignal } from '../api/schema.ts';

type Placed = Pick<DatabaseSignal, 'start_bit' | 'length' | 'byte_order'>;

/** Where a bit lies: eight times its byte, and its place in the byte counted from the lowest. */
export type BitPlace = number;

/** The bits of a signal, the least significant first. */
export const bitsOf = ({ start_bit, length, byte_order }: Placed): readonly BitPlace[] => {
  if (byte_order === 'intel') return Array.from({ length }, (_, i) => start_bit + i);
  // A Motorola signal starts at its most significant bit and goes down, then on into the next byte.
  const places: BitPlace[] = [];
  let place = start_bit;
  for (let i = 0; i < length; i++) {
    places.push(place);
    place = place % 8 === 0 ? place + 15 : place - 1;
  }
  return places.reverse();
};

/** Bytes that a payload needs to hold a signal. */
export const bytesFor = (signal: Placed): number =>
  Math.max(0, ...bitsOf(signal).map((place) => (place >> 3) + 1));

/** The unsigned number in the bits of a signal; null if the data ends before the last of them. */
export const readBits = (data: Uint8Array, signal: Placed): bigint | null => {
  const places = bitsOf(signal);
  let pattern = 0n;
  for (let i = places.length - 1; i >= 0; i--) {
    const place = places[i] as number;
    const byte = data[place >> 3];
    if (byte === undefined) return null;
    pattern = (pattern << 1n) | BigInt((byte >> (place & 7)) & 1);
  }
  return pattern;
};

/** Puts a pattern of bits where the signal lies; other bits stay as they are. */
export const writeBits = (data: Uint8Array, signal: Placed, pattern: bigint): void => {
  for (const [index, place] of bitsOf(signal).entries()) {
    const weight = 1 << (place & 7);
    const byte = data[place >> 3] ?? 0;
    data[place >> 3] = (pattern >> BigInt(index)) & 1n ? byte | weight : byte & ~weight;
  }
};
