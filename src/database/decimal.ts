import type { DecimalText } from './model.ts';

const parts = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Raw values have far fewer digits; more zeros would only fill the memory. */
const widestShift = 40;

/**
 * Converts a number in any common notation (`.25`, `1.`, `007`, `+5`) to decimal text, or
 * returns null.
 */
export const toDecimal = (text: string): DecimalText | null => {
  const match = parts.exec(text);
  if (match === null || !/^[+-]?\.?\d/.test(text)) return null;
  const [, sign, whole, fraction, exponent] = match;
  const digits = (whole || '0') + (fraction ? `.${fraction}` : '');
  return (sign === '-' ? '-' : '') + digits + (exponent === undefined ? '' : `E${exponent}`);
};

export const toInteger = (text: DecimalText): bigint | null => {
  const match = parts.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent) - fraction.length;
  const digits = (whole + fraction).replace(/^0+/, '') || '0';
  if (digits === '0') return 0n;
  if (Math.abs(shift) > widestShift) return null;
  const kept = shift >= 0 ? digits + '0'.repeat(shift) : digits.slice(0, shift);
  if (shift < 0 && !/^0*$/.test(digits.slice(shift))) return null;
  return BigInt((sign === '-' ? '-' : '') + (kept || '0'));
};
