import {
  coefficientAt,
  compareDecimals,
  type Decimal,
  decimalText,
} from '../../base/decimal/decimal.ts';
import { decimalOfDouble } from '../../base/decimal/decimal-of-double.ts';
import { float32Text, float64Text } from '../../base/decimal/float-text.ts';
import { type FloatKind, nearestFloat } from '../../base/decimal/nearest-float.ts';
import { floatText } from './float-output.ts';
import { readNumber } from './number-text.ts';

const special: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

const nearestFloat32 = (decimal: Decimal): number => {
  if (decimal.coefficient === 0n) return 0;
  return decimal.exponent >= 0
    ? nearestFloat(coefficientAt(decimal, 0), 1n, 'float32')
    : nearestFloat(decimal.coefficient, 10n ** BigInt(-decimal.exponent), 'float32');
};

/** A float for a text, or why there is none. */
export type FloatInput =
  | { readonly kind: 'float'; readonly float: number }
  | { readonly kind: 'malformed' | 'range' }
  | { readonly kind: 'inexact'; readonly nearest: string };

/**
 * The float that a text means. Reading it back must give the same number: the text is either what
 * the float prints as, 0.1, or the float to its last digit. Other digits would be lost in silence.
 */
export const floatInput = (text: string, kind: FloatKind): FloatInput => {
  const named = special.get(text);
  if (named !== undefined) return { kind: 'float', float: named };
  const number = readNumber(text);
  if (number.kind === 'malformed') return { kind: 'malformed' };
  if (number.kind === 'too_large') return { kind: 'range' };
  // A fraction with that many digits is none that a float could keep.
  if (number.kind === 'too_fine') return inexact(Number(text), kind);
  const { decimal } = number;
  // By way of a double a float32 would be rounded twice.
  const float = kind === 'float32' ? nearestFloat32(decimal) : Number(text);
  if (!Number.isFinite(float)) return { kind: 'range' };
  // The sign of zero is the one thing that a decimal does not keep.
  if (decimal.coefficient === 0n) return { kind: 'float', float: text.startsWith('-') ? -0 : 0 };
  const shortest = kind === 'float32' ? float32Text(float) : float64Text(float);
  const isKept =
    decimalText(decimal) === shortest || compareDecimals(decimal, decimalOfDouble(float)) === 0;
  return isKept ? { kind: 'float', float } : inexact(float, kind);
};

const inexact = (float: number, kind: FloatKind): FloatInput => ({
  kind: 'inexact',
  nearest: floatText(kind === 'float32' ? Math.fround(float) : float, kind),
});
