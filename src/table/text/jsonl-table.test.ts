import { describeTableFormat, type LongRow } from '../testing/table-format-suite.ts';
import { jsonlTable } from './jsonl-table.ts';

const linesOf = (file: Uint8Array): Record<string, unknown>[] =>
  new TextDecoder()
    .decode(file)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describeTableFormat({
  name: 'JSON lines',
  parts: jsonlTable,
  readLong: (file) => linesOf(file) as unknown as LongRow[],
  readWide: (file) =>
    linesOf(file).map(({ time, channel, ...cells }) => ({
      time: String(time),
      channel: String(channel),
      cells: Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, String(cell)])),
    })),
});
