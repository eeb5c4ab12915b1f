import { byteOrder, type WordOrder } from '../../modbus/pdu/word-order.ts';
import { BitField } from '../codecs/bit-field.ts';
import type { LinearFormat, Raw, RawKind } from '../codecs/encode-linear.ts';
import { type WireField, wireField } from '../codecs/wire-field.ts';
import { addressesOf, isRegister, type Resource } from '../project/validate/modbus-words.ts';

/**
 * Returns the bytes per item: two for a register, in wire order; one for a coil or discrete
 * input, 0 or 1.
 */
export const bytesPerItem = (resource: Resource): 1 | 2 => (isRegister(resource) ? 2 : 1);

export const itemBytesOf = (resource: Resource): number =>
  bytesPerItem(resource) * addressesOf(resource);

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

export const registerAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

export interface RegisterLayout {
  readonly kind: RawKind;
  readonly bits: number;
  readonly length: number;
  readonly order: WordOrder;
  /** Bit of the word on the wire, 0 being the least significant; for a raw value of one bit. */
  readonly bitOffset?: number | undefined;
}

const scratch = new Uint8Array(8);

class ReorderedField implements WireField {
  readonly #from: number;
  readonly #order: readonly number[];
  readonly #field: WireField;

  /** `order` is the position of each byte of the big-endian value, from its first item. */
  constructor(from: number, order: readonly number[], field: WireField) {
    this.#from = from;
    this.#order = order;
    this.#field = field;
  }

  read(bytes: Uint8Array, at: number): Raw {
    this.#gather(bytes, at + this.#from);
    return this.#field.read(scratch, 0);
  }

  write(bytes: Uint8Array, at: number, raw: Raw): void {
    const from = at + this.#from;
    const order = this.#order;
    this.#gather(bytes, from);
    this.#field.write(scratch, 0, raw);
    for (let index = 0; index < order.length; index++) {
      bytes[from + (order[index] as number)] = scratch[index] as number;
    }
  }

  #gather(bytes: Uint8Array, from: number): void {
    const order = this.#order;
    for (let index = 0; index < order.length; index++) {
      scratch[index] = bytes[from + (order[index] as number)] as number;
    }
  }
}

/**
 * Creates the field of a raw value in item bytes that start at `from`. Other bits stay unchanged.
 *
 *     float32 123456 = 47 F1 20 00        bits of a word on the wire
 *     ABCD   47F1 2000                    15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
 *     CDAB   2000 47F1
 *     BADC   F147 0020                    12 bits in a register are its bits 11 to 0
 *     DCBA   0020 F147
 */
export const registerField = (place: RegisterLayout, from: number): WireField => {
  const { kind, bits, length, order, bitOffset } = place;
  const fieldAt = (byte: number): WireField =>
    wireField({ kind, start: startOf(place, byte), bits, isMotorola: true });
  // The bit number refers to the word on the wire, regardless of the byte order of values.
  if (order === 'ABCD' || bitOffset !== undefined || length < 2) return fieldAt(from);
  return new ReorderedField(from, byteOrder(length / 2, order), fieldAt(0));
};

/**
 * Returns the DBC bit number of the first bit. The last bit of a big-endian value is the least
 * significant.
 */
const startOf = ({ bits, length, bitOffset = 0 }: RegisterLayout, from: number): number => {
  const first = 8 * length - bits - bitOffset;
  return 8 * (from + (first >> 3)) + 7 - (first & 7);
};

export const validityField = (resource: Resource, from: number): BitField =>
  new BitField(startOf(registerPlaceOf(resource), from), 1, false);

/** Returns the field of a resource's raw value. A resource without a codec is a validity bit. */
export const registerPlaceOf = (resource: Resource, format?: LinearFormat): RegisterLayout => ({
  kind: format?.raw ?? 'bool',
  bits: format?.bitLength ?? 1,
  length: itemBytesOf(resource),
  order: format?.wordOrder ?? 'ABCD',
  bitOffset: resource.bit_offset,
});
