import type { Slots } from '../values/slots.ts';
import { PlainProgram } from './transform-program.ts';

export const logicFunctions = ['and', 'or', 'xor', 'not'] as const;
export type LogicFunction = (typeof logicFunctions)[number];

/** Which numbers of ones among so many inputs give 1. */
const isTrue = (name: LogicFunction, ones: number, count: number): boolean => {
  switch (name) {
    case 'and':
      return ones === count;
    case 'or':
      return ones > 0;
    case 'xor':
      return ones % 2 === 1;
    case 'not':
      return ones === 0;
  }
};

/** A function of bools: how many of them are 1 decides. */
export class LogicProgram extends PlainProgram {
  readonly #name: LogicFunction;
  readonly #count: number;

  constructor(name: LogicFunction, inputCount: number) {
    super();
    this.#name = name;
    this.#count = inputCount;
  }

  run(inputs: Slots, outputs: Slots): boolean {
    let ones = 0;
    for (let input = 0; input < this.#count; input++) {
      if (inputs.numbers[input] === 1) ones += 1;
    }
    outputs.setNumber(0, isTrue(this.#name, ones, this.#count) ? 1 : 0);
    return true;
  }
}
