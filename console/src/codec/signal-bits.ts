import { bitOf, bytesFor as bytesOf } from '../../../src/database/layout.ts';
import type { DatabaseSignal } from '../api/client.ts';

type Placed = Pick<DatabaseSignal, 'start_bit' | 'length' | 'byte_order'>;

/** Where a bit lies: eight times its byte, and its place in the byte counted from the lowest. */
export type BitPlace = number;

/** A signal as the service's own layout takes it. */
const placeOf = ({ start_bit, length, byte_order }: Placed) => ({
  startBit: start_bit,
  length,
  byteOrder: byte_order,
});

/** The bits of a signal, the least significant first. */
export const bitsOf = (signal: Placed): readonly BitPlace[] => {
  const place = placeOf(signal);
  const bits = Array.from({ length: signal.length }, (_, index) => bitOf(place, index));
  return place.byteOrder === 'intel' ? bits : bits.reverse();
};

/** Bytes that a payload needs to hold a signal. */
export const bytesFor = (signal: Placed): number => bytesOf(placeOf(signal));

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
