import type { Transform } from '../project/tables/mappings.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { Slots } from '../values/slots.ts';
import { coordinateFunction } from './coordinates.ts';
import { RealProgram } from './real-program.ts';
import { PlainProgram } from './transform-program.ts';

type Coordinate = Extract<Transform, { kind: 'coordinate' }>;

const lengths: readonly string[] = ['cartesian_to_polar', 'cartesian_to_spherical'];

/** Whether an integer is the length of a vector of integers. */
const isLength = (length: number, vector: Slots, count: number): boolean => {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += vector.double(index) ** 2;
  if (sum <= Number.MAX_SAFE_INTEGER) return length * length === sum;
  let squares = 0n;
  for (let index = 0; index < count; index++) squares += vector.integer(index) ** 2n;
  return BigInt(length) ** 2n === squares;
};

/**
 * Other coordinates. An integer among them must be one: beyond 2^53 every double looks like it, and so
 * does a length that is rounded to the next one.
 */
export class CoordinateProgram extends PlainProgram {
  readonly #real: RealProgram;
  readonly #inputCount: number;
  readonly #outputCount: number;
  readonly #checksLength: boolean;

  constructor(
    transform: Coordinate,
    inputs: readonly SignalType[],
    outputs: readonly SignalType[],
  ) {
    super();
    this.#real = new RealProgram(coordinateFunction(transform), inputs.length, outputs);
    this.#inputCount = inputs.length;
    this.#outputCount = outputs.length;
    const areIntegers = outputs[0] !== 'float64' && !inputs.includes('float64');
    this.#checksLength = areIntegers && lengths.includes(transform.function);
  }

  run(inputs: Slots, outputs: Slots): boolean {
    if (!this.#real.run(inputs, outputs)) return false;
    for (let output = 0; output < this.#outputCount; output++) {
      if (outputs.wide[output] !== null) return false;
    }
    if (!this.#checksLength) return true;
    return isLength(outputs.numbers[0] as number, inputs, this.#inputCount);
  }
}
