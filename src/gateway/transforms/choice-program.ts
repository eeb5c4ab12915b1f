import type { SignalType } from '../project/tables/signals.ts';
import type { Slots } from '../values/slots.ts';
import { OutputCheck } from './output-check.ts';
import { PlainProgram, type TransformProgram } from './transform-program.ts';

/** Whether one input is less than another, exactly: bigints and numbers are compared as they are. */
const isLess = ({ numbers, wide }: Slots, one: number, other: number): boolean => {
  const wideOne = wide[one] as bigint | null;
  const wideOther = wide[other] as bigint | null;
  const numberOne = numbers[one] as number;
  const numberOther = numbers[other] as number;
  if (wideOne === null) {
    return wideOther === null ? numberOne < numberOther : numberOne < wideOther;
  }
  return wideOther === null ? wideOne < numberOther : wideOne < wideOther;
};

/** The only input as it is. */
export class CopyProgram extends PlainProgram {
  readonly #check: OutputCheck;

  constructor(output: SignalType) {
    super();
    this.#check = new OutputCheck(output);
  }

  run(inputs: Slots, outputs: Slots): boolean {
    return this.#check.settleCopy(outputs, 0, inputs, 0);
  }
}

/** The least or the largest of the inputs. */
export class ExtremeProgram extends PlainProgram {
  readonly #count: number;
  readonly #wantsLess: boolean;
  readonly #check: OutputCheck;

  constructor(name: 'min' | 'max', inputCount: number, output: SignalType) {
    super();
    this.#count = inputCount;
    this.#wantsLess = name === 'min';
    this.#check = new OutputCheck(output);
  }

  run(inputs: Slots, outputs: Slots): boolean {
    let best = 0;
    for (let input = 1; input < this.#count; input++) {
      const isBetter = this.#wantsLess ? isLess(inputs, input, best) : isLess(inputs, best, input);
      if (isBetter) best = input;
    }
    return this.#check.settleCopy(outputs, 0, inputs, best);
  }
}

/** The second input where the first one is 1, else the third one. */
export class SelectProgram implements TransformProgram {
  readonly #check: OutputCheck;

  constructor(output: SignalType) {
    this.#check = new OutputCheck(output);
  }

  run(inputs: Slots, outputs: Slots): boolean {
    return this.#check.settleCopy(outputs, 0, inputs, this.chosen(inputs));
  }

  chosen(inputs: Slots): 1 | 2 {
    return inputs.numbers[0] === 1 ? 1 : 2;
  }

  reset(): void {}
}
