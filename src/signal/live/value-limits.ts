import {
  compareDecimals,
  type Decimal,
  parseDecimal,
  requireDecimal,
} from '../../base/decimal/decimal.ts';
import type { Signal } from '../../database/model.ts';

interface Limit {
  /** The nearest double, which settles all but the closest cases. */
  readonly number: number;
  readonly exact: Decimal | null;
}

const limitOf = (text: string | null, without: number, field: string): Limit =>
  text === null
    ? { number: without, exact: null }
    : { number: Number(text), exact: requireDecimal(text, field) };

/**
 * Below zero, zero or above as a number is less than, equal to or more than a limit. Rounding to
 * doubles never changes the order of two numbers, it only makes some equal; these are compared
 * digit by digit.
 */
const compareTo = ({ number, exact }: Limit, text: string): number => {
  const rounded = Number(text);
  if (rounded !== number) return rounded < number ? -1 : 1;
  const decimal = parseDecimal(text);
  return exact === null || decimal === null ? 0 : compareDecimals(decimal, exact);
};

/**
 * The physical limits of a signal. Equal or reversed ones say nothing: files have `0|0` and its like
 * where there are none.
 */
export class ValueLimits {
  readonly #minimum: Limit;
  readonly #maximum: Limit;

  constructor({ name, minimum, maximum }: Signal) {
    const isRange = minimum === null || maximum === null || Number(minimum) < Number(maximum);
    this.#minimum = limitOf(isRange ? minimum : null, Number.NEGATIVE_INFINITY, name);
    this.#maximum = limitOf(isRange ? maximum : null, Number.POSITIVE_INFINITY, name);
  }

  /** Whether a physical value, written out, is within both. */
  include(value: string): boolean {
    return compareTo(this.#minimum, value) >= 0 && compareTo(this.#maximum, value) <= 0;
  }
}
