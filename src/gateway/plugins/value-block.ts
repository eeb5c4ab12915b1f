import type { SignalType } from '../project/tables/signals.ts';
import { OutputCheck } from '../transforms/transform-program.ts';
import { Cells, lowerHalf, upperHalf } from '../values/cells.ts';
import type { Slots } from '../values/slots.ts';
import { typeNumbers, valueLayout } from './abi.ts';

const wrap = 0x1_0000_0000;
const wordsOf = valueLayout.size / 4;
const firstWord = 2;

/**
 * Values as plugins see them, side by side:
 *
 *     | type, valid, flags, 5 bytes | value, 8 bytes | type, …
 */
export class ValueBlock {
  readonly bytes: Uint8Array;
  readonly #types: readonly SignalType[];
  readonly #checks: readonly OutputCheck[];
  readonly #cells: Cells;
  readonly #halves: Uint32Array;

  constructor(types: readonly SignalType[]) {
    // Memory of a length of 0 has no address.
    const count = Math.max(1, types.length);
    const buffer = new SharedArrayBuffer(valueLayout.size * count);
    this.bytes = new Uint8Array(buffer);
    this.#types = types;
    this.#checks = types.map((type) => new OutputCheck(type));
    this.#cells = new Cells(buffer, 0, 2 * count);
    this.#halves = new Uint32Array(buffer);
    this.clear();
  }

  /** All values are valid zeros of their types. */
  clear(): void {
    this.bytes.fill(0);
    for (let index = 0; index < this.#types.length; index++) this.#head(index, true, 0);
  }

  put(index: number, from: Slots, slot: number, isValid: boolean, flags: number): void {
    this.#head(index, isValid, flags);
    const cell = 2 * index + 1;
    const wide = from.wide[slot] as bigint | null;
    if (wide !== null) this.#cells.set(cell, wide);
    else if (this.#types[index] === 'float64')
      this.#cells.floats[cell] = from.numbers[slot] as number;
    else this.#cells.setWhole(cell, from.numbers[slot] as number);
  }

  isValid(index: number): boolean {
    return this.bytes[valueLayout.size * index + valueLayout.valid] === 1;
  }

  /** Whether it is said to be not valid; anything but 0 and 1 says nothing. */
  isInvalid(index: number): boolean {
    return this.bytes[valueLayout.size * index + valueLayout.valid] === 0;
  }

  /** Takes a value; false if it is none of its type. */
  take(index: number, to: Slots, slot: number): boolean {
    const type = this.#types[index] as SignalType;
    const at = valueLayout.size * index;
    const valid = this.bytes[at + valueLayout.valid] as number;
    if (this.bytes[at] !== typeNumbers[type] || valid > 1) return false;
    const check = this.#checks[index] as OutputCheck;
    if (type === 'float64') {
      to.numbers[slot] = this.#cells.floats[2 * index + 1] as number;
      return check.settleNumber(to, slot);
    }
    const word = wordsOf * index + firstWord;
    const low = this.#halves[word + lowerHalf] as number;
    const unsigned = this.#halves[word + upperHalf] as number;
    const isSigned = type === 'int64' || type === 'enum';
    const high = isSigned ? unsigned | 0 : unsigned;
    const value = high * wrap + low;
    if (!Number.isSafeInteger(value)) {
      return check.settleInteger(to, slot, BigInt(high) * BigInt(wrap) + BigInt(low));
    }
    to.numbers[slot] = value;
    return check.settleNumber(to, slot);
  }

  #head(index: number, isValid: boolean, flags: number): void {
    const { bytes } = this;
    const at = valueLayout.size * index;
    bytes[at + valueLayout.type] = typeNumbers[this.#types[index] as SignalType];
    bytes[at + valueLayout.valid] = isValid ? 1 : 0;
    bytes[at + valueLayout.flags] = flags;
  }
}
