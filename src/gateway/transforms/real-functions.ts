import type { MathFunction } from '../project/tables/mappings.ts';
import type { RealFunction } from './transform-program.ts';

const at = (numbers: Float64Array, index: number): number => numbers[index] as number;

const add: RealFunction = (operands, results) => {
  let sum = 0;
  for (let index = 0; index < operands.length; index++) sum += at(operands, index);
  results[0] = sum;
};

const mul: RealFunction = (operands, results) => {
  let product = 1;
  for (let index = 0; index < operands.length; index++) product *= at(operands, index);
  results[0] = product;
};

const average: RealFunction = (operands, results) => {
  add(operands, results);
  results[0] = at(results, 0) / operands.length;
};

/** Rounds half away from zero. The fraction is exact, unlike a sum with one half. */
const round: RealFunction = (operands, results) => {
  const value = at(operands, 0);
  const whole = Math.trunc(value);
  const isUp = Math.abs(value - whole) >= 0.5;
  results[0] = isUp ? whole + Math.sign(value) : whole;
};

const functions: Readonly<Partial<Record<MathFunction, RealFunction>>> = {
  add,
  mul,
  average,
  round,
  sub: (operands, results) => {
    results[0] = at(operands, 0) - at(operands, 1);
  },
  div: (operands, results) => {
    results[0] = at(operands, 0) / at(operands, 1);
  },
  mod: (operands, results) => {
    results[0] = at(operands, 0) % at(operands, 1);
  },
  pow: (operands, results) => {
    results[0] = at(operands, 0) ** at(operands, 1);
  },
  atan2: (operands, results) => {
    results[0] = Math.atan2(at(operands, 0), at(operands, 1));
  },
  abs: (operands, results) => {
    results[0] = Math.abs(at(operands, 0));
  },
  neg: (operands, results) => {
    results[0] = -at(operands, 0);
  },
  sqrt: (operands, results) => {
    results[0] = Math.sqrt(at(operands, 0));
  },
  exp: (operands, results) => {
    results[0] = Math.exp(at(operands, 0));
  },
  ln: (operands, results) => {
    results[0] = Math.log(at(operands, 0));
  },
  log10: (operands, results) => {
    results[0] = Math.log10(at(operands, 0));
  },
  sin: (operands, results) => {
    results[0] = Math.sin(at(operands, 0));
  },
  cos: (operands, results) => {
    results[0] = Math.cos(at(operands, 0));
  },
  tan: (operands, results) => {
    results[0] = Math.tan(at(operands, 0));
  },
  asin: (operands, results) => {
    results[0] = Math.asin(at(operands, 0));
  },
  acos: (operands, results) => {
    results[0] = Math.acos(at(operands, 0));
  },
  atan: (operands, results) => {
    results[0] = Math.atan(at(operands, 0));
  },
  floor: (operands, results) => {
    results[0] = Math.floor(at(operands, 0));
  },
  ceil: (operands, results) => {
    results[0] = Math.ceil(at(operands, 0));
  },
};

export const realArithmetic = (name: MathFunction): RealFunction | undefined => functions[name];

export const realLinear =
  (k: number, b: number): RealFunction =>
  (operands, results) => {
    results[0] = k * at(operands, 0) + b;
  };
