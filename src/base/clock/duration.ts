const unitNs = { us: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 } as const;
const form = /^(\d{1,12}(?:\.\d{1,6})?)(us|ms|s|min|h)$/;

/** Nanoseconds of a text such as `100ms`, `12.5s` or `2min`; null if it is none. */
export const parseDuration = (text: string): number | null => {
  const match = form.exec(text);
  if (!match) return null;
  return Math.round(Number(match[1]) * unitNs[match[2] as keyof typeof unitNs]);
};
