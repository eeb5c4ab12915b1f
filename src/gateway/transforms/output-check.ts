import type { SignalType } from '../project/tables/signals.ts';
import type { Slots } from '../values/slots.ts';

/** From the first number to below the second. */
type Range = readonly [number, number];

const ranges: Readonly<Record<SignalType, Range | null>> = {
  bool: [0, 2],
  int64: [-(2 ** 63), 2 ** 63],
  uint64: [0, 2 ** 64],
  enum: [-(2 ** 63), 2 ** 63],
  float64: null,
};

/** The values of a type of integers; null for doubles. */
export const outputRange = (type: SignalType): Range | null => ranges[type];

/** Whether what was computed is a value of the type of its output. */
export class OutputCheck {
  readonly isInteger: boolean;
  readonly #least: number;
  readonly #end: number;

  constructor(type: SignalType) {
    const range = ranges[type];
    this.isInteger = range !== null;
    const [least, end] = range ?? [0, 0];
    this.#least = least;
    this.#end = end;
  }

  /** Takes the number that a calculation left in a slot. */
  settleNumber(outputs: Slots, slot: number): boolean {
    const value = outputs.numbers[slot] as number;
    outputs.wide[slot] = null;
    // There is but one zero.
    if (value === 0) outputs.numbers[slot] = 0;
    if (!this.isInteger) return Number.isFinite(value);
    if (!Number.isInteger(value) || value < this.#least || value >= this.#end) return false;
    if (!Number.isSafeInteger(value)) outputs.wide[slot] = BigInt(value);
    return true;
  }

  /** Takes an integer of any size; a double must hold it exactly. */
  settleInteger(outputs: Slots, slot: number, value: bigint): boolean {
    if (this.isInteger) {
      if (value < this.#least || value >= this.#end) return false;
      outputs.setInteger(slot, value);
      return true;
    }
    const double = Number(value);
    if (!Number.isFinite(double) || BigInt(double) !== value) return false;
    outputs.setNumber(slot, double);
    return true;
  }

  /** Takes a value as it is. */
  settleCopy(outputs: Slots, slot: number, inputs: Slots, input: number): boolean {
    const wide = inputs.wide[input] as bigint | null;
    if (wide !== null) return this.settleInteger(outputs, slot, wide);
    outputs.numbers[slot] = inputs.numbers[input] as number;
    return this.settleNumber(outputs, slot);
  }
}
