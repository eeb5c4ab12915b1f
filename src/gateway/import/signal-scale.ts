import { parseDecimal } from '../../base/decimal/decimal.ts';
import { LinearScale } from '../../base/decimal/linear-scale.ts';
import { toInteger } from '../../database/decimal.ts';
import type { DecimalText, Signal } from '../../database/model.ts';
import { isFloat, rawSpanOf } from '../../database/raw-span.ts';
import type { SignalType } from '../project/tables/signals.ts';

/** How raws of a signal become values in a project, where factor and offset are doubles. */
export interface SignalScale {
  readonly factor: number;
  readonly offset: number;
  /** The same, exact in the digits in which the project writes them. */
  readonly linear: LinearScale;
}

const shortest = (value: number) => parseDecimal(String(value)) ?? { coefficient: 0n, exponent: 0 };

/**
 * Whether a double is what a text says where that matters: whole values must not be off by some. Of
 * fractions, and of what only float64 can hold, the nearest double will do.
 */
const isHeld = (text: DecimalText, value: number): boolean =>
  Number.isSafeInteger(value) ||
  !Number.isInteger(value) ||
  Math.abs(value) > 2 ** 64 ||
  toInteger(text) === BigInt(value);

/** The scale of a signal; a sentence where there is none. */
export const scaleOf = (signal: Signal): SignalScale | string => {
  // Beside the reader's texts -0 counts as 0.
  const factor = Number(signal.factor) + 0;
  const offset = Number(signal.offset) + 0;
  if (factor === 0) return 'has the factor 0';
  if (!Number.isFinite(factor) || !Number.isFinite(offset)) {
    return 'has a factor or an offset beyond all doubles';
  }
  if (!isHeld(signal.factor, factor) || !isHeld(signal.offset, offset)) {
    return 'has a factor or an offset that no double holds';
  }
  const linear = new LinearScale(shortest(factor), shortest(offset));
  if (!isFloat(signal)) {
    const { lowest, highest } = rawSpanOf(signal);
    const ends = [linear.textOf(lowest), linear.textOf(highest)].map(Number);
    if (!ends.every(Number.isFinite)) return 'has values beyond all doubles';
  }
  return { factor, offset, linear };
};

const lowestInt64 = -(2n ** 63n);
const highestInt64 = 2n ** 63n - 1n;
const highestUint64 = 2n ** 64n - 1n;

/** The exact type that holds every value of a signal. */
export const typeOf = (signal: Signal, { factor, offset, linear }: SignalScale): SignalType => {
  if (isFloat(signal) || !Number.isInteger(factor) || !Number.isInteger(offset)) return 'float64';
  if (signal.kind === 'unsigned' && signal.length === 1 && linear.isIdentity) return 'bool';
  const { lowest, highest } = rawSpanOf(signal);
  const [one, other] = [BigInt(linear.textOf(lowest)), BigInt(linear.textOf(highest))];
  const [least, most] = one < other ? [one, other] : [other, one];
  if (least >= 0n) return most <= highestUint64 ? 'uint64' : 'float64';
  return least >= lowestInt64 && most <= highestInt64 ? 'int64' : 'float64';
};
