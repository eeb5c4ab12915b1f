import { bitRateOfText } from '../../../../src/frame/bit-rate-text.ts';

/**
 * A bit rate as people type it: `500000`, `500k` or `2M`. Undefined for an empty field; what is no
 * rate stays the text it is, so that the contract refuses it at the field.
 */
export const bitRateOf = (text: string): number | string | undefined =>
  bitRateOfText(text) ?? (text.trim() || undefined);

/** Short for tables and fields: `500k`, `2M`, `19200`. */
export const shortRate = (bitsPerSecond: number): string => {
  if (bitsPerSecond % 100_000 === 0 && bitsPerSecond >= 1_000_000) {
    return `${bitsPerSecond / 1_000_000}M`;
  }
  return bitsPerSecond % 1000 === 0 ? `${bitsPerSecond / 1000}k` : String(bitsPerSecond);
};
