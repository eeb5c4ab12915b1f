import { coordinates } from './coordinates.ts';
import type { SignalType, TransformRow } from './project.ts';
import { rational } from './rational.ts';
import { compareValues, parseValue, type Result, type Value, valueOfResult } from './values.ts';

/** State of a mapping between evaluations: the side of its threshold. */
export interface TransformMemory {
  isAbove: boolean;
}

type Doubles = (...inputs: number[]) => number;

const isInteger = (value: Value | undefined): value is bigint => typeof value === 'bigint';

/** Halves are rounded away from zero. The difference to the integer is exact. */
const roundDouble = (x: number): number => {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
};

const sum = (inputs: readonly bigint[]): bigint => inputs.reduce((a, b) => a + b, 0n);

/** No double exceeds 2^1024, and none but 0 is below 2^-1074: such powers are not computed. */
const maxBits = 1100n;

const power = (base: bigint, exponent: bigint): Result | undefined => {
  if (exponent === 0n || base === 1n) return 1n;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (base === 0n) return exponent > 0n ? 0n : undefined;
  const steps = exponent < 0n ? -exponent : exponent;
  const bits = BigInt(base.toString(2).replace('-', '').length - 1);
  if (exponent > 0n) return bits * steps > maxBits ? undefined : base ** steps;
  return rational(1n, base ** (bits * steps > maxBits ? maxBits : steps));
};

/** Functions that are exact on integers; undefined if there is no result. */
const onIntegers: Readonly<Record<string, (inputs: readonly bigint[]) => Result | undefined>> = {
  add: sum,
  mul: (inputs) => inputs.reduce((a, b) => a * b, 1n),
  average: (inputs) => rational(sum(inputs), BigInt(inputs.length)),
  sub: ([a = 0n, b = 0n]) => a - b,
  div: ([a = 0n, b = 0n]) => (b === 0n ? undefined : rational(a, b)),
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

const rootOf = (square: bigint): bigint | undefined => {
  const near = BigInt(Math.round(Math.sqrt(Math.max(0, Number(square)))));
  return [near - 1n, near, near + 1n].find((root) => root * root === square);
};

/** Functions with an integer result for exactly one integer. */
const onlyAt =
  (input: bigint, result: bigint) =>
  ([a]: readonly bigint[]): bigint | undefined =>
    a === input ? result : undefined;

/** Other functions with integer results; a double could only look like one. */
const toIntegers: Readonly<Record<string, (inputs: readonly bigint[]) => bigint | undefined>> = {
  sqrt: ([a = 0n]) => rootOf(a),
  log10: ([a = 0n]) => (/^10*$/.test(a.toString()) ? BigInt(a.toString().length - 1) : undefined),
  exp: onlyAt(0n, 1n),
  ln: onlyAt(1n, 0n),
  sin: onlyAt(0n, 0n),
  cos: onlyAt(0n, 1n),
  tan: onlyAt(0n, 0n),
  asin: onlyAt(0n, 0n),
  acos: onlyAt(1n, 0n),
  atan: onlyAt(0n, 0n),
  atan2: ([y = 0n, x = 0n]) => (y === 0n && x >= 0n ? 0n : undefined),
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

const math = (name: string, inputs: readonly Value[], type: SignalType): Result | undefined => {
  // Minimum and maximum equal one of the inputs, so nothing is computed.
  if (name === 'min') return inputs.reduce((a, b) => (compareValues(b, a) < 0 ? b : a));
  if (name === 'max') return inputs.reduce((a, b) => (compareValues(b, a) > 0 ? b : a));
  if (name === 'select') return inputs[0] === 1n ? inputs[1] : inputs[2];
  const exact = onIntegers[name] ?? (type === 'float64' ? undefined : toIntegers[name]);
  if (exact !== undefined && inputs.every(isInteger)) return exact(inputs);
  return onDoubles[name]?.(...inputs.map(Number));
};

/** k × x + b: exact for integers, else in doubles. */
const linear = ({ k = 1, b = 0 }: TransformRow, x: Value): Value => {
  if (isInteger(x) && Number.isInteger(k) && Number.isInteger(b)) {
    return BigInt(k) * x + BigInt(b);
  }
  return k * Number(x) + b;
};

/** Exact for integers, else in doubles. */
const difference = (a: number, b: number, x: Value): Value =>
  isInteger(x) && Number.isInteger(a) && Number.isInteger(b) ? BigInt(a) - BigInt(b) : a - b;

const threshold = (
  { threshold: limit = 0, hysteresis = 0, above = '1', below = '0' }: TransformRow,
  x: Value,
  type: SignalType,
  memory: TransformMemory,
): Value | undefined => {
  const turn = memory.isAbove ? difference(limit, hysteresis, x) : limit;
  memory.isAbove = compareValues(x, turn) >= 0;
  return parseValue(type, memory.isAbove ? above : below);
};

/** The results for outputs of these types; undefined if one cannot be represented. */
export const runTransform = (
  transform: TransformRow,
  inputs: readonly Value[],
  types: readonly SignalType[],
  memory: TransformMemory,
): readonly Value[] | undefined => {
  const [x = 0n] = inputs;
  const [type = 'float64'] = types;
  let results: readonly (Result | undefined)[];
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
      results = [math(transform.function ?? '', inputs, type)];
      break;
    default:
      results = coordinates(transform, inputs.map(Number));
  }
  const values = results.map((result, place) =>
    result === undefined ? undefined : valueOfResult(types[place] ?? 'float64', result),
  );
  return values.every((value) => value !== undefined) ? values : undefined;
};
