import { coordinates } from './coordinates.ts';
import type { SignalType, TransformRow } from './project.ts';
import { add, divide, isWhole, nearestDouble, type Rational, rational } from './rational.ts';
import { compareValues, parseValue, type Value, valueOfResult } from './values.ts';

/** What a mapping keeps from one evaluation to the next: on which side of its threshold it is. */
export interface TransformMemory {
  isAbove: boolean;
}

type Doubles = (...inputs: number[]) => number;

const isInteger = (value: Value | undefined): value is bigint => typeof value === 'bigint';

/** A result of exact calculation: the integer, or the nearest double of a fraction. */
const resultOf = (exact: Rational): Value =>
  isWhole(exact) ? exact.n / exact.d : nearestDouble(exact);

/** Halves go away from zero. The difference to the integer is exact. */
const roundDouble = (x: number): number => {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
};

const sum = (inputs: readonly bigint[]): bigint => inputs.reduce((a, b) => a + b, 0n);

/** Powers beyond 64 bits are errors whatever takes them. */
const power = (base: bigint, exponent: bigint): Value | undefined => {
  if (exponent < 0n) return Number(base) ** Number(exponent);
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (exponent > 64n) return undefined;
  const result = base ** exponent;
  return result >= -(2n ** 63n) && result < 2n ** 64n ? result : undefined;
};

/** Functions that are exact on integers; undefined where there is no result. */
const onIntegers: Readonly<Record<string, (inputs: readonly bigint[]) => Value | undefined>> = {
  add: sum,
  mul: (inputs) => inputs.reduce((a, b) => a * b, 1n),
  average: (inputs) => resultOf(rational(sum(inputs), BigInt(inputs.length))),
  sub: ([a = 0n, b = 0n]) => a - b,
  div: ([a = 0n, b = 0n]) => (b === 0n ? undefined : resultOf(divide(rational(a), rational(b)))),
  mod: ([a = 0n, b = 0n]) => (b === 0n ? undefined : a % b),
  pow: ([a = 0n, b = 0n]) => power(a, b),
  abs: ([a = 0n]) => (a < 0n ? -a : a),
  neg: ([a = 0n]) => -a,
  floor: ([a]) => a,
  ceil: ([a]) => a,
  round: ([a]) => a,
  and: (inputs) => (inputs.every((input) => input === 1n) ? 1n : 0n),
  or: (inputs) => (inputs.some((input) => input === 1n) ? 1n : 0n),
  xor: (inputs) => sum(inputs) % 2n,
  not: ([a]) => (a === 0n ? 1n : 0n),
};

/** The same and all others in doubles. */
const onDoubles: Readonly<Record<string, Doubles>> = {
  add: (...inputs) => inputs.reduce((a, b) => a + b),
  mul: (...inputs) => inputs.reduce((a, b) => a * b),
  average: (...inputs) => inputs.reduce((a, b) => a + b) / inputs.length,
  sub: (a = 0, b = 0) => a - b,
  div: (a = 0, b = 0) => (b === 0 ? Number.NaN : a / b),
  mod: (a = 0, b = 0) => a % b,
  pow: (a = 0, b = 0) => a ** b,
  atan2: (y = 0, x = 0) => Math.atan2(y, x),
  abs: Math.abs,
  neg: (a = 0) => -a,
  sqrt: Math.sqrt,
  exp: Math.exp,
  ln: Math.log,
  log10: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  floor: Math.floor,
  ceil: Math.ceil,
  round: (a = 0) => roundDouble(a),
} as Readonly<Record<string, Doubles>>;

const math = (name: string, inputs: readonly Value[]): Value | undefined => {
  // The least and the largest are one of the inputs, so nothing needs to be computed.
  if (name === 'min') return inputs.reduce((a, b) => (compareValues(b, a) < 0 ? b : a));
  if (name === 'max') return inputs.reduce((a, b) => (compareValues(b, a) > 0 ? b : a));
  if (name === 'select') return inputs[0] === 1n ? inputs[1] : inputs[2];
  const exact = onIntegers[name];
  if (exact !== undefined && inputs.every(isInteger)) return exact(inputs);
  return onDoubles[name]?.(...inputs.map(Number));
};

/** k × x + b: exact for integers, else in doubles. */
const linear = ({ k = 1, b = 0 }: TransformRow, x: Value): Value => {
  if (isInteger(x) && Number.isInteger(k) && Number.isInteger(b)) {
    const exact = add(rational(BigInt(k) * x), rational(BigInt(b)));
    return exact.n;
  }
  return k * Number(x) + b;
};

const threshold = (
  { threshold: limit = 0, hysteresis = 0, above = '1', below = '0' }: TransformRow,
  x: Value,
  type: SignalType,
  memory: TransformMemory,
): Value | undefined => {
  memory.isAbove = memory.isAbove
    ? compareValues(x, limit - hysteresis) >= 0
    : compareValues(x, limit) >= 0;
  return parseValue(type, memory.isAbove ? above : below);
};

/** The results for outputs of these types; undefined if one of them cannot be represented. */
export const runTransform = (
  transform: TransformRow,
  inputs: readonly Value[],
  types: readonly SignalType[],
  memory: TransformMemory,
): readonly Value[] | undefined => {
  const [x = 0n] = inputs;
  const [type = 'float64'] = types;
  let results: readonly (Value | undefined)[];
  switch (transform.kind) {
    case 'identity':
      results = [x];
      break;
    case 'linear':
      results = [linear(transform, x)];
      break;
    case 'threshold':
      results = [threshold(transform, x, type, memory)];
      break;
    case 'math':
      results = [math(transform.function ?? '', inputs)];
      break;
    default:
      results = coordinates(transform, inputs.map(Number));
  }
  const values = results.map((result, place) =>
    result === undefined ? undefined : valueOfResult(types[place] ?? 'float64', result),
  );
  return values.every((value) => value !== undefined) ? values : undefined;
};
