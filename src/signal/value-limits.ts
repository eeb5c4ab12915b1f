import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalText,
  halfOf,
  magnitude,
  negated,
  parseDecimal,
  requireDecimal,
} from '../base/decimal/decimal.ts';
import type { Signal } from '../database/model.ts';

interface Limit {
  /** The nearest double, which settles all but the closest cases. */
  readonly number: number;
  readonly exact: Decimal | null;
}

const zero: Decimal = { coefficient: 0n, exponent: 0 };

/** The limit of a text, moved by some margin. */
const limitOf = (text: string | null, margin: Decimal, without: number, field: string): Limit => {
  if (text === null) return { number: without, exact: null };
  const exact = addDecimals(requireDecimal(text, field), margin);
  return { number: Number(decimalText(exact)), exact };
};

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
 *
 * Files also round: of eight bits with the factor 0.39215686275 the last one is 100.00000000125, and
 * the maximum says 100. So an integer counts as within as long as it is nearer to the limit than half
 * a step. Floats have no steps.
 */
export class ValueLimits {
  readonly #minimum: Limit;
  readonly #maximum: Limit;
  /** A value on the limit counts as within. */
  readonly #isInclusive: boolean;

  constructor({ name, kind, factor, minimum, maximum }: Signal) {
    const isRange = minimum === null || maximum === null || Number(minimum) < Number(maximum);
    const isFloat = kind === 'float32' || kind === 'float64';
    const margin = isFloat ? zero : halfOf(magnitude(requireDecimal(factor, `${name}.factor`)));
    const [low, high] = isRange ? [minimum, maximum] : [null, null];
    this.#isInclusive = margin.coefficient === 0n;
    this.#minimum = limitOf(low, negated(margin), Number.NEGATIVE_INFINITY, `${name}.minimum`);
    this.#maximum = limitOf(high, margin, Number.POSITIVE_INFINITY, `${name}.maximum`);
  }

  /** Whether a physical value, written out, is within both. */
  include(value: string): boolean {
    const above = compareTo(this.#minimum, value);
    const below = compareTo(this.#maximum, value);
    return this.#isInclusive ? above >= 0 && below <= 0 : above > 0 && below < 0;
  }

  /** Whether there is a limit at that end. */
  has(end: 'minimum' | 'maximum'): boolean {
    return (end === 'minimum' ? this.#minimum : this.#maximum).exact !== null;
  }
}
