import { bitExtentsOf, networkPosition } from '../../database/layout.ts';

export const exactBits = 53;

/**
 * The bits of one byte that belong to a field, and the weight of the lowest of them in the value.
 */
export interface ByteStep {
  readonly byte: number;
  readonly shift: number;
  readonly mask: number;
  readonly weight: number;
  /** Exponent of the weight, which is a power of two. */
  readonly place: number;
}

const smallBits = 30;

/** Splits a field into bytes, using DBC bit numbers. */
export const stepsOf = (startBit: number, length: number, isMotorola: boolean): ByteStep[] => {
  const byteOrder = isMotorola ? 'motorola' : 'intel';
  return bitExtentsOf({ startBit, length, byteOrder }).map(({ byte, shift, bits, weight }) => ({
    byte,
    shift,
    mask: 2 ** bits - 1,
    weight: 2 ** weight,
    place: weight,
  }));
};

export class BitField {
  readonly bits: number;
  readonly steps: readonly ByteStep[];

  constructor(start: number, bits: number, isMotorola: boolean) {
    this.bits = bits;
    this.steps = stepsOf(start, bits, isMotorola);
  }

  read(bytes: Uint8Array, at: number): number {
    return this.bits <= smallBits ? this.#readSmall(bytes, at) : this.#readLarge(bytes, at);
  }

  write(bytes: Uint8Array, at: number, value: number): void {
    if (this.bits <= smallBits) this.#writeSmall(bytes, at, value);
    else this.#writeLarge(bytes, at, value);
  }

  #readSmall(bytes: Uint8Array, at: number): number {
    const steps = this.steps;
    let value = 0;
    for (let index = 0; index < steps.length; index++) {
      const { byte, shift, mask, place } = steps[index] as ByteStep;
      value |= (((bytes[at + byte] as number) >> shift) & mask) << place;
    }
    return value;
  }

  #writeSmall(bytes: Uint8Array, at: number, value: number): void {
    const steps = this.steps;
    for (let index = 0; index < steps.length; index++) {
      const { byte, shift, mask, place } = steps[index] as ByteStep;
      const others = (bytes[at + byte] as number) & ~(mask << shift);
      bytes[at + byte] = others | (((value >> place) & mask) << shift);
    }
  }

  #readLarge(bytes: Uint8Array, at: number): number {
    const steps = this.steps;
    let value = 0;
    for (let index = 0; index < steps.length; index++) {
      const { byte, shift, mask, weight } = steps[index] as ByteStep;
      value += (((bytes[at + byte] as number) >> shift) & mask) * weight;
    }
    return value;
  }

  #writeLarge(bytes: Uint8Array, at: number, value: number): void {
    const steps = this.steps;
    for (let index = 0; index < steps.length; index++) {
      const { byte, shift, mask, weight } = steps[index] as ByteStep;
      // `&` works modulo 2^32, which preserves the masked bits of numbers up to 2^53.
      const part = (value / weight) & mask;
      const others = (bytes[at + byte] as number) & ~(mask << shift);
      bytes[at + byte] = others | (part << shift);
    }
  }
}

/** Splits a field of more than 53 bits: the lower 32 bits, and the bits above. */
export const halvesOf = (
  start: number,
  bits: number,
  isMotorola: boolean,
): { readonly low: BitField; readonly high: BitField } => {
  const above = bits - 32;
  if (!isMotorola) {
    return { low: new BitField(start, 32, false), high: new BitField(start + 32, above, false) };
  }
  return {
    low: new BitField(networkPosition(networkPosition(start) + above), 32, true),
    high: new BitField(start, above, true),
  };
};
