import { type Decimal, parseDecimal, valuePattern } from '../../base/decimal/decimal.ts';

/** What a text says as a number; the last two have more digits than are calculated with. */
export type NumberText =
  | { readonly kind: 'decimal'; readonly decimal: Decimal }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'too_fine' };

const shape = new RegExp(valuePattern);

/** Tells numbers that no type can hold, such as 1e400, from texts that are no numbers. */
export const readNumber = (text: string): NumberText => {
  if (!shape.test(text)) return { kind: 'malformed' };
  const decimal = parseDecimal(text);
  if (decimal !== null) return { kind: 'decimal', decimal };
  return { kind: Number.isFinite(Number(text)) ? 'too_fine' : 'too_large' };
};
