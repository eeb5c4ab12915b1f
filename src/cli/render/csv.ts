const quoted = /[",\r\n]/;

/** A text as a cell: in quotes where it could be taken for something else. */
export const csvCell = (text: string): string =>
  quoted.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;

const rowsOf = (path: string, value: unknown): string[] => {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${csvCell(path)},[]`];
    return value.flatMap((item, index) => rowsOf(`${path}[${index}]`, item));
  }
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value);
    if (entries.length === 0) return [`${csvCell(path)},{}`];
    return entries.flatMap(([key, inner]) => rowsOf(path === '' ? key : `${path}.${key}`, inner));
  }
  // Null is an empty cell, an empty text a quoted one: both stay exact.
  return [
    `${csvCell(path)},${value === null || value === undefined ? '' : csvCell(String(value))}`,
  ];
};

/** Two columns, one row for every value, however deep it lies. */
export const renderCsv = (value: unknown): string =>
  ['path,value', ...rowsOf('', value)].map((row) => `${row}\n`).join('');
