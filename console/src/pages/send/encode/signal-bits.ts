import type { DatabaseSignal } from '../../../api/schema.ts';

type Placed = Pick<DatabaseSignal, 'start_bit' | 'length' | 'byte_order'>;

/** Numbers of the bits of a signal (byte × 8 + weight), the least significant first. */
export const bitNumbers = ({ start_bit, length, byte_order }: Placed): readonly number[] => {
  if (byte_order === 'intel') return Array.from({ length }, (_, index) => start_bit + index);
  // Motorola goes down within a byte and on at the top of the next one, from the most significant.
  const onWire = (bit: number): number => bit - (bit % 8) + 7 - (bit % 8);
  const first = onWire(start_bit);
  return Array.from({ length }, (_, index) => onWire(first + length - 1 - index));
};

/** Bytes that a payload needs to hold a signal. */
export const bytesFor = (signal: Placed): number =>
  Math.max(0, ...bitNumbers(signal).map((bit) => Math.floor(bit / 8) + 1));

/** Puts a pattern of bits where the signal lies; other bits stay as they are. */
export const writeBits = (bytes: Uint8Array, signal: Placed, pattern: bigint): void => {
  for (const [index, bit] of bitNumbers(signal).entries()) {
    const at = Math.floor(bit / 8);
    const weight = 1 << (bit % 8);
    const byte = bytes[at] ?? 0;
    bytes[at] = (pattern >> BigInt(index)) & 1n ? byte | weight : byte & ~weight;
  }
};
