import { lowerHalf, upperHalf } from '../values/cells.ts';
import { BitField, exactBits, halvesOf } from './bit-field.ts';
import type { Raw, RawKind } from './encode-linear.ts';

export interface WireLayout {
  readonly kind: RawKind;
  readonly start: number;
  readonly bits: number;
  readonly isMotorola: boolean;
}

const halves = new Uint32Array(2);
const asFloat64 = new Float64Array(halves.buffer);
const asSigned = new BigInt64Array(halves.buffer);
const singleBits = new Uint32Array(1);
const asFloat32 = new Float32Array(singleBits.buffer);

const isSafe = (value: bigint): boolean =>
  value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER;

/**
 * Reads and writes the raw value of one binding. A raw value is a number, which needs no
 * allocation, or a bigint beyond the exact integers.
 */
export interface WireField {
  read(bytes: Uint8Array, at: number): Raw;
  write(bytes: Uint8Array, at: number, raw: Raw): void;
}

class UnsignedField implements WireField {
  readonly #field: BitField;

  constructor(place: WireLayout) {
    this.#field = new BitField(place.start, place.bits, place.isMotorola);
  }

  read(bytes: Uint8Array, at: number): number {
    return this.#field.read(bytes, at);
  }

  write(bytes: Uint8Array, at: number, raw: Raw): void {
    this.#field.write(bytes, at, Number(raw));
  }
}

class SignedField implements WireField {
  readonly #field: BitField;
  readonly #half: number;

  constructor(place: WireLayout) {
    this.#field = new BitField(place.start, place.bits, place.isMotorola);
    this.#half = 2 ** (place.bits - 1);
  }

  read(bytes: Uint8Array, at: number): number {
    const value = this.#field.read(bytes, at);
    return value < this.#half ? value : value - 2 * this.#half;
  }

  write(bytes: Uint8Array, at: number, raw: Raw): void {
    const value = Number(raw);
    this.#field.write(bytes, at, value < 0 ? value + 2 * this.#half : value);
  }
}

class WideField implements WireField {
  readonly #low: BitField;
  readonly #high: BitField;
  readonly #isSigned: boolean;
  readonly #bits: number;

  constructor(place: WireLayout) {
    const { low, high } = halvesOf(place.start, place.bits, place.isMotorola);
    this.#low = low;
    this.#high = high;
    this.#isSigned = place.kind === 'signed';
    this.#bits = place.bits;
  }

  read(bytes: Uint8Array, at: number): Raw {
    const low = this.#low.read(bytes, at);
    const unsigned = this.#high.read(bytes, at);
    const half = 2 ** (this.#bits - 33);
    const high = this.#isSigned && unsigned >= half ? unsigned - 2 * half : unsigned;
    const value = high * 0x1_0000_0000 + low;
    if (Number.isSafeInteger(value)) return value;
    return BigInt(high) * 0x1_0000_0000n + BigInt(low);
  }

  write(bytes: Uint8Array, at: number, raw: Raw): void {
    asSigned[0] = BigInt.asIntN(64, BigInt(raw));
    this.#low.write(bytes, at, halves[lowerHalf] as number);
    this.#high.write(bytes, at, halves[upperHalf] as number);
  }
}

class Float32Field implements WireField {
  readonly #field: BitField;

  constructor(place: WireLayout) {
    this.#field = new BitField(place.start, 32, place.isMotorola);
  }

  read(bytes: Uint8Array, at: number): number {
    singleBits[0] = this.#field.read(bytes, at);
    return asFloat32[0] as number;
  }

  write(bytes: Uint8Array, at: number, raw: Raw): void {
    asFloat32[0] = Number(raw);
    this.#field.write(bytes, at, singleBits[0] as number);
  }
}

class Float64Field implements WireField {
  readonly #low: BitField;
  readonly #high: BitField;

  constructor(place: WireLayout) {
    const { low, high } = halvesOf(place.start, 64, place.isMotorola);
    this.#low = low;
    this.#high = high;
  }

  read(bytes: Uint8Array, at: number): number {
    halves[lowerHalf] = this.#low.read(bytes, at);
    halves[upperHalf] = this.#high.read(bytes, at);
    return asFloat64[0] as number;
  }

  write(bytes: Uint8Array, at: number, raw: Raw): void {
    asFloat64[0] = Number(raw);
    this.#low.write(bytes, at, halves[lowerHalf] as number);
    this.#high.write(bytes, at, halves[upperHalf] as number);
  }
}

export const wireField = (place: WireLayout): WireField => {
  switch (place.kind) {
    case 'float32':
      return new Float32Field(place);
    case 'float64':
      return new Float64Field(place);
    default:
      if (place.bits > exactBits) return new WideField(place);
      return place.kind === 'signed' ? new SignedField(place) : new UnsignedField(place);
  }
};

export const narrowed = (value: bigint): Raw => (isSafe(value) ? Number(value) : value);

const wordBits = 32;

class LongField implements WireField {
  readonly #words: readonly BitField[];

  constructor(start: number, bits: number) {
    const words: BitField[] = [];
    for (let from = 0; from < bits; from += wordBits) {
      words.push(new BitField(start + from, Math.min(wordBits, bits - from), false));
    }
    this.#words = words;
  }

  read(bytes: Uint8Array, at: number): Raw {
    let raw = 0n;
    for (let index = this.#words.length - 1; index >= 0; index--) {
      const word = (this.#words[index] as BitField).read(bytes, at);
      raw = (raw << BigInt(wordBits)) | BigInt(word);
    }
    return narrowed(raw);
  }

  write(bytes: Uint8Array, at: number, raw: Raw): void {
    let rest = BigInt(raw);
    for (const word of this.#words) {
      word.write(bytes, at, Number(rest & 0xffff_ffffn));
      rest >>= BigInt(wordBits);
    }
  }
}

export const rawBitsField = (start: number, bits: number): WireField => new LongField(start, bits);
