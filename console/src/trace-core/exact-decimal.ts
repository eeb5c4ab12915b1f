/** A number as digits and a power of ten, so that nothing is lost in scaling. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const shape = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;
/** Far beyond any double; what lies further out is no factor of a signal. */
const mostDigits = 1000;

/** Reads `0.5`, `-10`, `1e-5`; null for anything else. */
export const exactDecimal = (text: string): ExactDecimal | null => {
  const match = shape.exec(text);
  const [, sign = '', whole = '', fraction = '', power = '0'] = match ?? [];
  if (!match || whole + fraction === '' || Math.abs(Number(power)) > mostDigits) return null;
  const magnitude = BigInt(whole + fraction);
  return {
    digits: sign === '-' ? -magnitude : magnitude,
    exponent: Number(power) - fraction.length,
  };
};

const shifted = ({ digits, exponent }: ExactDecimal, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to);

export const multiplied = (a: ExactDecimal, b: ExactDecimal): ExactDecimal => ({
  digits: a.digits * b.digits,
  exponent: a.exponent + b.exponent,
});

export const added = (a: ExactDecimal, b: ExactDecimal): ExactDecimal => {
  const exponent = Math.min(a.exponent, b.exponent);
  return { digits: shifted(a, exponent) + shifted(b, exponent), exponent };
};

/** Written out without an exponent and without zeros that say nothing. */
export const exactText = ({ digits, exponent }: ExactDecimal): string => {
  if (digits === 0n) return '0';
  const sign = digits < 0n ? '-' : '';
  const magnitude = (digits < 0n ? -digits : digits).toString();
  if (exponent >= 0) return `${sign}${magnitude}${'0'.repeat(exponent)}`;
  const padded = magnitude.padStart(1 - exponent, '0');
  const fraction = padded.slice(exponent).replace(/0+$/, '');
  return `${sign}${padded.slice(0, exponent)}${fraction === '' ? '' : `.${fraction}`}`;
};

const bits = new DataView(new ArrayBuffer(8));

/** The number that a finite double really is: sums of powers of two have ends in decimal. */
export const exactDouble = (value: number): ExactDecimal => {
  bits.setFloat64(0, value);
  const pattern = bits.getBigUint64(0);
  const biased = Number((pattern >> 52n) & 0x7ffn);
  const fraction = pattern & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | (1n << 52n);
  const power = Math.max(biased, 1) - 1075;
  const signed = value < 0 ? -magnitude : magnitude;
  return power >= 0
    ? { digits: signed << BigInt(power), exponent: 0 }
    : { digits: signed * 5n ** BigInt(-power), exponent: power };
};

/** The shortest decimal that reads back as the same double, written out. */
export const doubleText = (value: number): string => {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return String(value);
  const short = exactDecimal(String(value));
  return short === null ? String(value) : exactText(short);
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
