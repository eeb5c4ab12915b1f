import { isJsonObject as isRow } from '../../base/json/json-value.ts';
import { printable } from '../../base/printable.ts';
import type { Columns } from '../../operations/define.ts';
import type { Palette } from './palette.ts';

type Row = Record<string, unknown>;

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

/** Timestamps, printed as dates. */
const instant = /(_at|^time)_us$/;

const ourKey = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

const label = (key: string): string =>
  ourKey.test(key) ? key.replace(instant, '$1').replaceAll('_', ' ') : printable(key);

const scalar = (key: string, value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && instant.test(key)) {
    return new Date(value / 1000).toISOString();
  }
  if (isTable(value)) return `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(String).join(', ');
  if (isRow(value)) return Object.keys(value).length === 0 ? '-' : JSON.stringify(value);
  return String(value);
};

const busId = /^(id|mask|message_id|request_id|response_id|functional_id)$/;

const extendedDigits = 8;
const standardDigits = 3;

/** As wide as the identifier: 0x123 has 11 bits, 0x00000123 has 29. */
const hexId = (value: number, extended: unknown): string => {
  const isWide = extended === true || value > 0x7ff;
  const digits = value.toString(16).toUpperCase();
  return `0x${digits.padStart(isWide ? extendedDigits : standardDigits, '0')}`;
};

const code = /^(nrc|availability_mask)$/;
const nodeAddress = /^(nad|source|target|functional_target|address_extension)$/;
const byteDigits = 2;
const memoryDigits = 8;

/** Digits of other fields that diagnostics writes in hex; undefined for decimal fields. */
const hexDigitsOf = (row: Row, key: string): number | undefined => {
  if (key === 'address' && 'size' in row) return memoryDigits;
  const isStatus = key === 'status' && 'status_bits' in row;
  const isAddress = nodeAddress.test(key) && 'addressing' in row;
  return isStatus || isAddress || code.test(key) ? byteDigits : undefined;
};

/** Formats a field; can depend on other fields of the row. */
const field = (row: Row, key: string): string => {
  const value = row[key];
  if (typeof value !== 'number') return printable(scalar(key, value));
  if (busId.test(key)) return hexId(value, row.extended);
  const digits = hexDigitsOf(row, key);
  if (digits === undefined) return scalar(key, value);
  return `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`;
};

const ownerOf = (row: Row, path: string): Row => {
  const owner = at(row, path.split('.').slice(0, -1).join('.'));
  return isRow(owner) ? owner : {};
};

const at = (row: Row, path: string): unknown =>
  path === ''
    ? row
    : path.split('.').reduce<unknown>((value, key) => (isRow(value) ? value[key] : undefined), row);

const lastKey = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const pad = (text: string, width: number): string => text + ' '.repeat(width - text.length);

export const renderTable = (
  rows: readonly Row[],
  columns: readonly string[],
  palette: Palette,
): string[] => {
  // Nested names need their parents.
  const heads = columns.map((path) => path.split('.').map(label).join(' '));
  const cells = rows.map((row) => columns.map((path) => field(ownerOf(row, path), lastKey(path))));
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...cells.map((line) => (line[index] ?? '').length)),
  );
  const align = (line: readonly string[]): string =>
    line
      .map((text, index) => pad(text, widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [palette.faint(align(heads)), ...cells.map(align)];
};

const columnsOf = (columns: Columns | undefined, list: string, rows: readonly Row[]) => {
  const chosen = isSameForAll(columns) ? columns : columns?.[list];
  return chosen ?? Object.keys(rows[0] ?? {});
};

const isSameForAll = (columns: Columns | undefined): columns is readonly string[] =>
  Array.isArray(columns);

const renderRow = (row: Row, palette: Palette, indent: string, columns?: Columns): string[] => {
  const isDeep = (value: unknown): boolean =>
    isTable(value) || (isRow(value) && Object.keys(value).length > 0);
  const flat = Object.entries(row).filter(([, value]) => !isDeep(value));
  const deep = Object.entries(row).filter(([, value]) => isDeep(value));
  const width = Math.max(0, ...flat.map(([key]) => label(key).length));
  const lines = flat.map(
    ([key]) => `${indent}${palette.faint(pad(label(key), width))}  ${field(row, key)}`,
  );
  for (const [key, value] of deep) {
    lines.push(`${indent}${palette.strong(label(key))}`);
    const inner = `${indent}  `;
    if (isRow(value)) lines.push(...renderRow(value, palette, inner));
    else {
      const rows = value as Row[];
      const shown = columnsOf(columns, key, rows);
      lines.push(...renderTable(rows, shown, palette).map((line) => inner + line));
      if (rows.length === 1) lines.push(...tablesIn(rows[0] ?? {}, shown, palette, inner, columns));
    }
  }
  return lines;
};

const tablesIn = (
  row: Row,
  shown: readonly string[],
  palette: Palette,
  indent: string,
  columns?: Columns,
): string[] =>
  shown.flatMap((key) => {
    const rows = row[key];
    if (!isTable(rows)) return [];
    const table = renderTable(rows, columnsOf(columns, key, rows), palette);
    return [`${indent}${palette.strong(label(key))}`, ...table.map((line) => `${indent}  ${line}`)];
  });

const onlyTable = (row: Row): [list: string, rows: Row[]] | undefined => {
  const [only, ...others] = Object.entries(row);
  if (only === undefined || others.length > 0) return undefined;
  const [list, rows] = only;
  return isTable(rows) ? [list, rows] : undefined;
};

/** Formats a result: aligned fields, lists as tables, strings unchanged. */
export const renderText = (value: unknown, palette: Palette, columns?: Columns): string => {
  if (typeof value === 'string') return value.endsWith('\n') ? value : `${value}\n`;
  if (!isRow(value)) return `${scalar('', value)}\n`;
  const [list = '', rows] = onlyTable(value) ?? [];
  const lines = rows
    ? renderTable(rows, columnsOf(columns, list, rows), palette)
    : renderRow(value, palette, '', columns);
  return `${lines.join('\n')}\n`;
};
