const rateText = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?\s*([kM]?)$/i;

const placesOf = { '': 0, k: 3, m: 6 } as const;

/**
 * Parses a bit rate such as `500000`, `500k` or `2.5M`. Returns undefined unless it is a whole
 * number of bits per second.
 */
export const bitRateOfText = (text: string): number | undefined => {
  const [, whole, part = '', unit = ''] = rateText.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const places = placesOf[unit.toLowerCase() as keyof typeof placesOf];
  const fraction = part.replace(/0+$/, '');
  if (fraction.length > places) return undefined;
  const rate = Number(whole + fraction.padEnd(places, '0'));
  return Number.isSafeInteger(rate) ? rate : undefined;
};
