import { describeTableFormat } from '../testing/table-format-suite.ts';
import { csvTable } from './csv-table.ts';

/** Cells of a CSV text; null for nothing, which differs from a quoted empty text. */
const rowsOf = (file: Uint8Array): (string | null)[][] => {
  const text = new TextDecoder().decode(file);
  const rows: (string | null)[][] = [];
  const cell = /("(?:[^"]|"")*"|[^,\n]*)([,\n])/y;
  let row: (string | null)[] = [];
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [, content = '', end] = match;
    const isQuoted = content.startsWith('"');
    row.push(isQuoted ? content.slice(1, -1).replaceAll('""', '"') : content || null);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
};

const number = (text: string | null): number | null => (text === null ? null : Number(text));

describeTableFormat({
  name: 'CSV',
  parts: csvTable,
  readLong: (file) => {
    const [head, ...rows] = rowsOf(file);
    if (head?.join() !== 'time,channel,message,signal,value,number,unit,label') throw new Error();
    return rows.map(([time, channel, message, signal, value, text, unit, label]) => ({
      time: time ?? '',
      channel: channel ?? '',
      message: message ?? '',
      signal: signal ?? '',
      value: value ?? null,
      number: number(text ?? null),
      unit: unit ?? '',
      label: label ?? null,
    }));
  },
  readWide: (file) => {
    const [[, , ...names] = [], ...rows] = rowsOf(file);
    return rows.map(([time, channel, ...values]) => ({
      time: time ?? '',
      channel: channel ?? '',
      cells: Object.fromEntries(
        names.flatMap((name, at) => (values[at] == null ? [] : [[name, values[at]]])),
      ),
    }));
  },
});
