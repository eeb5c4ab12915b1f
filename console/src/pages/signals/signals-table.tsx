import { Fragment } from 'preact';
import { type Measurement, measure, rangeOfCursors } from '../../plot/measure.ts';
import { panes } from '../../plot/pane-layout.ts';
import { dashOf } from '../../plot/panes.ts';
import {
  exactText,
  formatAge,
  formatMean,
  readingAtCursor,
  remarksOnChoice,
  silenceText,
  valueText,
} from '../../plot/readings.ts';
import { type Statistics, statisticsOver } from '../../plot/statistics.ts';
import { LineKey, TrendLine } from '../../plot/trend-line.tsx';
import { beats, cursors, focusKey, shownRange } from '../../plot/view-state.ts';
import type { SampleSeries } from '../../samples/sample-series.ts';
import { choiceKey, planFor, type SignalChoice } from '../../samples/signal-choices.ts';
import {
  choices,
  dismiss,
  isRebuilding,
  knownPlans,
  rebuild,
  seriesOf,
  togglePlotted,
} from '../../samples/signals-state.ts';
import { channels } from '../../state/bench.ts';
import { serviceNowUs } from '../../state/service-clock.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { unusableWhile } from '../../ui/fields.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { type Column, column, numbers, type Traits } from '../../ui/table-columns.ts';

interface Row {
  readonly key: string;
  readonly choice: SignalChoice;
  readonly series: SampleSeries;
  /** Over the view, or between the cursors. */
  readonly statistics: Statistics;
  readonly measurement: Measurement | null;
  readonly remarks: readonly string[];
}

const alone = (run: () => void) => (event: Event) => {
  event.stopPropagation();
  run();
};

const PlotToggle = ({ row: { key, choice } }: { readonly row: Row }) => (
  <button
    type="button"
    class="bare"
    aria-pressed={choice.isPlotted}
    aria-label={`Plot ${choice.signal}`}
    title={choice.isPlotted ? 'Hide in the plot' : 'Show in the plot'}
    onClick={alone(() => togglePlotted(key))}
  >
    <LineKey look={choice.look} dash={dashOf(panes.value, key)} />
  </button>
);

/** A plan ends with its channel, even if that is opened again. */
const canBeRebuilt = (remark: string, { selector }: SignalChoice): boolean =>
  remark === 'expired' ||
  (remark === 'channel_closed' &&
    (channels.data.value?.channels ?? []).some((channel) => channel.selector === selector));

const Remarks = ({ row: { choice, remarks, series } }: { readonly row: Row }) => {
  if (remarks.length === 0) return <StateMark state="ok" label={series.latest ? 'valid' : '–'} />;
  return (
    <>
      {remarks.map((remark) => (
        <Fragment key={remark}>
          <StateMark
            state={remark}
            label={remark === 'no sample yet' ? remark : remark.replaceAll('_', ' ').toUpperCase()}
          />
          {canBeRebuilt(remark, choice) && (
            <button
              type="button"
              class="inline"
              data-testid="rebuild"
              {...unusableWhile(isRebuilding.value)}
              onClick={alone(() => void rebuild([choice]))}
            >
              Rebuild
            </button>
          )}{' '}
        </Fragment>
      ))}
    </>
  );
};

const planText = (choice: SignalChoice): string =>
  planFor(choice, knownPlans.value ?? [])?.plan_id ?? '–';

const figure = (series: SampleSeries, index: number | null): string =>
  index === null ? '–' : (series.textAt(index) ?? '–');

const ageText = (latest: SampleSeries['latest']): string =>
  latest ? formatAge(serviceNowUs() - latest.timestamp_us) : '–';

const meanText = ({ series, statistics }: Row): string =>
  series.isLabelled ? '–' : formatMean(statistics.mean);

const roomForState = (rows: readonly Row[]): number => {
  const has = (remark: string): boolean => rows.some(({ remarks }) => remarks.includes(remark));
  if (has('channel_closed')) return 240;
  return has('expired') ? 172 : 124;
};

const plotted = column<Row>('look', '', 60, ({ choice }) => (choice.isPlotted ? 'plotted' : ''), {
  render: (row) => <PlotToggle row={row} />,
});
const signal = column<Row>('signal', 'Signal', 152, ({ choice }) => choice.signal, {
  least: 104,
  grows: true,
});
const unit = column<Row>('unit', 'Unit', 56, ({ series }) => series.latest?.unit ?? '');
const message = column<Row>('message', 'Message', 112, ({ choice }) => choice.message, {
  least: 88,
  spare: 2,
});
const channel = column<Row>('channel', 'Channel', 116, ({ choice }) => choice.channel, {
  least: 88,
  spare: 1,
});
const dismissal = numbers<Row>('dismiss', '', 44, () => '', {
  render: ({ key, choice }) => (
    <button
      type="button"
      class="bare"
      aria-label={`Remove ${choice.signal}`}
      title="Remove the signal; its plan continues"
      onClick={alone(() => dismiss(key))}
    >
      ✕
    </button>
  ),
});

