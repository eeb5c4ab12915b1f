import { nearestFloat } from '../../base/decimal/nearest-float.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { Slots } from '../values/slots.ts';
import { OutputCheck } from './output-check.ts';
import { PlainProgram } from './transform-program.ts';

/** What became of a calculation with numbers. */
export const failed = 0;
export const done = 1;
/** A number on the way was beyond ±(2^53 − 1): only bigints are exact there. */
export const beyond = 2;
export type Outcome = typeof failed | typeof done | typeof beyond;

/** A number that is no integer, exactly. */
export interface Quotient {
  readonly dividend: bigint;
  readonly divisor: bigint;
}

/** A function of integers, computed exactly. */
export interface IntegerFunction {
  /**
   * Writes its result to `results[0]`. The numbers are whole and at most 2^53 − 1; so is every one on
   * the way, as it is exact only there.
   */
  readonly narrow: (numbers: Float64Array, count: number, results: Float64Array) => Outcome;
  /** The same of integers of any size; null where there is no result. */
  readonly wide: (values: readonly bigint[]) => bigint | Quotient | null;
}

/** A function of integers for signals of certain types. */
export class IntegerProgram extends PlainProgram {
  readonly #function: IntegerFunction;
  readonly #count: number;
  readonly #check: OutputCheck;

  constructor(whole: IntegerFunction, inputCount: number, output: SignalType) {
    super();
    this.#function = whole;
    this.#count = inputCount;
    this.#check = new OutputCheck(output);
  }

  run(inputs: Slots, outputs: Slots): boolean {
    for (let input = 0; input < this.#count; input++) {
      if (inputs.wide[input] !== null) return this.#runWide(inputs, outputs);
    }
    const outcome = this.#function.narrow(inputs.numbers, this.#count, outputs.numbers);
    if (outcome === beyond) return this.#runWide(inputs, outputs);
    return outcome === done && this.#check.settleNumber(outputs, 0);
  }

  #runWide(inputs: Slots, outputs: Slots): boolean {
    const values = Array.from({ length: this.#count }, (_, input) => inputs.integer(input));
    const result = this.#function.wide(values);
    if (result === null) return false;
    if (typeof result === 'bigint') return this.#check.settleInteger(outputs, 0, result);
    if (this.#check.isInteger) return false;
    outputs.numbers[0] = nearestFloat(result.dividend, result.divisor, 'float64');
    return this.#check.settleNumber(outputs, 0);
  }
}
