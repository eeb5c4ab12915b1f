const units: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 };

/**
 * A bit rate as people type it: `500000`, `500k` or `2M`. Undefined for an empty field; what is no
 * rate stays the text it is, so that the contract refuses it at the field.
 */
export const bitRateOf = (text: string): number | string | undefined => {
  const typed = text.trim();
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kKmM]?)$/.exec(typed) ?? [];
  if (digits === undefined) return typed || undefined;
  return Number((Number(digits) * (units[unit.toLowerCase()] ?? 1)).toFixed(6));
};

/** Short for tables and fields: `500k`, `2M`, `19200`. */
export const shortRate = (bitsPerSecond: number): string => {
  if (bitsPerSecond % 100_000 === 0 && bitsPerSecond >= 1_000_000) {
    return `${bitsPerSecond / 1_000_000}M`;
  }
  return bitsPerSecond % 1000 === 0 ? `${bitsPerSecond / 1000}k` : String(bitsPerSecond);
};
