const needsQuotes = /[\s.[\]"\\]/;

/** A place in a request as the service writes it in its refusals: `a.b[2]`, or `a["b.c"]`. */
export const fieldIn = (parent: string, key: string | number): string => {
  if (typeof key === 'number') return `${parent}[${key}]`;
  if (key === '' || needsQuotes.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
};

/** Whether a refusal of that place concerns the field: the field itself, or something inside. */
export const concerns = (place: string, field: string): boolean =>
  place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`);
