import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatTime } from '../../format/figures.ts';
import { metrics } from '../../state/bench.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { CheckField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import {
  keyOfSample,
  type MetricRow,
  matchesMetric,
  parseMetrics,
  withChanges,
} from './metrics-text.ts';
import { SearchBox } from './operations-view.tsx';

const figures = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 9 });

const changeText = ({ change }: MetricRow): string => {
  if (change === null) return 'new';
  if (change === 0 || Number.isNaN(change)) return '';
  return `${change > 0 ? '+' : '−'}${figures.format(Math.abs(change))}`;
};

const columns: readonly Column<MetricRow>[] = [
  {
    id: 'name',
    title: 'Metric',
    width: 330,
    least: 240,
    mono: true,
    text: ({ name }) => name,
    render: ({ name, help }) => <span title={help}>{name}</span>,
  },
  {
    id: 'labels',
    title: 'Labels',
    width: 440,
    least: 150,
    grows: true,
    mono: true,
    text: ({ labels }) => labels,
  },
  {
    id: 'value',
    title: 'Value',
    width: 112,
    align: 'end',
    mono: true,
    text: ({ value }) => figures.format(value),
  },
  {
    id: 'change',
    title: 'Change',
    width: 96,
    spare: -1,
    align: 'end',
    mono: true,
    text: changeText,
  },
  { id: 'type', title: 'Type', width: 84, spare: 1, text: ({ type }) => type },
  {
    id: 'help',
    title: 'Meaning',
    width: 420,
    least: 280,
    spare: 0,
    grows: true,
    text: ({ help }) => help,
  },
];

/** The reading before this one, kept while the page is. */
const useChanges = (): readonly MetricRow[] => {
  const rows = useSignal<readonly MetricRow[]>([]);
  useEffect(
    () =>
      metrics.data.subscribe((text) => {
        if (text === null) return;
        const samples = parseMetrics(text);
        // The first reading has nothing to be compared with: none of it is new.
        const known = rows.peek().length > 0 ? rows.peek() : samples;
        const before = new Map(known.map((row) => [keyOfSample(row), row.value]));
        rows.value = withChanges(samples, before);
      }),
    [rows],
  );
  return rows.value;
};

/** The figures that the service counts, and how they moved since they were last read. */
export const MetricsView = ({ isInFront }: { readonly isInFront: boolean }) => {
  const repeats = useSignal(false);
  const filter = useSignal('');
  const changesOnly = useSignal(false);
  const { error, updatedAt } = useResource(metrics, repeats.value && isInFront ? 'api' : undefined);
  const all = useChanges();
  const found = all.filter(
    (row) => matchesMetric(row, filter.value) && (!changesOnly.value || row.change !== 0),
  );
  return (
    <Panel
      title="Metrics"
      testId="metrics"
      freshness={freshness(metrics)}
      header={
        <>
          <span class="quiet" data-testid="metric-count">
            {found.length} of {all.length}
          </span>
          <span class="quiet">{updatedAt.value && formatTime(updatedAt.value)}</span>
          <button
            type="button"
            data-testid="refresh-metrics"
            onClick={() => void metrics.refresh()}
          >
            Read again
          </button>
          <CheckField
            label="Every second"
            checked={repeats.value}
            onChange={(checked) => {
              repeats.value = checked;
            }}
          />
          <CheckField
            label="Changed only"
            checked={changesOnly.value}
            onChange={(checked) => {
              changesOnly.value = checked;
            }}
          />
          <span class="grow" />
          <SearchBox
            label="Filter metrics"
            value={filter.value}
            testId="metric-filter"
            onInput={(text) => {
              filter.value = text;
            }}
          />
        </>
      }
    >
      <ErrorNotice error={error.value} testId="metrics-error" />
      <DataTable<MetricRow>
        id="metrics"
        label="Metrics"
        testId="metric-table"
        columns={columns}
        rows={found}
        keyOf={keyOfSample}
        empty={all.length === 0 ? null : <p>No metric fits the filter.</p>}
      />
    </Panel>
  );
};
