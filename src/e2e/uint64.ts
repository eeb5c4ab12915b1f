import type { ByteOrder } from '../database/model.ts';

const allOnes = 2n ** 64n - 1n;
const halfSize = 2 ** 32;

/**
 * A mutable unsigned 64-bit integer. Its halves are signed 32-bit integers, which V8 stores
 * without allocating.
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

  setValue(value: number | bigint): void {
    if (typeof value === 'number' && Number.isSafeInteger(value)) {
      this.set(Math.floor(value / halfSize), value);
    } else {
      const bits = BigInt(value) & allOnes;
      this.set(Number(bits >> 32n), Number(bits & 0xffff_ffffn));
    }
  }

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

  add(other: Uint64): void {
    const low = (this.low >>> 0) + (other.low >>> 0);
    const carry = low < halfSize ? 0 : 1;
    this.set(this.high + other.high + carry, low);
  }

  subtract(other: Uint64): void {
    const borrow = this.low >>> 0 < other.low >>> 0 ? 1 : 0;
    this.set(this.high - other.high - borrow, this.low - other.low);
  }

  xor(other: Uint64): void {
    this.high ^= other.high;
    this.low ^= other.low;
  }
}

interface Segment {
  readonly byte: number;
  readonly shift: number;
  readonly bits: number;
  readonly weight: number;
}

export interface BitLayout {
  readonly startBit: number;
  readonly bitLength: number;
  readonly byteOrder: ByteOrder;
}

/**
 * Splits a field into bytes, using DBC bit numbers. An Intel field starts with its least significant
 * bit (L), a Motorola field with its most significant bit (M):
 *
 *     bit         7   6   5   4   3   2   1   0      7   6   5   4   3   2   1   0
 *     byte 1      x   x   x   L   .   .   .   .      .   .   .   .   M   x   x   x
 *     byte 2      .   .   .   .   M   x   x   x      x   x   x   L   .   .   .   .
 *                 Intel, start bit 12, 8 bits        Motorola, start bit 11, 8 bits
 */
const segmentsOf = ({ startBit, bitLength, byteOrder }: BitLayout): Segment[] => {
  const isIntel = byteOrder === 'intel';
  const segments: Segment[] = [];
  let byte = Math.floor(startBit / 8);
  let bit = startBit % 8;
  for (let left = bitLength; left > 0; byte += 1) {
    const bits = Math.min(left, isIntel ? 8 - bit : bit + 1);
    const shift = isIntel ? bit : bit + 1 - bits;
    const weight = isIntel ? bitLength - left : left - bits;
    segments.push({ byte, shift, bits, weight });
    left -= bits;
    bit = isIntel ? 0 : 7;
  }
  return segments;
};

export class Uint64Field {
  readonly bitLength: number;
  readonly segments: readonly Segment[];

  constructor(place: BitLayout) {
    this.bitLength = place.bitLength;
    this.segments = segmentsOf(place);
  }

  read(bytes: Uint8Array, at: number, value: Uint64): void {
    const { segments } = this;
    let high = 0;
    let low = 0;
    for (let index = 0; index < segments.length; index += 1) {
      const { byte, shift, bits, weight } = segments[index] as Segment;
      const part = ((bytes[at + byte] as number) >>> shift) & ((1 << bits) - 1);
      if (weight < 32) {
        low |= part << weight;
        if (weight > 24) high |= part >>> (32 - weight);
      } else {
        high |= part << (weight - 32);
      }
    }
    value.set(high, low);
  }

  write(bytes: Uint8Array, at: number, { high, low }: Uint64): void {
    const { segments } = this;
    for (let index = 0; index < segments.length; index += 1) {
      const { byte, shift, bits, weight } = segments[index] as Segment;
      let part = weight < 32 ? low >>> weight : high >>> (weight - 32);
      if (weight > 24 && weight < 32) part |= high << (32 - weight);
      const mask = ((1 << bits) - 1) << shift;
      const others = (bytes[at + byte] as number) & ~mask;
      bytes[at + byte] = others | ((part << shift) & mask);
    }
  }
}
