import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { MathFunction, Transform } from '../project/tables/mappings.ts';
import type { SignalType } from '../project/tables/signals.ts';
import { CopyProgram, ExtremeProgram, SelectProgram } from './choice-program.ts';
import { CoordinateProgram } from './coordinate-program.ts';
import { integerArithmetic, integerLinear } from './integer-functions.ts';
import { IntegerProgram } from './integer-program.ts';
import { integerRootFunction } from './integer-roots.ts';
import { type LogicFunction, LogicProgram, logicFunctions } from './logic-program.ts';
import { realArithmetic, realLinear } from './real-functions.ts';
import { RealProgram } from './real-program.ts';
import { ThresholdProgram } from './threshold-program.ts';
import type { TransformProgram } from './transform-program.ts';

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
