import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalText,
  halfOf,
  magnitude,
  negated,
  parseDecimal,
} from '../base/decimal/decimal.ts';
import type { LinearScale } from '../base/decimal/linear-scale.ts';
import type { RawKind } from './model.ts';
import { isFloat, type RawSpan } from './raw-span.ts';

interface Bound {
  readonly number: number;
  readonly exact: Decimal | null;
}

const zero: Decimal = { coefficient: 0n, exponent: 0 };

const boundOf = (limit: Decimal | null, margin: Decimal, without: number): Bound => {
  if (limit === null) return { number: without, exact: null };
  const exact = addDecimals(limit, margin);
  return { number: Number(decimalText(exact)), exact };
};

/**
 * Compares a number with a bound: negative, zero or positive. Rounding to doubles preserves the
 * order but can make two numbers equal; those are compared digit by digit.
 */
const compareTo = ({ number, exact }: Bound, text: string): number => {
  const rounded = Number(text);
  if (rounded !== number) return rounded < number ? -1 : 1;
  const decimal = parseDecimal(text);
  return exact === null || decimal === null ? 0 : compareDecimals(decimal, exact);
};

export interface LimitedSignal {
  readonly kind: RawKind;
  readonly factor: Decimal;
  readonly minimum: Decimal | null;
  readonly maximum: Decimal | null;
}

/**
 * Physical limits of a signal. Equal or reversed limits count as none, because files write
 * `0|0` and similar for that. Files also round limits: with 8 bits and the factor 0.39215686275
 * the highest value is 100.00000000125, and the maximum is 100. So an integer is within a limit
 * if it exceeds it by less than half a step. Floats have no steps.
 */
export class ValueLimits {
  readonly minimum: Decimal | null;
  readonly maximum: Decimal | null;
  readonly #low: Bound;
  readonly #high: Bound;
  readonly #isInclusive: boolean;

  constructor(signal: LimitedSignal) {
    const { factor, minimum, maximum } = signal;
    const isRange = minimum === null || maximum === null || compareDecimals(minimum, maximum) < 0;
    const margin = isFloat(signal) ? zero : halfOf(magnitude(factor));
    this.minimum = isRange ? minimum : null;
    this.maximum = isRange ? maximum : null;
    this.#isInclusive = margin.coefficient === 0n;
    this.#low = boundOf(this.minimum, negated(margin), Number.NEGATIVE_INFINITY);
    this.#high = boundOf(this.maximum, margin, Number.POSITIVE_INFINITY);
  }

  include(value: string): boolean {
    const above = compareTo(this.#low, value);
    const below = compareTo(this.#high, value);
    return this.#isInclusive ? above >= 0 && below <= 0 : above > 0 && below < 0;
  }

  /**
   * Whether a value may be sent that becomes `nearest`. Beyond a limit only values up to one that
   * the file has rounded off the limit: with 0.25 a step, 8000.1 is not rounded to the limit 8000.
   */
  allow(value: Decimal, nearest: Decimal): boolean {
    const { minimum, maximum } = this;
    const isBelow = minimum !== null && compareDecimals(value, minimum) < 0;
    const isAbove = maximum !== null && compareDecimals(value, maximum) > 0;
    if (!isBelow && !isAbove) return true;
    const order = compareDecimals(value, nearest);
    return (isBelow ? order >= 0 : order <= 0) && this.include(decimalText(nearest));
  }
}

/**
 * Raw value to send for a physical value. Returns `nearest` if it is in range. If the database
 * limit was rounded to less than a step beyond the range, returns the end of the range.
 * Otherwise null.
 */
export const heldRaw = (
  { lowest, highest }: RawSpan,
  scale: LinearScale,
  limits: ValueLimits,
  physical: Decimal,
  nearest: bigint,
): bigint | null => {
  if (nearest >= lowest && nearest <= highest) return nearest;
  const end = nearest < lowest ? lowest : highest;
  const isUpper = (end === highest) === scale.factor.coefficient > 0n;
  if ((isUpper ? limits.maximum : limits.minimum) === null) return null;
  if (!limits.include(decimalText(physical))) return null;
  const beyond = magnitude(addDecimals(physical, negated(scale.physicalOf(end))));
  return compareDecimals(beyond, magnitude(scale.factor)) < 0 ? end : null;
};
