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
   * How far a value is beyond a limit: negative below the minimum, positive above the maximum, 0
   * within both.
   */
  #beyond(value: Decimal): Decimal {
    const { minimum, maximum } = this;
    if (minimum !== null && compareDecimals(value, minimum) < 0) {
      return addDecimals(value, negated(minimum));
    }
    if (maximum !== null && compareDecimals(value, maximum) > 0) {
      return addDecimals(value, negated(maximum));
    }
    return zero;
  }

  /** Whether a raw value of this physical value may be sent. */
  #hold(value: Decimal, hundredth: Decimal): boolean {
    const beyond = magnitude(this.#beyond(value));
    return beyond.coefficient === 0n || compareDecimals(beyond, hundredth) < 0;
  }

  /**
   * Raw value to send for a physical value, or null. The value must be within the limits, or be
   * the value of a raw that is less than a hundredth of a step beyond, because files round
   * limits. If the nearest raw is not, the one on the other side of the value is used.
   */
  rawWithin(scale: LinearScale, value: Decimal, nearest: bigint): bigint | null {
    const { coefficient, exponent } = magnitude(scale.factor);
    const hundredth = { coefficient, exponent: exponent - 2 };
    const rounded = scale.physicalOf(nearest);
    const beyond = this.#beyond(value).coefficient;
    const order = compareDecimals(rounded, value);
    if (this.#hold(rounded, hundredth)) {
      return beyond === 0n || (beyond > 0n ? order >= 0 : order <= 0) ? nearest : null;
    }
    if (beyond !== 0n) return null;
    const other = order > 0 === scale.factor.coefficient > 0n ? nearest - 1n : nearest + 1n;
    return this.#hold(scale.physicalOf(other), hundredth) ? other : null;
  }

  /** Whether a value without steps is within the limits. */
  allow(value: Decimal): boolean {
    return this.#beyond(value).coefficient === 0n;
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
