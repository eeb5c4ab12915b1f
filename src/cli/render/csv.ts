import { csvCell } from '../../base/csv/csv-cell.ts';

export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(',')}\n`;

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
  return [`${csvCell(path)},${csvCell(value)}`];
};

/** Two columns, one row per value at any depth. */
export const renderCsv = (value: unknown): string =>
  ['path,value', ...rowsOf('', value)].map((row) => `${row}\n`).join('');
