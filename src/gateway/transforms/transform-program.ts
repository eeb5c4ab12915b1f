import { nearestFloat } from '../../base/decimal/nearest-float.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { Slots } from '../values/slots.ts';

/**
 * A transformation compiled for the types of its inputs and outputs. Running it allocates nothing.
 */
export interface TransformProgram {
  /**
   * Computes the outputs, whose slots must differ from those of the inputs. Returns false if an
   * output cannot be represented; all outputs are undefined then.
   */
  run(inputs: Slots, outputs: Slots): boolean;
  /** Index of the input that counts in addition to the condition; 0 if all inputs count. */
  chosen(inputs: Slots): 0 | 1 | 2;
  reset(): void;
}

/** A stateless transformation that reads all of its inputs. */
export abstract class PlainProgram implements TransformProgram {
  abstract run(inputs: Slots, outputs: Slots): boolean;

  chosen(_inputs: Slots): 0 | 1 | 2 {
    return 0;
  }

  reset(): void {}
}

type Range = readonly [number, number];

const ranges: Readonly<Record<SignalType, Range | null>> = {
  bool: [0, 2],
  int64: [-(2 ** 63), 2 ** 63],
  uint64: [0, 2 ** 64],
  enum: [-(2 ** 63), 2 ** 63],
  float64: null,
};

export const outputRange = (type: SignalType): Range | null => ranges[type];

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

  settleNumber(outputs: Slots, slot: number): boolean {
    const value = outputs.numbers[slot] as number;
    outputs.wide[slot] = null;
    // Turns −0 into 0.
    if (value === 0) outputs.numbers[slot] = 0;
    if (!this.isInteger) return Number.isFinite(value);
    if (!Number.isInteger(value) || value < this.#least || value >= this.#end) return false;
    if (!Number.isSafeInteger(value)) outputs.wide[slot] = BigInt(value);
    return true;
  }

  /** Accepts an integer of any size. A double must represent it exactly. */
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

  settleCopy(outputs: Slots, slot: number, inputs: Slots, input: number): boolean {
    const wide = inputs.wide[input] as bigint | null;
    if (wide !== null) return this.settleInteger(outputs, slot, wide);
    outputs.numbers[slot] = inputs.numbers[input] as number;
    return this.settleNumber(outputs, slot);
  }
}

export type RealFunction = (operands: Float64Array, results: Float64Array) => void;

/** Runs a function of doubles. Integers are converted to the nearest double. */
export class RealProgram extends PlainProgram {
  readonly #function: RealFunction;
  readonly #operands: Float64Array;
  readonly #checks: readonly OutputCheck[];

  constructor(real: RealFunction, inputCount: number, outputs: readonly SignalType[]) {
    super();
    this.#function = real;
    this.#operands = new Float64Array(inputCount);
    this.#checks = outputs.map((type) => new OutputCheck(type));
  }

  run(inputs: Slots, outputs: Slots): boolean {
    const operands = this.#operands;
    for (let input = 0; input < operands.length; input++) {
      // Adding 0 turns −0 into 0.
      operands[input] = inputs.double(input) + 0;
    }
    this.#function(operands, outputs.numbers);
    for (let output = 0; output < this.#checks.length; output++) {
      if (!(this.#checks[output] as OutputCheck).settleNumber(outputs, output)) return false;
    }
    return true;
  }
}

export const failed = 0;
export const done = 1;
/** An intermediate number exceeded ±(2^53 − 1), where only bigints are exact. */
export const beyond = 2;
type Outcome = typeof failed | typeof done | typeof beyond;

export interface Quotient {
  readonly dividend: bigint;
  readonly divisor: bigint;
}

export interface IntegerFunction {
  /**
   * Writes its result to `results[0]`. All numbers, including intermediate ones, are exact
   * integers up to 2^53 − 1.
   */
  readonly narrow: (numbers: Float64Array, count: number, results: Float64Array) => Outcome;
  /** The same for integers of any size; null if the result is undefined. */
  readonly wide: (values: readonly bigint[]) => bigint | Quotient | null;
}

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
