import type { Signal } from './model.ts';

type Placed = Pick<Signal, 'startBit' | 'length' | 'byteOrder'>;

/**
 * Converts a bit number (byte × 8 + weight) to its position on the wire, where the most
 * significant bit of a byte is first. The function is its own inverse.
 *
 * ```
 *            first on the wire             last
 *  byte 0     7   6   5   4   3   2   1   0
 *  byte 1    15  14  13  12  11  10   9   8
 *  byte 2    23  22  21  20  19  18  17  16
 *
 *  8 bits, Intel, start bit 12           8 bits, Motorola, start bit 11
 *  the start bit is the least (L)        the start bit is the most (M)
 *  byte 1     x   x   x   L   .   .   .   .      .   .   .   .   M   x   x   x
 *  byte 2     .   .   .   .   M   x   x   x      x   x   x   L   .   .   .   .
 * ```
 */
export const networkPosition = (bit: number): number => bit - (bit % 8) + 7 - (bit % 8);

/**
 * Bit number of a signal's bit. Intel counts from the least, Motorola from the most significant
 * bit.
 */
export const bitOf = ({ startBit, byteOrder }: Placed, index: number): number =>
  byteOrder === 'intel' ? startBit + index : networkPosition(networkPosition(startBit) + index);

export const bytesFor = ({ startBit, length, byteOrder }: Placed): number =>
  Math.ceil(((byteOrder === 'intel' ? startBit : networkPosition(startBit)) + length) / 8);

export interface BitExtent {
  readonly byte: number;
  readonly shift: number;
  readonly bits: number;
  readonly weight: number;
}

export const bitExtentsOf = ({ startBit, length, byteOrder }: Placed): BitExtent[] => {
  const isIntel = byteOrder === 'intel';
  const extents: BitExtent[] = [];
  let byte = startBit >> 3;
  let first = startBit & 7;
  for (let done = 0; done < length; byte++) {
    const bits = Math.min(isIntel ? 8 - first : first + 1, length - done);
    extents.push({
      byte,
      shift: isIntel ? first : first + 1 - bits,
      bits,
      weight: isIntel ? done : length - done - bits,
    });
    done += bits;
    first = isIntel ? 0 : 7;
  }
  return extents;
};
