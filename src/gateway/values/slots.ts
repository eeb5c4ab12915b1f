/** Integers up to here are numbers; those beyond are bigints. */
const max = Number.MAX_SAFE_INTEGER;

/**
 * Values side by side, as calculations read and write them. A slot holds a number, or, for an integer
 * beyond ±(2^53 − 1), a bigint; then its number means nothing. Only such integers make objects.
 */
export class Slots {
  readonly numbers: Float64Array;
  readonly wide: (bigint | null)[];

  constructor(count: number) {
    this.numbers = new Float64Array(count);
    this.wide = new Array<bigint | null>(count).fill(null);
  }

  get count(): number {
    return this.numbers.length;
  }

  setNumber(slot: number, value: number): void {
    // There is but one zero.
    this.numbers[slot] = value + 0;
    if (this.wide[slot] !== null) this.wide[slot] = null;
  }

  /** An integer of any size, kept as the number that it is wherever that is exact. */
  setInteger(slot: number, value: bigint): void {
    const isNarrow = value >= -max && value <= max;
    this.numbers[slot] = isNarrow ? Number(value) : 0;
    this.wide[slot] = isNarrow ? null : value;
  }

  /** A double of a float64, an integer of any other type. */
  setValue(slot: number, value: number | bigint): void {
    if (typeof value === 'bigint') this.setInteger(slot, value);
    else this.setNumber(slot, value);
  }

  copyFrom(slot: number, other: Slots, otherSlot: number): void {
    const wide = other.wide[otherSlot] as bigint | null;
    this.numbers[slot] = other.numbers[otherSlot] as number;
    // Almost always both are null, and reading costs less than writing.
    if (wide !== this.wide[slot]) this.wide[slot] = wide;
  }

  /** The integer in a slot that holds one. */
  integer(slot: number): bigint {
    return this.wide[slot] ?? BigInt(this.numbers[slot] as number);
  }

  /** The double in a slot, or the one nearest to its integer. */
  double(slot: number): number {
    const wide = this.wide[slot] as bigint | null;
    return wide === null ? (this.numbers[slot] as number) : Number(wide);
  }
}
