import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { MathFunction, Transform } from '../project/tables/mappings.ts';
import type { SignalType } from '../project/tables/signals.ts';
import { parseValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import { coordinateFunction } from './coordinates.ts';
import { integerArithmetic, integerLinear } from './integer-functions.ts';
import { realArithmetic, realLinear } from './real-functions.ts';
import {
  done,
  failed,
  type IntegerFunction,
  IntegerProgram,
  OutputCheck,
  PlainProgram,
  RealProgram,
  type TransformProgram,
} from './transform-program.ts';

type Threshold = Extract<Transform, { kind: 'threshold' }>;

const below = 0;

const above = 1;

/** Where the lower limit lies: exactly for integers and whole parameters, else as a double. */
const lowerLimit = ({ threshold, hysteresis }: Threshold, input: SignalType): number | bigint => {
  const isWhole =
    input !== 'float64' && Number.isInteger(threshold) && Number.isInteger(hysteresis);
  return isWhole ? BigInt(threshold) - BigInt(hysteresis) : threshold - hysteresis;
};

/** One of two values, with hysteresis: it begins below. */
class ThresholdProgram extends PlainProgram {
  readonly #threshold: number;
  readonly #lower: Slots;
  /** The values below and above. */
  readonly #levels: Slots;
  #state: typeof below | typeof above = below;

  constructor(transform: Threshold, input: SignalType, output: SignalType) {
    super();
    this.#threshold = transform.threshold;
    this.#lower = new Slots(1);
    this.#lower.setValue(0, lowerLimit(transform, input));
    this.#levels = new Slots(2);
    // A project that was validated has values of the type.
    this.#levels.setValue(below, parseValue(output, transform.below) ?? 0);
    this.#levels.setValue(above, parseValue(output, transform.above) ?? 0);
  }

  run(inputs: Slots, outputs: Slots): boolean {
    if (this.#state === below) {
      if (this.#isReached(inputs)) this.#state = above;
    } else if (this.#isLeft(inputs)) {
      this.#state = below;
    }
    outputs.copyFrom(0, this.#levels, this.#state);
    return true;
  }

  override reset(): void {
    this.#state = below;
  }

  /** Whether the input is at the threshold or above. */
  #isReached({ numbers, wide }: Slots): boolean {
    const value = wide[0] as bigint | null;
    return value === null ? (numbers[0] as number) >= this.#threshold : value >= this.#threshold;
  }

  /** Whether the input is below the lower limit. */
  #isLeft({ numbers, wide }: Slots): boolean {
    const value = wide[0] as bigint | null;
    const limit = this.#lower.wide[0] as bigint | null;
    const number = numbers[0] as number;
    const limitNumber = this.#lower.numbers[0] as number;
    if (value === null) return limit === null ? number < limitNumber : number < limit;
    return limit === null ? value < limitNumber : value < limit;
  }
}

/** The largest integer whose square is not beyond. */
const integerRoot = (value: bigint): bigint => {
  let root = BigInt(Math.floor(Math.sqrt(Number(value))));
  // The double may be off by a few where the integer has more than 53 bits.
  while (root * root > value) root -= 1n;
  while ((root + 1n) * (root + 1n) <= value) root += 1n;
  return root;
};

const sqrt: IntegerFunction = {
  narrow: (numbers, _count, results) => {
    const value = numbers[0] as number;
    const root = Math.sqrt(value);
    results[0] = root;
    return Number.isInteger(root) && root * root === value ? done : failed;
  },
  wide: ([value = 0n]) => {
    if (value < 0n) return null;
    const root = integerRoot(value);
    return root * root === value ? root : null;
  },
};

const log10: IntegerFunction = {
  narrow: (numbers, _count, results) => {
    const value = numbers[0] as number;
    let power = 1;
    let exponent = 0;
    for (; power < value; exponent++) power *= 10;
    results[0] = exponent;
    return power === value ? done : failed;
  },
  wide: ([value = 0n]) => {
    let power = 1n;
    let exponent = 0n;
    for (; power < value; exponent++) power *= 10n;
    return power === value ? exponent : null;
  },
};

/** A function that has an integer result at one integer only. */
const onlyAt = (input: number, result: number): IntegerFunction => ({
  narrow: (numbers, _count, results) => {
    results[0] = result;
    return numbers[0] === input ? done : failed;
  },
  wide: () => null,
});

/** The angle is 0 right of the origin; every other one between integers is a multiple of π or has no end. */
const atan2: IntegerFunction = {
  narrow: (numbers, _count, results) => {
    results[0] = 0;
    return numbers[0] === 0 && (numbers[1] as number) >= 0 ? done : failed;
  },
  wide: ([y = 0n, x = 0n]) => (y === 0n && x >= 0n ? 0n : null),
};

const functions: Readonly<Partial<Record<MathFunction, IntegerFunction>>> = {
  sqrt,
  log10,
  exp: onlyAt(0, 1),
  ln: onlyAt(1, 0),
  sin: onlyAt(0, 0),
  cos: onlyAt(0, 1),
  tan: onlyAt(0, 0),
  asin: onlyAt(0, 0),
  acos: onlyAt(1, 0),
  atan: onlyAt(0, 0),
  atan2,
};

/**
 * Functions whose results are seldom integers, for integers that give one. A double may look like an
 * integer where the result is none: beyond 2^53 all of them do.
 */
const integerRootFunction = (name: MathFunction): IntegerFunction | undefined => functions[name];

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
class CopyProgram extends PlainProgram {
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
class ExtremeProgram extends PlainProgram {
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
class SelectProgram implements TransformProgram {
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
class CoordinateProgram extends PlainProgram {
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

const logicFunctions = ['and', 'or', 'xor', 'not'] as const;

type LogicFunction = (typeof logicFunctions)[number];

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
class LogicProgram extends PlainProgram {
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

type Types = readonly SignalType[];

const isInteger = (type: SignalType): boolean => type !== 'float64';
const areIntegers = (types: Types): boolean => types.every(isInteger);

const isLogic = (name: MathFunction): name is LogicFunction =>
  logicFunctions.includes(name as LogicFunction);

const roundings: readonly MathFunction[] = ['floor', 'ceil', 'round'];

/** The exact form of a function where all inputs are integers; undefined where it has none. */
const compileWhole = (
  name: MathFunction,
  inputs: Types,
  output: SignalType,
): TransformProgram | undefined => {
  // An integer is what it would be rounded to.
  if (roundings.includes(name)) return new CopyProgram(output);
  const whole =
    integerArithmetic(name, isInteger(output)) ??
    (isInteger(output) ? integerRootFunction(name) : undefined);
  return whole && new IntegerProgram(whole, inputs.length, output);
};

const compileMath = (name: MathFunction, inputs: Types, output: SignalType): TransformProgram => {
  if (isLogic(name)) return new LogicProgram(name, inputs.length);
  if (name === 'select') return new SelectProgram(output);
  if (name === 'min' || name === 'max') return new ExtremeProgram(name, inputs.length, output);
  const whole = areIntegers(inputs) ? compileWhole(name, inputs, output) : undefined;
  if (whole) return whole;
  const real = realArithmetic(name);
  if (!real) throw new BusbarError('internal_error', { message: `${name} is not computed` });
  return new RealProgram(real, inputs.length, [output]);
};

const compileLinear = (
  { k, b }: { readonly k: number; readonly b: number },
  input: SignalType,
  output: SignalType,
): TransformProgram => {
  const isWhole = isInteger(input) && Number.isInteger(k) && Number.isInteger(b);
  return isWhole
    ? new IntegerProgram(integerLinear(k, b), 1, output)
    : new RealProgram(realLinear(k, b), 1, [output]);
};

/** A transformation that is ours, and no plugin's. */
export type BuiltInTransform = Exclude<Transform, { kind: 'native' }>;

/**
 * Compiles a transformation of a project that was validated, for signals of these types. Functions of
 * integers with whole parameters are exact, all others are those of doubles.
 */
export const compileTransform = (
  transform: BuiltInTransform,
  inputs: readonly SignalType[],
  outputs: readonly SignalType[],
): TransformProgram => {
  const [input = 'float64'] = inputs;
  const [output = 'float64'] = outputs;
  switch (transform.kind) {
    case 'identity':
      return new CopyProgram(output);
    case 'linear':
      return compileLinear(transform, input, output);
    case 'threshold':
      return new ThresholdProgram(transform, input, output);
    case 'math':
      return compileMath(transform.function, inputs, output);
    case 'coordinate':
      return new CoordinateProgram(transform, inputs, outputs);
  }
};
