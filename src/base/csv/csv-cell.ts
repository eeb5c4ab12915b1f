const quoted = /[",\r\n]/;

/**
 * A CSV cell (RFC 4180), quoted if necessary. A missing value is an empty cell, an empty string
 * a quoted one.
 */
export const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return quoted.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
};
