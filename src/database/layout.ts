import type { Signal } from './model.ts';

type Placed = Pick<Signal, 'startBit' | 'length' | 'byteOrder'>;

/**
 * Turns the number of a bit (byte × 8 + weight) into its place on the wire, where the most
 * significant bit of a byte comes first. It is its own inverse.
 */
export const networkPosition = (bit: number): number => bit - (bit % 8) + 7 - (bit % 8);

/** The number of a bit of a signal; Intel counts from the least, Motorola from the most significant. */
export const bitOf = ({ startBit, byteOrder }: Placed, index: number): number =>
  byteOrder === 'intel' ? startBit + index : networkPosition(networkPosition(startBit) + index);

/** Bytes that a message needs at least to hold a signal. */
export const bytesFor = ({ startBit, length, byteOrder }: Placed): number =>
  Math.ceil(((byteOrder === 'intel' ? startBit : networkPosition(startBit)) + length) / 8);
