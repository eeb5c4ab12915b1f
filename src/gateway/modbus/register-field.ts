import { fromBigEndian, toBigEndian, type WordOrder } from '../../modbus/pdu/word-order.ts';
import { bitLengthOf, type Raw, type RawKind } from '../codecs/encode-linear.ts';
import { type WireField, wireField } from '../codecs/wire-field.ts';
import type { LinearCodec } from '../project/tables/codecs.ts';
import type { ModbusResourceRow } from '../project/tables/modbus-resources.ts';
import { addressesOf } from '../project/validate/modbus-words.ts';

/** How the raw of a binding lies in the items of its resource. */
export interface RegisterPlace {
  readonly kind: RawKind;
  readonly bits: number;
  /** Items that it takes: up to four registers, or the one bit of a coil or discrete input. */
  readonly count: number;
  readonly order: WordOrder;
  /** Which bit of the word on the wire a raw of one bit is, 0 the least significant. */
  readonly bitOffset?: number | undefined;
}

const registerBits = 16;

/** The value that is read or written, big-endian. */
const scratch = new Uint8Array(8);
const scratchView = new DataView(scratch.buffer);

/**
 * Reads and writes a raw in the items of a table, which begin at an index of `items`: an element is a
 * register, or the 0 or 1 of a coil or discrete input. Bits beside the raw stay as they are. Raws are those of
 * `WireField`; integers of up to 31 bits leave no objects behind.
 *
 *     float32 123456 = 47 F1 20 00        bits of a word on the wire
 *     ABCD   47F1 2000                    15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
 *     CDAB   2000 47F1
 *     BADC   F147 0020                    12 bits in a register are its bits 11 to 0
 *     DCBA   0020 F147
 */
export class RegisterField {
  readonly #count: number;
  readonly #order: WordOrder;
  readonly #field: WireField;

  constructor({ kind, bits, count, order, bitOffset }: RegisterPlace) {
    this.#count = count;
    // A bit is counted in the word as the wire has it, whatever the order of bytes in values.
    this.#order = bitOffset === undefined ? order : 'ABCD';
    // The last bit of a big-endian value is its least significant one.
    const first = registerBits * count - bits - (bitOffset ?? 0);
    const start = 8 * (first >> 3) + 7 - (first & 7);
    this.#field = wireField({ kind, start, bits, isMotorola: true });
  }

  read(items: Uint16Array, at: number): Raw {
    toBigEndian(items, at, this.#count, this.#order, scratchView);
    return this.#field.read(scratch, 0);
  }

  write(items: Uint16Array, at: number, raw: Raw): void {
    toBigEndian(items, at, this.#count, this.#order, scratchView);
    this.#field.write(scratch, 0, raw);
    fromBigEndian(scratchView, this.#count, this.#order, items, at);
  }
}

/** Where the raw of a resource is. One without a codec is the validity bit of another. */
export const registerPlaceOf = (
  resource: ModbusResourceRow,
  codec?: LinearCodec,
): RegisterPlace => ({
  kind: codec?.raw ?? 'bool',
  bits: codec ? bitLengthOf(codec) : 1,
  count: addressesOf(resource),
  order: codec?.word_order ?? 'ABCD',
  bitOffset: resource.bit_offset,
});
