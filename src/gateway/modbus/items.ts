import { addressesOf, isRegister, type Resource } from '../project/validate/modbus-words.ts';

/**
 * Items of a unit as bytes, which the fields of bindings read and write: two for a register, as on the wire, and one
 * for a coil or discrete input, which is 0 or 1.
 */
export const bytesPerItem = (resource: Resource): 1 | 2 => (isRegister(resource) ? 2 : 1);

/** Bytes of all items of a resource. */
export const itemBytesOf = (resource: Resource): number =>
  bytesPerItem(resource) * addressesOf(resource);

/** Puts items, registers or bits, into bytes. */
export const putItems = (
  items: Uint16Array,
  first: number,
  count: number,
  size: 1 | 2,
  into: Uint8Array,
  at: number,
): void => {
  let next = at;
  for (let index = first; index < first + count; index++) {
    const item = items[index] as number;
    if (size === 2) into[next++] = item >> 8;
    into[next++] = item & 0xff;
  }
};

/** A register that begins at a byte. */
export const registerAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
