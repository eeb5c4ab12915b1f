import { describe, expect, it } from 'vitest';
import { type Cell, type ParquetContent, readParquet } from '../testing/read-parquet.ts';
import { describeTableFormat, type LongRow, writeTable } from '../testing/table-format-suite.ts';
import { parquetTable } from './parquet-table.ts';

const timeText = (cell: Cell | undefined): string => {
  const us = cell as bigint;
  const rest = ((us % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const second = new Date(Number((us - rest) / 1000n)).toISOString().slice(0, 19);
  return `${second}.${String(rest).padStart(6, '0')}Z`;
};

const rowsOf = ({ rows, columns }: ParquetContent): Map<string, Cell | undefined>[] =>
  Array.from(
    { length: rows },
    (_, row) => new Map(columns.map(({ name, cells }) => [name, cells[row]])),
  );

describeTableFormat({
  name: 'Parquet',
  parts: parquetTable,
  readLong: (file) =>
    rowsOf(readParquet(file)).map((row) => ({
      ...(Object.fromEntries(row) as unknown as LongRow),
      time: timeText(row.get('time')),
    })),
  readWide: (file) =>
    rowsOf(readParquet(file)).map((row) => {
      const { time, channel, ...cells } = Object.fromEntries(row);
      return {
        time: timeText(time),
        channel: String(channel),
        cells: Object.fromEntries(
          Object.entries(cells).flatMap(([name, cell]) =>
            cell === null ? [] : [[name, String(cell)]],
          ),
        ),
      };
    }),
});

describe('integer columns', () => {
  const extremes = [0, 1, -1, 9_007_199_254_740_991, -9_007_199_254_740_991, 4_294_967_296];
  it.each(['integer', 'int64', 'uint64'] as const)('keep every bit as %s', (type) => {
    const values =
      type === 'integer'
        ? extremes.map(String)
        : type === 'int64'
          ? [...extremes.map(String), '9223372036854775807', '-9223372036854775808']
          : ['0', '1', '9007199254740993', '18446744073709551615'];
    const series = [
      {
        channel: '1',
        message: 'M',
        signal: 'S',
        unit: '',
        labels: [],
        places: 0,
        isText: false,
        column: 0,
      },
    ];
    const samples = values.map((text, row) => ({
      timeUs: row,
      row,
      of: 0,
      scaled: Number.NaN,
      text,
      label: 0,
    }));
    const shape = { columns: [{ name: 'M.S', type }], hold: true };
    const { columns } = readParquet(writeTable(parquetTable, shape, [{ series, samples }]));
    const cells = (columns[1]?.cells ?? []) as bigint[];
    const bits = type === 'uint64' ? 64 : null;
    expect(cells.map((cell) => String(bits ? BigInt.asUintN(bits, cell) : cell))).toEqual(values);
  });
});

describe('a row group of many rows', () => {
  const series = ['A', 'B', 'C'].map((signal, column) => ({
    channel: '1',
    message: column === 2 ? 'N' : 'M',
    signal,
    unit: '',
    labels: ['Off', 'On'],
    places: column,
    isText: false,
    column,
  }));
  /** Labels and series in repeats of any length, between rows that alternate. */
  const samples = Array.from({ length: 16_384 }, (_, row) => {
    const stretch = row >> 9;
    const isSteady = stretch % 3 > 0;
    return {
      timeUs: 1_767_225_600_000_000 + row * stretch,
      row,
      of: isSteady ? stretch % series.length : (row * 7) % series.length,
      scaled: stretch < 20 ? row - 5000 : stretch,
      text: null,
      label: isSteady ? stretch % 3 : Number((row * row) % 11 < 4),
    };
  });
  const cellsOf = (count: number) => {
    const part = { series, samples: samples.slice(0, count) };
    const { columns } = readParquet(writeTable(parquetTable, null, [part]));
    return Object.fromEntries(columns.map(({ name, cells }) => [name, cells]));
  };

  it.each([4096, 4097, 9000, samples.length])('keeps %i of them', (count) => {
    const expected = samples.slice(0, count);
    const { time, signal, number, label, message } = cellsOf(count);
    expect(time).toEqual(expected.map(({ timeUs }) => BigInt(timeUs)));
    expect(signal).toEqual(expected.map(({ of }) => series[of]?.signal));
    expect(message).toEqual(expected.map(({ of }) => series[of]?.message));
    expect(number).toEqual(expected.map(({ of, scaled }) => scaled / 10 ** of));
    expect(label).toEqual(expected.map((sample) => ['Off', 'On'][sample.label - 1] ?? null));
  });
});

describe('the schema', () => {
  it('says that times are microseconds in UTC and that texts are UTF-8', () => {
    const { columns } = readParquet(writeTable(parquetTable, null, []));
    expect(columns.map(({ name, schema }) => [name, schema[1], schema[3]])).toEqual([
      ['time', 2, 0],
      ['channel', 6, 0],
      ['message', 6, 0],
      ['signal', 6, 0],
      ['value', 6, 1],
      ['number', 5, 1],
      ['unit', 6, 0],
      ['label', 6, 1],
    ]);
    expect(columns[0]?.schema).toMatchObject({ 6: 10, 10: { 8: { 1: true, 2: { 2: {} } } } });
    expect(columns[1]?.schema).toMatchObject({ 6: 0, 10: { 1: {} } });
  });
});
