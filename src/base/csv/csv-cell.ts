const quoted = /[",\r\n]/;

export const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return quoted.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
};
