import type { ByteOrder, FieldRow } from './project.ts';

/**
 * The numbers of a field's bits (byte × 8 + weight), the least significant first. Intel names the
 * least significant bit and counts up; Motorola names the most significant one and goes down in
 * its byte, then continues with the highest bit of the next byte.
 */
export const bitsOfField = (start: number, length: number, order: ByteOrder): number[] => {
  if (order === 'intel') return Array.from({ length }, (_, index) => start + index);
  const bits: number[] = [];
  let bit = start;
  while (bits.length < length) {
    bits.unshift(bit);
    bit = bit % 8 === 0 ? bit + 15 : bit - 1;
  }
  return bits;
};

export const bitsOfRow = (row: FieldRow): number[] =>
  bitsOfField(row.start_bit, row.bit_length, row.byte_order);

/** The bits of a field that starts with a byte and has the most significant byte first. */
export const bigEndian = (byte: number, bytes: number): number[] =>
  bitsOfField(8 * byte + 7, 8 * bytes, 'motorola');

const isSet = (data: Uint8Array, bit: number): boolean =>
  (((data[Math.floor(bit / 8)] ?? 0) >> (bit % 8)) & 1) === 1;

/** The unsigned number in the bits of a field. */
export const readBits = (data: Uint8Array, bits: readonly number[]): bigint => {
  let text = '';
  for (const bit of bits) text = (isSet(data, bit) ? '1' : '0') + text;
  return BigInt(`0b${text}`);
};

/** Writes the lowest bits of a number into a field; a negative one is its two's complement. */
export const writeBits = (data: Uint8Array, bits: readonly number[], value: bigint): void => {
  const text = BigInt.asUintN(bits.length, value).toString(2).padStart(bits.length, '0');
  bits.forEach((bit, index) => {
    const at = Math.floor(bit / 8);
    const mask = 1 << (bit % 8);
    const byte = data[at] ?? 0;
    data[at] = text[bits.length - 1 - index] === '1' ? byte | mask : byte & ~mask;
  });
};
