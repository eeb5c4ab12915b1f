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
  /** The nearest double, which settles all but the closest cases. */
  readonly number: number;
  readonly exact: Decimal | null;
}

const zero: Decimal = { coefficient: 0n, exponent: 0 };

/** A limit, moved by some margin. */
const boundOf = (limit: Decimal | null, margin: Decimal, without: number): Bound => {
  if (limit === null) return { number: without, exact: null };
  const exact = addDecimals(limit, margin);
  return { number: Number(decimalText(exact)), exact };
};

/**
 * Below zero, zero or above as a number is less than, equal to or more than a bound. Rounding to
 * doubles never changes the order of two numbers, it only makes some equal; these are compared
 * digit by digit.
 */
const compareTo = ({ number, exact }: Bound, text: string): number => {
  const rounded = Number(text);
  if (rounded !== number) return rounded < number ? -1 : 1;
  const decimal = parseDecimal(text);
  return exact === null || decimal === null ? 0 : compareDecimals(decimal, exact);
};

/** What the limits of a signal are made of, as numbers. */
export interface LimitedSignal {
  readonly kind: RawKind;
  readonly factor: Decimal;
  readonly minimum: Decimal | null;
  readonly maximum: Decimal | null;
}

/**
 * The physical limits of a signal. Equal or reversed ones say nothing: files have `0|0` and its like
 * where there are none.
 *
 * Files also round: of eight bits with the factor 0.39215686275 the last one is 100.00000000125, and
 * the maximum says 100. So an integer counts as within as long as it is nearer to the limit than half
 * a step. Floats have no steps.
 */
export class ValueLimits {
  /** As the database has them; null where there is none. */
  readonly minimum: Decimal | null;
  readonly maximum: Decimal | null;
  readonly #low: Bound;
  readonly #high: Bound;
  /** A value on the bound counts as within. */
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

  /** Whether a physical value, written out, is within both. */
  include(value: string): boolean {
    const above = compareTo(this.#low, value);
    const below = compareTo(this.#high, value);
    return this.#isInclusive ? above >= 0 && below <= 0 : above > 0 && below < 0;
  }
}

/**
 * The raw value to send for a physical one, of which the nearest is given: that, or the last one that
 * the bits hold where the limit of the database was rounded to less than a step beyond it. Null if the
 * bits hold neither.
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
