import type { MathFunction } from '../project/tables/mappings.ts';
import { done, failed, type IntegerFunction } from './integer-program.ts';

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
export const integerRootFunction = (name: MathFunction): IntegerFunction | undefined =>
  functions[name];
