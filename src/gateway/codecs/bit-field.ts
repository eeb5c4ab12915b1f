import { bitExtentsOf, networkPosition } from '../../database/layout.ts';

/** Bits that a number holds exactly. */
export const exactBits = 53;

/** The bits of one byte that belong to a field, and what the lowest of them is worth in it. */
export interface ByteStep {
  readonly byte: number;
  readonly shift: number;
  readonly mask: number;
  readonly weight: number;
  /** The power of two that is the weight. */
  readonly place: number;
}

/** Bits of a number that is computed with as an integer, and never as a double. */
const smallBits = 30;

/** The steps of a field, by the bit numbers that DBC files use. */
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

/** Up to 53 bits in a row somewhere in a frame, as a number. */
export class BitField {
  readonly bits: number;
  /** From one byte to the next. */
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
      // Taken modulo 2^32, which keeps the bits that are wanted of numbers up to 2^53.
      const part = (value / weight) & mask;
      const others = (bytes[at + byte] as number) & ~(mask << shift);
      bytes[at + byte] = others | (part << shift);
    }
  }
}

/** The two halves of a field that is wider than numbers are exact: 32 bits, and what is above. */
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
