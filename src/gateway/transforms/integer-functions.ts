import type { MathFunction } from '../project/tables/mappings.ts';
import { beyond, done, failed, type IntegerFunction, type Quotient } from './transform-program.ts';

const max = Number.MAX_SAFE_INTEGER;
const isExact = (value: number): boolean => value <= max && value >= -max;

const at = (numbers: Float64Array, index: number): number => numbers[index] as number;
const first = (values: readonly bigint[]): bigint => values[0] as bigint;
const second = (values: readonly bigint[]): bigint => values[1] as bigint;

const quotientOf = (dividend: bigint, divisor: bigint): bigint | Quotient | null => {
  if (divisor === 0n) return null;
  return dividend % divisor === 0n ? dividend / divisor : { dividend, divisor };
};

const add: IntegerFunction = {
  narrow: (numbers, count, results) => {
    let sum = 0;
    for (let index = 0; index < count; index++) {
      sum += at(numbers, index);
      if (!isExact(sum)) return beyond;
    }
    results[0] = sum;
    return done;
  },
  wide: (values) => values.reduce((sum, value) => sum + value, 0n),
};

const sub: IntegerFunction = {
  narrow: (numbers, _count, results) => {
    const difference = at(numbers, 0) - at(numbers, 1);
    results[0] = difference;
    return isExact(difference) ? done : beyond;
  },
  wide: (values) => first(values) - second(values),
};

const mul: IntegerFunction = {
  narrow: (numbers, count, results) => {
    let product = 1;
    for (let index = 0; index < count; index++) {
      product *= at(numbers, index);
      if (!isExact(product)) return beyond;
    }
    results[0] = product;
    return done;
  },
  wide: (values) => values.reduce((product, value) => product * value, 1n),
};

/** `isWhole` rejects a quotient that is not an integer. Near 2^53 it could round to one. */
const div = (isWhole: boolean): IntegerFunction => ({
  narrow: (numbers, _count, results) => {
    const dividend = at(numbers, 0);
    const divisor = at(numbers, 1);
    if (divisor === 0 || (isWhole && dividend % divisor !== 0)) return failed;
    results[0] = dividend / divisor;
    return done;
  },
  wide: (values) => quotientOf(first(values), second(values)),
});

const average = (isWhole: boolean): IntegerFunction => ({
  narrow: (numbers, count, results) => {
    if (add.narrow(numbers, count, results) === beyond) return beyond;
    const sum = at(results, 0);
    if (isWhole && sum % count !== 0) return failed;
    results[0] = sum / count;
    return done;
  },
  wide: (values) =>
    quotientOf(
      values.reduce((sum, value) => sum + value, 0n),
      BigInt(values.length),
    ),
});

const mod: IntegerFunction = {
  narrow: (numbers, _count, results) => {
    const divisor = at(numbers, 1);
    if (divisor === 0) return failed;
    results[0] = at(numbers, 0) % divisor;
    return done;
  },
  wide: (values) => (second(values) === 0n ? null : first(values) % second(values)),
};

/** Every double is below 2^1024, and 2^-1074 is the smallest above 0. */
const maxBits = 1100;

/** Powers beyond the range of doubles are not computed, because they could take forever. */
const powerOf = (base: bigint, exponent: bigint): bigint | Quotient | null => {
  if (exponent === 0n || base === 1n) return 1n;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (base === 0n) return exponent > 0n ? 0n : null;
  const steps = exponent < 0n ? -exponent : exponent;
  const magnitude = base < 0n ? -base : base;
  // 2^(bits − 1) is the smallest number with this many bits.
  const isHuge = BigInt(magnitude.toString(2).length - 1) * steps > maxBits;
  if (exponent > 0n) return isHuge ? null : base ** steps;
  return { dividend: isHuge ? 0n : 1n, divisor: isHuge ? 1n : base ** steps };
};

/** At step 53, even a power of 2 is beyond the limit. */
const maxSteps = 53;

const powerOfUnit = (base: number, exponent: number): number => {
  if (base === 0) return exponent === 0 ? 1 : 0;
  return base === 1 || exponent % 2 === 0 ? 1 : -1;
};

const pow = (isWhole: boolean): IntegerFunction => ({
  narrow: (numbers, _count, results) => {
    const base = at(numbers, 0);
    const exponent = at(numbers, 1);
    if (Math.abs(base) <= 1) {
      if (base === 0 && exponent < 0) return failed;
      results[0] = powerOfUnit(base, exponent);
      return done;
    }
    if (isWhole && exponent < 0) return failed;
    const steps = Math.abs(exponent);
    if (steps > maxSteps) return beyond;
    let power = 1;
    for (let step = 0; step < steps; step++) {
      power *= base;
      if (!isExact(power)) return beyond;
    }
    results[0] = exponent < 0 ? 1 / power : power;
    return done;
  },
  wide: (values) => powerOf(first(values), second(values)),
});

const abs: IntegerFunction = {
  narrow: (numbers, _count, results) => {
    results[0] = Math.abs(at(numbers, 0));
    return done;
  },
  wide: (values) => (first(values) < 0n ? -first(values) : first(values)),
};

const neg: IntegerFunction = {
  narrow: (numbers, _count, results) => {
    results[0] = -at(numbers, 0);
    return done;
  },
  wide: (values) => -first(values),
};

export const integerLinear = (k: number, b: number): IntegerFunction => {
  const factor = BigInt(k);
  const summand = BigInt(b);
  return {
    narrow: (numbers, _count, results) => {
      const product = k * at(numbers, 0);
      const sum = product + b;
      results[0] = sum;
      return isExact(product) && isExact(sum) ? done : beyond;
    },
    wide: (values) => factor * first(values) + summand,
  };
};

const arithmetic = { add, sub, mul, mod, abs, neg } as const;

export const integerArithmetic = (
  name: MathFunction,
  isWholeOutput: boolean,
): IntegerFunction | undefined => {
  if (name === 'div') return div(isWholeOutput);
  if (name === 'pow') return pow(isWholeOutput);
  if (name === 'average') return average(isWholeOutput);
  return name in arithmetic ? arithmetic[name as keyof typeof arithmetic] : undefined;
};
