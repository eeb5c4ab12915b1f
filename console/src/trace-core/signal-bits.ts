import type { DatabaseSignal } from '../api/schema.ts';

/** Where a bit lies: eight times its byte, and its place in the byte counted from the lowest. */
export type BitPlace = number;

/** The bits of a signal, the least significant first. */
export const bitsOf = ({
  start_bit,
  length,
  byte_order,
}: Pick<DatabaseSignal, 'start_bit' | 'length' | 'byte_order'>): readonly BitPlace[] => {
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

/** The unsigned number in those bits; null if the data ends before the last of them. */
export const rawBits = (data: Uint8Array, places: readonly BitPlace[]): bigint | null => {
  let raw = 0n;
  for (let i = places.length - 1; i >= 0; i--) {
    const place = places[i] as number;
    const byte = data[place >> 3];
    if (byte === undefined) return null;
    raw = (raw << 1n) | BigInt((byte >> (place & 7)) & 1);
  }
  return raw;
};
