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

/**
 * The steps of a field, by the numbers that DBC files use for bits:
 *
 *     byte 0: 7  6  5  4  3  2  1  0     Intel: `start` is the least significant bit, numbers rise with weight.
 *     byte 1: 15 14 13 12 11 10 9  8     Motorola: `start` is the most significant bit; the field goes down to
 *     byte 2: 23 22 21 20 19 18 17 16    bit 0 of its byte and on with bit 7 of the next one.
 */
export const stepsOf = (start: number, bits: number, isMotorola: boolean): ByteStep[] => {
  const steps: ByteStep[] = [];
  let byte = start >> 3;
  let first = start & 7;
  for (let done = 0; done < bits; byte++) {
    const room = isMotorola ? first + 1 : 8 - first;
    const taken = Math.min(room, bits - done);
    const place = isMotorola ? bits - done - taken : done;
    steps.push({
      byte,
      shift: isMotorola ? first + 1 - taken : first,
      mask: 2 ** taken - 1,
      weight: 2 ** place,
      place,
    });
    done += taken;
    first = isMotorola ? 7 : 0;
  }
  return steps;
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
    low: new BitField(skipDown(start, above), 32, true),
    high: new BitField(start, above, true),
  };
};

/** The bit that many steps below one, in Motorola order. */
const skipDown = (start: number, bits: number): number => {
  const place = 8 * (start >> 3) + (7 - (start & 7)) + bits;
  return 8 * (place >> 3) + (7 - (place & 7));
};
