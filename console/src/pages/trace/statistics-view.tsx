import './id-views.css';
import { signal } from '@preact/signals';
import { formatCount, formatMicroseconds } from '../../format/figures.ts';
import { channels } from '../../state/bench.ts';
import { directionText, idText, kindText } from '../../trace-core/frame-text.ts';
import type { CycleFigures } from '../../trace-core/id-statistics.ts';
import { isFileShown } from '../../trace-files/open-file.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { saveFile, stampedName } from '../../ui/save-file.ts';
import {
  type Column,
  column,
  numbers,
  type Sorting,
  sortedRows,
  type Traits,
} from '../../ui/table-columns.ts';
import { type StatisticsRow, statisticsCsv, statisticsRows } from './statistics-rows.ts';
import { shownRows } from './trace-client.ts';
import { channelName, messageName } from './trace-state.ts';

const sorting = signal<Sorting | null>(null);
const selectedId = signal<number | null>(null);

const cycleColumn = (
  id: keyof CycleFigures,
  title: string,
  traits: Traits<StatisticsRow> = {},
): Column<StatisticsRow> => {
  const value = ({ cycle }: StatisticsRow): number => cycle?.[id] ?? Number.NaN;
  const text = (row: StatisticsRow): string =>
    row.cycle === null ? '–' : formatMicroseconds(Math.max(0, value(row)));
  return column(id, title, 80, text, { align: 'end', order: value, ...traits });
};

const percentColumn = (
  id: 'load' | 'share',
  title: string,
  traits: Traits<StatisticsRow> = {},
): Column<StatisticsRow> =>
  column(id, title, 76, ({ [id]: value }) => (value === null ? '–' : `${value.toFixed(2)} %`), {
    align: 'end',
    order: ({ [id]: value }) => value ?? Number.NaN,
    ...traits,
  });

const columns: readonly Column<StatisticsRow>[] = [
  column('channel', 'Channel', 120, (row) => row.channelName, {
    ...{ least: 84, spare: -7 },
    order: (row) => row.channelName,
  }),
  column('direction', 'Dir', 44, directionText, { spare: -6, order: directionText }),
  column('id', 'ID', 84, idText, { align: 'end', mono: true, order: ({ id }) => id }),
  column('name', 'Name', 160, ({ name }) => name, {
    ...{ least: 72, grows: true },
    order: ({ name }) => (name === '' ? Number.NaN : name.toLowerCase()),
  }),
  column('kind', 'Type', 76, kindText, { spare: 3, order: kindText }),
  numbers('count', 'Frames', 84, ({ count }) => count, { order: ({ count }) => count }),
  cycleColumn('minUs', 'Min', { spare: 1 }),
  cycleColumn('meanUs', 'Mean'),
  cycleColumn('p99Us', 'p99', { spare: -5 }),
  cycleColumn('maxUs', 'Max', { spare: -3 }),
  cycleColumn('jitterUs', 'Jitter', { spare: 2 }),
  column('lengths', 'Length', 68, ({ lengths }) => lengths.join(', '), {
    ...{ align: 'end', spare: -1 },
    order: ({ lengths }) => lengths.at(-1) ?? Number.NaN,
  }),
  numbers('changes', 'Changes', 84, ({ changes }) => changes, {
    ...{ spare: -2, order: ({ changes }: StatisticsRow) => changes },
  }),
  percentColumn('load', 'Load', { spare: -4 }),
  percentColumn('share', 'Share'),
];

const rowsOfReport = (): readonly StatisticsRow[] => {
  const report = shownRows.value.statistics.value;
  if (report === null) return [];
  // The bit rates of a file are unknown.
  const open = isFileShown.value ? [] : (channels.data.value?.channels ?? []);
  return statisticsRows(report, open, { channelName, messageName });
};

const save = (rows: readonly StatisticsRow[]): void => {
  const text = statisticsCsv(sortedRows(rows, columns, sorting.peek()));
  saveFile(new Blob([text], { type: 'text/csv' }), stampedName('statistics', 'csv'));
};

const legend =
  'Min to Max: times between frames; p99 is at most 1/32 too high. Jitter: their standard deviation. ' +
  'Changes: frames with other data than the one before. Load: bus time, stuff bits included. ' +
  'Share: of the bus time of all IDs of the channel.';

export const StatisticsView = () => {
  const rows = rowsOfReport();
  const report = shownRows.value.statistics.value;
  return (
    <div class="by-id-view">
      <p class="tools">
        <button type="button" data-testid="statistics-save" onClick={() => save(rows)}>
          Save as CSV
        </button>
        <span class="quiet" data-testid="statistics-time">
          {report && report.observedUs > 0
            ? `${formatMicroseconds(report.observedUs)} observed, ${formatCount(rows.length)} of ${formatCount(report.total)} IDs`
            : ''}
        </span>
      </p>
      <DataTable
        id="statistics"
        label="Statistics by ID"
        columns={columns}
        rows={rows}
        sorting={sorting}
        keyOf={({ serial }) => serial}
        selected={({ serial }) => serial === selectedId.value}
        onSelect={({ serial }) => {
          selectedId.value = serial;
        }}
        rowAttributes={(row) => ({ 'data-id': idText(row), 'data-name': row.name })}
        empty="No frames."
      />
      <p class="quiet note">{legend}</p>
    </div>
  );
};
