const allOnes = 2n ** 64n - 1n;
const halfSize = 2 ** 32;

/**
 * An unsigned integer of 64 bits that is changed in place. Its halves are kept as signed 32-bit
 * integers: these are small integers of V8, which no frame has to allocate.
 */
export class Uint64 {
  high = 0;
  low = 0;

  static of(value: number | bigint): Uint64 {
    const made = new Uint64();
    made.setValue(value);
    return made;
  }

  set(high: number, low: number): void {
    this.high = high | 0;
    this.low = low | 0;
  }

  copy(other: Uint64): void {
    this.high = other.high;
    this.low = other.low;
  }

  /** Takes the lowest 64 bits of a whole number. */
  setValue(value: number | bigint): void {
    if (typeof value === 'number' && Number.isSafeInteger(value)) {
      this.set(Math.floor(value / halfSize), value);
    } else {
      const bits = BigInt(value) & allOnes;
      this.set(Number(bits >> 32n), Number(bits & 0xffff_ffffn));
    }
  }

  /** As a number; exact below 2^53. */
  toNumber(): number {
    return (this.high >>> 0) * halfSize + (this.low >>> 0);
  }

  toBigInt(): bigint {
    return (BigInt(this.high >>> 0) << 32n) | BigInt(this.low >>> 0);
  }

  equals(other: Uint64): boolean {
    return this.high === other.high && this.low === other.low;
  }

  isBelow(other: Uint64): boolean {
    return this.high === other.high
      ? this.low >>> 0 < other.low >>> 0
      : this.high >>> 0 < other.high >>> 0;
  }

  increment(): void {
    this.low = (this.low + 1) | 0;
    if (this.low === 0) this.high = (this.high + 1) | 0;
  }

  /** Adds modulo 2^64. */
  add(other: Uint64): void {
    const low = (this.low >>> 0) + (other.low >>> 0);
    const carry = low < halfSize ? 0 : 1;
    this.set(this.high + other.high + carry, low);
  }

  /** Subtracts modulo 2^64. */
  subtract(other: Uint64): void {
    const borrow = this.low >>> 0 < other.low >>> 0 ? 1 : 0;
    this.set(this.high - other.high - borrow, this.low - other.low);
  }

  xor(other: Uint64): void {
    this.high ^= other.high;
    this.low ^= other.low;
  }
}