const stateColumn = (rows: readonly Row[], traits: Traits<Row> = {}): Column<Row> =>
  column('state', 'State', Math.max(172, roomForState(rows)), ({ remarks }) => remarks.join(', '), {
    least: roomForState(rows),
    render: (row) => <Remarks row={row} />,
    ...traits,
  });

const figures = (suffix: string, rank: number): readonly Column<Row>[] => [
  numbers(
    'min',
    `Min${suffix}`,
    76,
    ({ series, statistics }) => figure(series, statistics.lowestAt),
    {
      least: 68,
      spare: rank,
      mono: true,
    },
  ),
  numbers(
    'max',
    `Max${suffix}`,
    76,
    ({ series, statistics }) => figure(series, statistics.highestAt),
    {
      least: 68,
      spare: rank,
      mono: true,
    },
  ),
  numbers('mean', `Mean${suffix}`, 80, meanText, { least: 76, spare: rank + 1, mono: true }),
];

const measured = (
  id: string,
  title: string,
  text: (measurement: Measurement, series: SampleSeries) => string,
  traits: Traits<Row> = {},
): Column<Row> =>
  numbers(
    id,
    title,
    88,
    ({ measurement, series }) => (measurement ? text(measurement, series) : null),
    {
      least: 72,
      mono: true,
      ...traits,
    },
  );

/** Differences between names of values mean nothing. */
const unlessLabelled = (series: SampleSeries, text: string | null): string =>
  series.isLabelled || text === null ? '–' : text;

const measuringColumns = (rows: readonly Row[]): readonly Column<Row>[] => [
  plotted,
  signal,
  { ...unit, spare: 2 },
  measured('a', 'At A', ({ aAt }, series) => exactText(series, aAt)),
  measured('b', 'At B', ({ bAt }, series) => exactText(series, bAt)),
  measured('difference', 'B − A', ({ difference }, series) => unlessLabelled(series, difference)),
  measured(
    'slope',
    'Slope /s',
    ({ perSecond }, series) => unlessLabelled(series, formatMean(perSecond)),
    { spare: -1 },
  ),
  ...figures(' A–B', -2),
  numbers('samples', 'Samples A–B', 96, ({ statistics }) => statistics.count, { spare: 1 }),
  stateColumn(rows, { spare: 3 }),
  message,
  channel,
  dismissal,
];

const liveColumns = (rows: readonly Row[]): readonly Column<Row>[] => [
  plotted,
  signal,
  numbers('value', 'Value', 76, ({ series }) => series.latest?.value ?? '–', { mono: true }),
  unit,
  column('label', 'Label', 88, ({ series }) => series.latest?.label ?? '', {
    least: 64,
    grows: true,
  }),
  stateColumn(rows),
  numbers('age', 'Age', 60, ({ series: { latest } }) => ageText(latest), { spare: -4 }),
  column('trend', 'Trend', 96, () => '', {
    least: 64,
    spare: -3,
    grows: true,
    render: ({ series, choice }) => <TrendLine trend={series.trend} look={choice.look} />,
  }),
  numbers('cursor', 'At cursor', 88, ({ series }) => readingAtCursor(series) ?? '', {
    least: 80,
    spare: 0,
    mono: true,
  }),
  ...figures('', -2),
  numbers('last', 'Last', 84, ({ series, statistics }) => valueText(series, statistics.lastAt), {
    spare: 3,
    mono: true,
  }),
  message,
  channel,
  column('plan', 'Plan', 116, ({ choice }) => planText(choice), { mono: true, spare: 4 }),
  dismissal,
];

export const SignalsTable = () => {
  void beats.signals.value;
  const placed = cursors.value;
  const range = placed ? rangeOfCursors(placed) : shownRange();
  const rows = choices.value.map((choice): Row => {
    const series = seriesOf(choice);
    return {
      key: choiceKey(choice),
      choice,
      series,
      statistics: statisticsOver(series, range),
      measurement: placed && measure(series, placed),
      remarks: remarksOnChoice(choice),
    };
  });
  return (
    <DataTable
      id="signals"
      label="Selected signals"
      columns={placed ? measuringColumns(rows) : liveColumns(rows)}
      rows={rows}
      keyOf={({ key }) => key}
      selected={({ key }) => key === focusKey.value}
      onSelect={({ key }) => {
        focusKey.value = focusKey.peek() === key ? null : key;
      }}
      rowAttributes={({ choice, series, remarks }) => ({
        'data-signal': choice.signal,
        'data-message': choice.message,
        'data-state': remarks.join(' '),
        'data-silent': silenceText(series) ?? undefined,
      })}
      empty={<p>No signals selected. Select signals in the catalog on the left.</p>}
    />
  );
};
