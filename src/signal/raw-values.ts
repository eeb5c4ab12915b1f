import type { Signal } from '../database/model.ts';

/** A double if it is exact, otherwise an integer. */
export type Raw = number | bigint;

export const exactBits = 53;

const bitsPerSlot = 64;
const slotsFor = (length: number): number => Math.ceil(length / bitsPerSlot);

/** Returns whether an integer is stored as words rather than as a double. */
export const isWide = ({ kind, length }: Signal): boolean =>
  length > exactBits && kind !== 'float64';

/** Returns whether bits are stored word by word; doubles are bits already. */
export const isStoredAsWords = (signal: Signal): boolean =>
  signal.kind === 'float64' || isWide(signal);

/**
 * The 8-byte slot of each signal's raw value: its own index, so doubles need no table. Signals
 * above 64 bits follow after all of these.
 */
export const slotTableOf = (signals: readonly Signal[]): readonly number[] => {
  let free = signals.length;
  return signals.map(({ length }, index) => {
    if (length <= bitsPerSlot) return index;
    const slot = free;
    free += slotsFor(length);
    return slot;
  });
};

/**
 * Raw values of the signals of a decoder or encoder, by index. One buffer has two views:
 * integers up to 53 bits and floats are doubles in `numbers`; longer integers are two's
 * complement in `words`, least significant word first. Slots of absent signals keep their
 * previous content.
 */
export class RawValues {
  readonly numbers: Float64Array;
  /**
   * Same memory as `numbers`. The low word of a double is first, because hosts are
   * little-endian.
   */
  readonly words: Uint32Array;
  readonly present: Uint32Array;
  readonly #signals: readonly Signal[];
  readonly #slots: readonly number[];
  readonly #signed: BigInt64Array;
  readonly #unsigned: BigUint64Array;

  constructor(signals: readonly Signal[]) {
    const extra = signals.filter(({ length }) => length > bitsPerSlot);
    const slots = extra.reduce((sum, { length }) => sum + slotsFor(length), signals.length);
    this.numbers = new Float64Array(slots);
    this.words = new Uint32Array(this.numbers.buffer);
    this.#signed = new BigInt64Array(this.numbers.buffer);
    this.#unsigned = new BigUint64Array(this.numbers.buffer);
    this.present = new Uint32Array(Math.ceil(signals.length / 32));
    this.#signals = signals;
    this.#slots = slotTableOf(signals);
  }

  has(index: number): boolean {
    return (((this.present[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;
  }

  get(index: number): number | bigint | null {
    const signal = this.#signals[index];
    if (signal === undefined || !this.has(index)) return null;
    const slot = this.#slots[index] ?? 0;
    if (!isWide(signal)) return this.numbers[slot] ?? 0;
    const isSigned = signal.kind === 'signed';
    if (signal.length <= bitsPerSlot) {
      return (isSigned ? this.#signed[slot] : this.#unsigned[slot]) ?? 0n;
    }
    const last = slot + slotsFor(signal.length) - 1;
    let value = (isSigned ? this.#signed[last] : this.#unsigned[last]) ?? 0n;
    for (let at = last - 1; at >= slot; at--) value = (value << 64n) | (this.#unsigned[at] ?? 0n);
    return value;
  }

  set(index: number, raw: number | bigint): void {
    const signal = this.#signals[index];
    if (signal === undefined) return;
    const slot = this.#slots[index] ?? 0;
    if (isWide(signal)) {
      let rest = BigInt(raw);
      for (let at = slot; at < slot + slotsFor(signal.length); at++) {
        this.#unsigned[at] = BigInt.asUintN(bitsPerSlot, rest);
        rest >>= 64n;
      }
    } else {
      this.numbers[slot] = Number(raw);
    }
    const word = index >>> 5;
    this.present[word] = (this.present[word] ?? 0) | (1 << (index & 31));
  }

  clear(): void {
    this.present.fill(0);
  }
}
