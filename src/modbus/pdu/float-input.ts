import {
  coefficientAt,
  compareDecimals,
  type Decimal,
  decimalText,
} from '../../base/decimal/decimal.ts';
import { decimalOfDouble } from '../../base/decimal/decimal-of-double.ts';
import { float32Text, float64Text } from '../../base/decimal/float-text.ts';
import { type FloatKind, nearestFloat } from '../../base/decimal/nearest-float.ts';
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

/** As a fraction, for texts with more digits than a decimal keeps. */
const nearestToFineText = (text: string): number => {
  const double = Number(text);
  // What is below every double is below every float, and keeps its sign.
  if (double === 0) return double;
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = fineShape.exec(text) ?? [];
  const power = Number(exponent) - fraction.length;
  const magnitude = BigInt(integer + fraction);
  const dividend = sign === '-' ? -magnitude : magnitude;
  return nearestFloat(dividend, 10n ** BigInt(-power), 'float32');
};

const fineShape = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** A float for a text, or why there is none. */
export type FloatInput =
  | { readonly kind: 'float'; readonly float: number; readonly isRounded: boolean }
  | { readonly kind: 'malformed' | 'range' };

/**
 * The float nearest to what a text says. It is rounded unless reading it back gives the same text,
 * 0.1, or the text is the float to its last digit.
 */
export const floatInput = (text: string, kind: FloatKind): FloatInput => {
  const named = special.get(text);
  if (named !== undefined) return { kind: 'float', float: named, isRounded: false };
  const number = readNumber(text);
  if (number.kind === 'malformed') return { kind: 'malformed' };
  if (number.kind === 'too_large') return { kind: 'range' };
  if (number.kind === 'too_fine') {
    // A fraction with that many digits is none that a float could keep.
    const float = kind === 'float32' ? nearestToFineText(text) : Number(text);
    return { kind: 'float', float, isRounded: true };
  }
  const { decimal } = number;
  // By way of a double a float32 would be rounded twice.
  const float = kind === 'float32' ? nearestFloat32(decimal) : Number(text);
  if (!Number.isFinite(float)) return { kind: 'range' };
  // The sign of zero is the one thing that a decimal does not keep.
  if (decimal.coefficient === 0n) {
    return { kind: 'float', float: text.startsWith('-') ? -0 : 0, isRounded: false };
  }
  const shortest = kind === 'float32' ? float32Text(float) : float64Text(float);
  const isKept =
    decimalText(decimal) === shortest || compareDecimals(decimal, decimalOfDouble(float)) === 0;
  return { kind: 'float', float, isRounded: !isKept };
};
