/**
 * Decimal numbers as integers and decimal places: slow and simple, to check the product without
 * sharing code.
 */
export interface Fraction {
  readonly digits: bigint;
  readonly places: number;
}

export const fractionOf = (text: string): Fraction => {
  const [, sign = '', whole = '', behind = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text.trim()) ?? [];
  const digits = BigInt(`${whole}${behind}` || '0') * (sign === '-' ? -1n : 1n);
  const places = behind.length - Number(exponent);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
};

const digitsAt = ({ digits, places }: Fraction, wanted: number): bigint =>
  digits * 10n ** BigInt(wanted - places);

export const isSame = (one: Fraction, other: Fraction): boolean => {
  const places = Math.max(one.places, other.places);
  return digitsAt(one, places) === digitsAt(other, places);
};

/** raw × factor + offset. */
export const scaled = (raw: Fraction, factor: Fraction, offset: Fraction): Fraction => {
  const product = { digits: raw.digits * factor.digits, places: raw.places + factor.places };
  const places = Math.max(product.places, offset.places);
  return { digits: digitsAt(product, places) + digitsAt(offset, places), places };
};

export const textOf = ({ digits, places }: Fraction): string => {
  const sign = digits < 0n ? '-' : '';
  const plain = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  return places === 0
    ? `${sign}${plain}`
    : `${sign}${plain.slice(0, -places)}.${plain.slice(-places)}`;
};

/** The integer that a fraction equals; null if it has decimal places. */
export const wholeOf = ({ digits, places }: Fraction): bigint | null => {
  const unit = 10n ** BigInt(places);
  return digits % unit === 0n ? digits / unit : null;
};
