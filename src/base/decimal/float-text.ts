import { decimalText, parseDecimal } from './decimal.ts';
import { decimalOfDouble } from './decimal-of-double.ts';

/** Digits after which every float32 reads back the same. */
const enoughDigits = 9;

const plain = (text: string): string => {
  const decimal = text.includes('e') ? parseDecimal(text) : null;
  return decimal === null ? text : decimalText(decimal);
};

/**
 * The shortest decimal that reads back as the same double, without an exponent. Zero keeps its
 * sign; what is no number is `NaN`, `Infinity` or `-Infinity`.
 */
export const float64Text = (value: number): string =>
  Object.is(value, -0) ? '-0' : plain(String(value));

/** Whether a reader takes the text for the same float32, also one that makes no double of it first. */
const readsBackAs = (value: number, text: string): boolean => {
  const double = Number(text);
  if (Math.fround(double) !== value) return false;
  const mirrored = 2 * double - value;
  const isTie = mirrored !== value && Math.fround(mirrored) === mirrored;
  // Where only the double is half way between two float32, the text itself is nearer to one.
  return !isTie || decimalText(decimalOfDouble(double)) === plain(text);
};

/**
 * Like `float64Text`, for a number that has the precision of a float32: 0.1, not 0.10000000149. It
 * has the fewest digits to which the number can be rounded and still read back the same.
 */
export const float32Text = (value: number): string => {
  if (value === 0 || !Number.isFinite(value)) return float64Text(value);
  let digits = 1;
  let text = value.toPrecision(digits);
  while (digits < enoughDigits && !readsBackAs(value, text)) {
    digits += 1;
    text = value.toPrecision(digits);
  }
  return plain(String(Number(text)));
};
