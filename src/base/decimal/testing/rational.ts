/** An unreduced fraction of integers: checks decimals without sharing code with them. */
export interface Rational {
  readonly over: bigint;
  readonly under: bigint;
}

/** The value of plain decimal text. */
export const rationalOfPlain = (text: string): Rational => {
  const [integer = '', fraction = ''] = text.split('.');
  return {
    over: BigInt(integer.replace('-', '') + fraction) * (text.startsWith('-') ? -1n : 1n),
    under: 10n ** BigInt(fraction.length),
  };
};

export const add = (one: Rational, other: Rational): Rational => ({
  over: one.over * other.under + other.over * one.under,
  under: one.under * other.under,
});

export const multiply = (one: Rational, other: Rational): Rational => ({
  over: one.over * other.over,
  under: one.under * other.under,
});

/** Negative if the first is less than the second, 0 if they are equal, else positive. */
export const compare = (one: Rational, other: Rational): number => {
  const difference = one.over * other.under - other.over * one.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

export const rationalOfInteger = (over: bigint): Rational => ({ over, under: 1n });

/** The exact value of a finite double: repeated doubling makes it an integer. */
export const rationalOfDouble = (value: number): Rational => {
  if (Number.isInteger(value)) return rationalOfInteger(BigInt(value));
  const { over, under } = rationalOfDouble(value * 2);
  return { over, under: under * 2n };
};
