import { type Decimal, decimalText, parseDecimal } from './decimal.ts';

const bits = new DataView(new ArrayBuffer(8));

/** The number that a finite double really is: sums of powers of two have ends in decimal. */
export const exactDouble = (value: number): Decimal => {
  bits.setFloat64(0, value);
  const pattern = bits.getBigUint64(0);
  const biased = Number((pattern >> 52n) & 0x7ffn);
  const fraction = pattern & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | (1n << 52n);
  const power = Math.max(biased, 1) - 1075;
  const signed = value < 0 ? -magnitude : magnitude;
  return power >= 0
    ? { coefficient: signed << BigInt(power), exponent: 0 }
    : { coefficient: signed * 5n ** BigInt(-power), exponent: power };
};

/** The shortest decimal that reads back as the same double, written out. */
export const doubleText = (value: number): string => {
  if (Object.is(value, -0)) return '-0';
  const short = parseDecimal(String(value));
  return short === null ? String(value) : decimalText(short);
};

/** The same for a number with the precision of 32 bits: 0.1, not 0.10000000149011612. */
export const singleText = (value: number): string => {
  if (value === 0 || !Number.isFinite(value)) return doubleText(value);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return doubleText(short);
  }
  return doubleText(Number(value.toPrecision(9)));
};
