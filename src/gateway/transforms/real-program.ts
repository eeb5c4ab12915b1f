import type { SignalType } from '../project/tables/signals.ts';
import type { Slots } from '../values/slots.ts';
import { OutputCheck } from './output-check.ts';
import { PlainProgram } from './transform-program.ts';

/** A function of doubles: writes as many results as it has. */
export type RealFunction = (operands: Float64Array, results: Float64Array) => void;

/** A function of doubles for signals of certain types; an integer enters as the nearest double. */
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
      // Adding 0 makes the one zero of both.
      operands[input] = inputs.double(input) + 0;
    }
    this.#function(operands, outputs.numbers);
    for (let output = 0; output < this.#checks.length; output++) {
      if (!(this.#checks[output] as OutputCheck).settleNumber(outputs, output)) return false;
    }
    return true;
  }
}
