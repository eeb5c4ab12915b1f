import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatTime } from '../../format/figures.ts';
import { metrics } from '../../state/bench.ts';
import { CheckField } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { type Column, column } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import {
  keyOfSample,
  type MetricRow,
  matchesMetric,
  parseMetrics,
  withChanges,
} from './metrics-text.ts';
import { SearchHeader } from './operations-view.tsx';

const figures = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 9 });

const changeText = ({ change }: MetricRow): string => {
  if (change === null) return 'new';
  if (change === 0 || Number.isNaN(change)) return '';
  return `${change > 0 ? '+' : '−'}${figures.format(Math.abs(change))}`;
};

const columns: readonly Column<MetricRow>[] = [
  column('name', 'Metric', 330, ({ name }) => name, {
    ...{ least: 240, mono: true },
    render: ({ name, help }) => <span title={help}>{name}</span>,
  }),
  column('labels', 'Labels', 440, ({ labels }) => labels, { least: 150, grows: true, mono: true }),
  column('value', 'Value', 112, ({ value }) => figures.format(value), { align: 'end', mono: true }),
  column('change', 'Change', 96, changeText, { spare: -1, align: 'end', mono: true }),
  column('type', 'Type', 84, ({ type }) => type, { spare: 1 }),
  column('help', 'Description', 420, ({ help }) => help, { least: 280, spare: 0, grows: true }),
];

const useChanges = (): readonly MetricRow[] => {
  const rows = useSignal<readonly MetricRow[]>([]);
  useEffect(
    () =>
      metrics.data.subscribe((text) => {
        if (text === null) return;
        const samples = parseMetrics(text);
        // In the first reading no sample counts as new.
        const known = rows.peek().length > 0 ? rows.peek() : samples;
        const before = new Map(known.map((row) => [keyOfSample(row), row.value]));
        rows.value = withChanges(samples, before);
      }),
    [rows],
  );
  return rows.value;
};

export const MetricsView = ({ isInFront }: { readonly isInFront: boolean }) => {
  const repeats = useSignal(false);
  const filter = useSignal('');
  const changesOnly = useSignal(false);
  const { updatedAt } = useResource(metrics, repeats.value && isInFront ? 'api' : undefined);
  const all = useChanges();
  const found = all.filter(
    (row) => matchesMetric(row, filter.value) && (!changesOnly.value || row.change !== 0),
  );
  return (
    <ListPanel<MetricRow>
      name="metrics"
      title="Metrics"
      source={metrics}
      header={
        <SearchHeader
          name="metrics"
          found={found.length}
          all={all.length}
          label="Filter metrics"
          search={filter}
        >
          <span class="quiet">{updatedAt.value && formatTime(updatedAt.value)}</span>
          <button
            type="button"
            data-testid="refresh-metrics"
            onClick={() => void metrics.refresh()}
          >
            Refresh
          </button>
          <CheckField label="Every second" checked={repeats.value} onChange={setter(repeats)} />
          <CheckField
            label="Changed only"
            checked={changesOnly.value}
            onChange={setter(changesOnly)}
          />
        </SearchHeader>
      }
      columns={columns}
      rows={found}
      keyOf={keyOfSample}
      empty={all.length === 0 ? null : <p>No metric matches the filter.</p>}
    />
  );
};
