import { Fragment } from 'preact';
import { formatAge, formatMean } from '../../plot/figures.ts';
import { panes } from '../../plot/pane-layout.ts';
import { dashOf } from '../../plot/panes.ts';
import { readingAtCursor, remarksOnChoice, silenceText, valueText } from '../../plot/readings.ts';
import { type Statistics, statisticsOver } from '../../plot/statistics.ts';
import { LineKey, TrendLine } from '../../plot/trend-line.tsx';
import { beat, focusKey, shownRange } from '../../plot/view-state.ts';
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
import type { Column } from '../../ui/table-columns.ts';

interface Row {
  readonly key: string;
  readonly choice: SignalChoice;
  readonly series: SampleSeries;
  readonly statistics: Statistics;
  readonly remarks: readonly string[];
}

/** A button in a row does its own work, and does not choose the row as well. */
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

/** A plan ends with its channel: one that is opened again needs another. */
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

/** A plan that has ended can be rebuilt beside its state, which needs the room. */
const roomForState = (rows: readonly Row[]): number => {
  const has = (remark: string): boolean => rows.some(({ remarks }) => remarks.includes(remark));
  if (has('channel_closed')) return 240;
  return has('expired') ? 172 : 124;
};

const columnsFor = (rows: readonly Row[]): readonly Column<Row>[] => [
  {
    id: 'look',
    title: '',
    width: 60,
    text: ({ choice }) => (choice.isPlotted ? 'plotted' : ''),
    render: (row) => <PlotToggle row={row} />,
  },
  {
    id: 'signal',
    title: 'Signal',
    width: 152,
    least: 104,
    grows: true,
    text: ({ choice }) => choice.signal,
  },
  {
    id: 'value',
    title: 'Value',
    width: 76,
    align: 'end',
    mono: true,
    text: ({ series }) => series.latest?.value ?? '–',
  },
  { id: 'unit', title: 'Unit', width: 56, text: ({ series }) => series.latest?.unit ?? '' },
  {
    id: 'label',
    title: 'Label',
    width: 88,
    least: 64,
    grows: true,
    text: ({ series }) => series.latest?.label ?? '',
  },
  {
    id: 'state',
    title: 'State',
    width: Math.max(172, roomForState(rows)),
    least: roomForState(rows),
    text: ({ remarks }) => remarks.join(', '),
    render: (row) => <Remarks row={row} />,
  },
  {
    id: 'age',
    title: 'Age',
    width: 60,
    spare: -4,
    align: 'end',
    text: ({ series: { latest } }) =>
      latest ? formatAge(serviceNowUs() - latest.timestamp_us) : '–',
  },
  {
    id: 'trend',
    title: 'Trend',
    width: 96,
    least: 64,
    spare: -3,
    grows: true,
    text: () => '',
    render: ({ series, choice }) => <TrendLine trend={series.trend} look={choice.look} />,
  },
  {
    id: 'cursor',
    title: 'At cursor',
    width: 88,
    least: 80,
    spare: 0,
    align: 'end',
    mono: true,
    text: ({ series }) => readingAtCursor(series) ?? '',
  },
  {
    id: 'min',
    title: 'Min',
    width: 76,
    least: 68,
    spare: -2,
    align: 'end',
    mono: true,
    text: ({ series, statistics }) => figure(series, statistics.lowestAt),
  },
  {
    id: 'max',
    title: 'Max',
    width: 76,
    least: 68,
    spare: -2,
    align: 'end',
    mono: true,
    text: ({ series, statistics }) => figure(series, statistics.highestAt),
  },
  {
    id: 'mean',
    title: 'Mean',
    width: 80,
    least: 76,
    spare: -1,
    align: 'end',
    mono: true,
    text: ({ series, statistics }) => (series.isLabelled ? '–' : formatMean(statistics.mean)),
  },
  {
    id: 'last',
    title: 'Last',
    width: 84,
    spare: 3,
    align: 'end',
    mono: true,
    text: ({ series, statistics }) => valueText(series, statistics.lastAt),
  },
  {
    id: 'message',
    title: 'Message',
    width: 112,
    least: 88,
    spare: 2,
    text: ({ choice }) => choice.message,
  },
  {
    id: 'channel',
    title: 'Channel',
    width: 116,
    least: 88,
    spare: 1,
    text: ({ choice }) => choice.channel,
  },
  {
    id: 'plan',
    title: 'Plan',
    width: 116,
    mono: true,
    spare: 4,
    text: ({ choice }) => planText(choice),
  },
  {
    id: 'dismiss',
    title: '',
    width: 44,
    align: 'end',
    text: () => '',
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
  },
];

/** Every chosen signal: what it is now, what it was under the cursor and over the time in sight. */
export const SignalsTable = () => {
  void beat.value;
  const range = shownRange();
  const rows = choices.value.map((choice): Row => {
    const series = seriesOf(choice);
    return {
      key: choiceKey(choice),
      choice,
      series,
      statistics: statisticsOver(series, range),
      remarks: remarksOnChoice(choice),
    };
  });
  return (
    <DataTable
      id="signals"
      label="Selected signals"
      testId="signals-table"
      columns={columnsFor(rows)}
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
