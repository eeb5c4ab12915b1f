import { bitLengthOf, bitsOfRaw, type Raw, rawOfBits } from './codecs.ts';
import type { LinearCodecRow, ResourceRow, WordOrder } from './project.ts';

/** Whether the addresses of a resource are registers, not bits. */
export const isRegister = ({ table }: ResourceRow): boolean =>
  table === 'holding' || table === 'input';

/** Whether a resource is one bit, separate or in a register. */
export const isOneBit = (resource: ResourceRow): boolean =>
  !isRegister(resource) || resource.bit_offset !== undefined;

/** Number of addresses of a resource. */
export const addressesOf = (resource: ResourceRow): number =>
  isOneBit(resource) ? 1 : (resource.count ?? 1);

/** Number of raw bits of a resource. */
export const rawBitsOf = (resource: ResourceRow): number =>
  isOneBit(resource) ? 1 : 16 * addressesOf(resource);

const swapBytes = (word: number): number => ((word & 0xff) << 8) | (word >> 8);

/**
 * Converts registers between the word order of the wire and big endian: CDAB has reversed words,
 * BADC swapped bytes, DCBA both.
 */
const reorder = (words: readonly number[], order: WordOrder): number[] => {
  const turned = order === 'CDAB' || order === 'DCBA' ? [...words].reverse() : [...words];
  return order === 'BADC' || order === 'DCBA' ? turned.map(swapBytes) : turned;
};

/** The raw value in the items of a resource. Bits are numbered in the word on the wire. */
export const rawOfItems = (
  resource: ResourceRow,
  codec: LinearCodecRow,
  items: readonly number[],
): Raw => {
  if (isOneBit(resource)) {
    const bit = ((items[0] ?? 0) >> (resource.bit_offset ?? 0)) & 1;
    return rawOfBits(codec, BigInt(bit));
  }
  const words = reorder(items, codec.word_order ?? 'ABCD');
  const value = words.reduce((sum, word) => sum * 65_536n + BigInt(word), 0n);
  return rawOfBits(codec, value);
};

/** The items of a one-bit resource; other bits of its word are 0. */
export const itemsOfBit = (resource: ResourceRow, isSet: boolean): number[] => [
  isSet ? 1 << (resource.bit_offset ?? 0) : 0,
];

/** The items of a resource with a raw value; other bits of the word of a bit are 0. */
export const itemsOfRaw = (resource: ResourceRow, codec: LinearCodecRow, raw: Raw): number[] => {
  const value = BigInt.asUintN(bitLengthOf(codec), bitsOfRaw(codec, raw));
  if (isOneBit(resource)) return itemsOfBit(resource, value === 1n);
  const count = addressesOf(resource);
  const words = Array.from({ length: count }, (_, place) =>
    Number((value >> BigInt(16 * (count - 1 - place))) & 0xffffn),
  );
  return reorder(words, codec.word_order ?? 'ABCD');
};
