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

/** Returns the lower limit: exact for integers with whole parameters, otherwise a double. */
const lowerLimit = ({ threshold, hysteresis }: Threshold, input: SignalType): number | bigint => {
  const isWhole =
    input !== 'float64' && Number.isInteger(threshold) && Number.isInteger(hysteresis);
  return isWhole ? BigInt(threshold) - BigInt(hysteresis) : threshold - hysteresis;
};

/** Outputs one of two values, with hysteresis. The initial state is below. */
class ThresholdProgram extends PlainProgram {
  readonly #threshold: number;
  readonly #lower: Slots;
  readonly #levels: Slots;
  #state: typeof below | typeof above = below;

  constructor(transform: Threshold, input: SignalType, output: SignalType) {
    super();
    this.#threshold = transform.threshold;
    this.#lower = new Slots(1);
    this.#lower.setValue(0, lowerLimit(transform, input));
    this.#levels = new Slots(2);
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

  #isReached({ numbers, wide }: Slots): boolean {
    const value = wide[0] as bigint | null;
    return value === null ? (numbers[0] as number) >= this.#threshold : value >= this.#threshold;
  }

  #isLeft({ numbers, wide }: Slots): boolean {
    const value = wide[0] as bigint | null;
    const limit = this.#lower.wide[0] as bigint | null;
    const number = numbers[0] as number;
    const limitNumber = this.#lower.numbers[0] as number;
    if (value === null) return limit === null ? number < limitNumber : number < limit;
    return limit === null ? value < limitNumber : value < limit;
  }
}

const integerRoot = (value: bigint): bigint => {
  let root = BigInt(Math.floor(Math.sqrt(Number(value))));
  // Above 53 bits, the double can be off by a few.
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

const onlyAt = (input: number, result: number): IntegerFunction => ({
  narrow: (numbers, _count, results) => {
    results[0] = result;
    return numbers[0] === input ? done : failed;
  },
  wide: () => null,
});

/** Among integers, only the angle 0 is an integer. */
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
 * Functions that rarely have integer results. A double can look like an integer although the
 * result is not: beyond 2^53 all doubles do.
 */
const integerRootFunction = (name: MathFunction): IntegerFunction | undefined => functions[name];

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

/** Returns the second input if the first is 1, otherwise the third. */
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

const isLength = (length: number, vector: Slots, count: number): boolean => {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += vector.double(index) ** 2;
  if (sum <= Number.MAX_SAFE_INTEGER) return length * length === sum;
  let squares = 0n;
  for (let index = 0; index < count; index++) squares += vector.integer(index) ** 2n;
  return BigInt(length) ** 2n === squares;
};

/**
 * Converts coordinates. An integer result must be exact: beyond 2^53 every double looks like an
 * integer, and so does a rounded length.
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

const compileWhole = (
  name: MathFunction,
  inputs: Types,
  output: SignalType,
): TransformProgram | undefined => {
  // Rounding an integer changes nothing.
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

export type BuiltInTransform = Exclude<Transform, { kind: 'native' }>;

/**
 * Compiles a validated transformation for signals of these types. Functions of integers with
 * whole parameters are exact; all others use doubles.
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
