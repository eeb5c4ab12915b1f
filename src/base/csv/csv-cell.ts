const quoted = /[",\r\n]/;

/**
 * A value as a cell of comma-separated values (RFC 4180): in quotes where it could be taken for
 * something else. What is missing is an empty cell, and an empty text a quoted one.
 */
export const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return quoted.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
};
