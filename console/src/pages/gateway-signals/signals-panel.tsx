import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { GatewaySignal } from '../../api/client.ts';
import {
  formatAge,
  formatCount,
  formatInstant,
  formatNumber,
  sentence,
} from '../../format/figures.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { isPlotted, togglePlotted } from '../../gateway/plotted-signals.ts';
import {
  QualityMark,
  qualityText,
  tableValueText,
  valueText,
} from '../../gateway/quality-mark.tsx';
import { TrendLine } from '../../plot/trend-line.tsx';
import { serviceNowUs } from '../../state/service-clock.ts';
import { Segments } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx';
import { setter, setting } from '../../ui/set-signal.ts';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { SetControl } from './set-control.tsx';
import { rowsFound, type SignalFilter, signalFilters } from './signal-search.ts';

const searchText = signal('');
export const filter = signal<SignalFilter>('all');
const pickedSignal = signal<string | null>(null);
export const pickedTask = signal<string | null>(null);
/** Changes twice a second while the page is visible, because ages grow without events. */
export const beat = signal(0);

const bindingColumns: readonly PlainColumn<GatewaySignal['bindings'][number]>[] = [
  ['Binding', ({ id }) => <span title={id}>{id}</span>],
  ['Raw value', ({ raw }) => raw, 'number mono'],
  [
    'State',
    ({ valid, error }) => {
      if (!error) return valid ? 'valid' : 'invalid';
      return (
        <span data-tone="bad" title={error.message}>
          <span aria-hidden="true">▲</span> {error.message} ({error.code})
        </span>
      );
    },
  ],
];

const flowPlace = (instance: string, signal: string): string =>
  `#flow?${new URLSearchParams({ instance, node: `signal:${signal}` })}`;

interface SignalDetailProps {
  readonly instance: FollowedInstance;
  readonly entry: GatewaySignal;
}

const SignalDetail = ({ instance, entry }: SignalDetailProps) => {
  const observedUs = instance.signals.observedUsAt(instance.signals.rowOf(entry.id));
  const isSettable = entry.producer === 'software' && instance.state !== 'gone';
  return (
    <div
      class="signal-detail"
      data-testid="signal-detail"
      data-stale={instance.held === null ? undefined : ''}
    >
      <header>
        <h3>{entry.id}</h3>
        <span class="mono">{valueText(entry)}</span>
        <QualityMark quality={entry.quality} held={instance.held} />
        <span class="grow" />
        <button
          type="button"
          class="inline"
          aria-label="Close details"
          onClick={setting(pickedSignal, null)}
        >
          ✕
        </button>
      </header>
      <div class="signal-facts">
        <div>
          <p class="quiet">
            {entry.type}, {entry.producer}
            {entry.producer !== 'constant' &&
              `; last update: ${observedUs === null ? 'never' : formatInstant(observedUs)}`}{' '}
            <a href={flowPlace(instance.name, entry.id)} data-testid="signal-flow">
              Show in flow
            </a>
          </p>
          {entry.error && (
            <p data-tone="bad" data-testid="signal-error">
              <span aria-hidden="true">▲</span> {entry.error.message}.{' '}
              <a href={flowPlace(instance.name, entry.id)}>Show the source in the flow</a>
            </p>
          )}
          {isSettable && (
            <SetControl
              key={instance.generation.value}
              instance={instance}
              entry={entry}
              canSend={instance.state === 'live'}
            />
          )}
        </div>
        {entry.bindings.length > 0 ? (
          <PlainTable
            class="bindings"
            columns={bindingColumns}
            rows={entry.bindings}
            keyOf={({ id }) => id}
            testId="signal-bindings"
          />
        ) : (
          <p class="quiet">Not transmitted directly.</p>
        )}
      </div>
    </div>
  );
};

interface Row {
  readonly row: number;
  readonly entry: GatewaySignal;
}

const bindingText = ({ bindings }: GatewaySignal): string =>
  bindings.map(({ raw, error }) => `${formatNumber(raw)}${error === null ? '' : ' ▲'}`).join(', ');

