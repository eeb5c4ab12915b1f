/** Larger integers are bigints. */
const max = Number.MAX_SAFE_INTEGER;

/**
 * Values for calculations. A slot holds a number, or a bigint for an integer beyond ±(2^53 −
 * 1). Only bigints are allocated.
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
    // Adding 0 turns −0 into 0.
    this.numbers[slot] = value + 0;
    if (this.wide[slot] !== null) this.wide[slot] = null;
  }

  setInteger(slot: number, value: bigint): void {
    const isNarrow = value >= -max && value <= max;
    this.numbers[slot] = isNarrow ? Number(value) : 0;
    this.wide[slot] = isNarrow ? null : value;
  }

  setValue(slot: number, value: number | bigint): void {
    if (typeof value === 'bigint') this.setInteger(slot, value);
    else this.setNumber(slot, value);
  }

  copyFrom(slot: number, other: Slots, otherSlot: number): void {
    const wide = other.wide[otherSlot] as bigint | null;
    this.numbers[slot] = other.numbers[otherSlot] as number;
    // Usually both are null, and reading is cheaper than writing.
    if (wide !== this.wide[slot]) this.wide[slot] = wide;
  }

  /** Requires a slot that contains an integer. */
  integer(slot: number): bigint {
    return this.wide[slot] ?? BigInt(this.numbers[slot] as number);
  }

  double(slot: number): number {
    const wide = this.wide[slot] as bigint | null;
    return wide === null ? (this.numbers[slot] as number) : Number(wide);
  }
}