const columnsOf = (instance: FollowedInstance): readonly Column<Row>[] => [
  column('plot', 'Plot', 46, ({ entry }) => (isPlotted(instance.name, entry.id) ? 'yes' : ''), {
    render: ({ entry }) => (
      <input
        type="checkbox"
        aria-label={`Plot ${entry.id}`}
        data-testid="plot-signal"
        checked={isPlotted(instance.name, entry.id)}
        onClick={(event) => event.stopPropagation()}
        onChange={() => togglePlotted(instance.name, entry)}
      />
    ),
  }),
  column('id', 'Signal', 176, ({ entry }) => entry.id, { least: 112, grows: true }),
  numbers('value', 'Value', 156, ({ entry }) => valueText(entry), {
    least: 112,
    render: ({ entry }) => <span title={valueText(entry)}>{tableValueText(entry)}</span>,
  }),
  column('quality', 'Quality', 124, ({ entry }) => qualityText(entry.quality, instance.held), {
    render: ({ entry }) => <QualityMark quality={entry.quality} held={instance.held} />,
  }),
  numbers('age', 'Age', 64, ({ row, entry }) =>
    entry.producer === 'constant'
      ? 'constant'
      : formatAge(instance.signals.observedUsAt(row), serviceNowUs()),
  ),
  column('trend', 'Trend', 116, () => '', {
    spare: 1,
    render: ({ row }) => {
      const trend = instance.signals.trendAt(row);
      return trend && <TrendLine trend={trend} look={0} />;
    },
  }),
  column('raws', 'Raw value', 112, ({ entry }) => bindingText(entry), { spare: 2, mono: true }),
  column('producer', 'Source', 76, ({ entry }) => entry.producer, { spare: 3 }),
];

const Search = () => (
  <>
    <input
      type="search"
      placeholder="Search signals"
      aria-label="Search signals"
      data-testid="gateway-signal-search"
      value={searchText.value}
      onInput={(event) => {
        searchText.value = event.currentTarget.value;
      }}
    />
    <Segments
      label="Signals"
      value={filter.value}
      choices={signalFilters.map((value) => ({ value, label: sentence(value) }))}
      onChange={setter(filter)}
      testId="gateway-signal-filter"
    />
  </>
);

export const SignalsPanel = ({ instance }: { readonly instance: FollowedInstance }) => {
  void [instance.frame.value, beat.value];
  const { signals } = instance;
  const columns = useMemo(() => columnsOf(instance), [instance]);
  // IDs never change: the matching rows depend only on the search and the qualities.
  const version = filter.value === 'not good' ? signals.revision : signals.count;
  const rows = useMemo(
    () => rowsFound(signals.entries, searchText.value, filter.value),
    [signals, searchText.value, filter.value, version, instance.generation.value],
  );
  const picked = pickedSignal.value === null ? null : signals.get(pickedSignal.value);
  return (
    <ListPanel
      name="gateway-signals"
      title="Signals"
      class="gateway-signal-list"
      header={
        <>
          <span class="aside" data-testid="gateway-signal-count">
            {rows.length === signals.count
              ? formatCount(signals.count)
              : `${formatCount(rows.length)} of ${formatCount(signals.count)}`}
          </span>
          <span class="grow" />
          <Search />
        </>
      }
      columns={columns}
      count={rows.length}
      rowAt={(index) => {
        const row = rows[index] ?? 0;
        return { row, entry: signals.at(row) as GatewaySignal };
      }}
      keyOf={({ entry }) => entry.id}
      selected={({ entry }) => entry.id === pickedSignal.value}
      onSelect={({ entry }) => {
        pickedSignal.value = entry.id;
      }}
      rowAttributes={({ entry }) => ({
        'data-signal': entry.id,
        'data-quality': entry.quality,
        'data-stale': instance.held === null ? undefined : '',
      })}
      empty={
        signals.count === 0
          ? 'This instance has no signals.'
          : 'No matches. Change the search or the filter.'
      }
      footer={picked && <SignalDetail key={picked.id} instance={instance} entry={picked} />}
    />
  );
};
