import './signals.css';
import '../../gateway/plotted-signals.ts';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import type { SignalPlan } from '../../api/client.ts';
import { counted, formatInstant, formatMicroseconds } from '../../format/figures.ts';
import { formatMean, formatSpan } from '../../plot/readings.ts';
import {
  beats,
  cursors,
  cursorUs,
  fitAxes,
  frozen,
  showAll,
  showLive,
  shownRange,
  toggleCursors,
  togglePause,
} from '../../plot/view-state.ts';
import { originKey, type PlanOrigin } from '../../samples/signal-choices.ts';
import {
  choices,
  clearSamples,
  deletePlan,
  expired,
  feed,
  isRebuilding,
  knownPlans,
  measureRate,
  rebuild,
} from '../../samples/signals-state.ts';
import { plans } from '../../state/bench.ts';
import { offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/pages.ts';
import { useInterval, useTicks } from '../../state/use-interval.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Segments, unusableWhile } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { CatalogPanel } from './catalog-panel.tsx';
import { exportAs, exportFormats, exportNames } from './export-menu.tsx';
import { PlotPanel } from './plot-panel.tsx';
import { SignalsTable } from './signals-table.tsx';

type Row =
  | { readonly plan: SignalPlan; readonly origin: null }
  | { readonly plan: null; readonly origin: PlanOrigin };

const stateText = ({ plan }: Row): string => {
  if (!plan) return 'expired';
  return plan.channel_open ? 'active' : 'channel_closed';
};

const fieldOf = (row: Row): Pick<PlanOrigin, 'channel' | 'selector' | 'history'> =>
  row.plan ?? row.origin;

const databaseText = ({ plan, origin }: Row): string =>
  plan ? plan.databases.join(', ') : origin.database;

/** A plan of a whole database has many messages. */
const messageText = ({ plan, origin }: Row): string => {
  if (!plan) return origin.message;
  return plan.message ?? counted(plan.messages.length, 'message');
};

const idText = ({ plan }: Row): string =>
  plan && plan.id !== null ? hexDigits(plan.id, plan.extended ? 8 : 3) : '–';

const Action = ({ row }: { readonly row: Row }) =>
  row.plan ? (
    <button
      type="button"
      class="inline"
      title="Delete the plan for all clients"
      onClick={() => void deletePlan(row.plan.plan_id)}
    >
      Delete
    </button>
  ) : (
    <button
      type="button"
      class="inline"
      {...unusableWhile(isRebuilding.value)}
      onClick={() => void rebuild([row.origin])}
    >
      Rebuild
    </button>
  );

const columns: readonly Column<Row>[] = [
  states('state', 'State', 128, stateText),
  column('plan', 'Plan', 120, ({ plan }) => plan?.plan_id ?? '–', { mono: true }),
  column('channel', 'Channel', 128, (row) => fieldOf(row).channel, { grows: true }),
  column('selector', 'Selector', 104, (row) => fieldOf(row).selector, { spare: 1, mono: true }),
  column('database', 'Database', 96, databaseText, { grows: true }),
  column('message', 'Message', 120, messageText, { grows: true }),
  column('id', 'ID', 80, idText, { mono: true }),
  numbers('signals', 'Signals', 72, ({ plan }) => plan?.signals.length ?? '–'),
  numbers('frames', 'Frames', 96, ({ plan }) => plan?.frames ?? '–'),
  numbers('history', 'History', 72, (row) => fieldOf(row).history),
  numbers('action', '', 92, () => '', { render: (row) => <Action row={row} /> }),
];

const PlansTable = () => {
  const rows: readonly Row[] = [
    ...expired.value.map((origin): Row => ({ plan: null, origin })),
    ...(knownPlans.value ?? []).map((plan): Row => ({ plan, origin: null })),
  ];
  return (
    <DataTable
      id="plans"
      label="Signal plans"
      columns={columns}
      rows={rows}
      keyOf={(row) => (row.plan ? row.plan.plan_id : originKey(row.origin))}
      rowAttributes={(row) => ({
        'data-message': messageText(row),
        'data-state': stateText(row),
      })}
      empty={
        <p>No signal plans. Selecting a signal in the catalog creates a plan for its message.</p>
      }
    />
  );
};

// Signals of gateway instances share the plot.

const group = 'Signals';

/** A command from another page also opens this one. */
const here = (run: () => void) => () => {
  goTo('signals');
  run();
};

const commands = () => [
  {
    id: 'signals-pause',
    group,
    title: frozen.value ? 'Resume the plot' : 'Pause the plot',
    keys: 'Space',
    run: here(togglePause),
  },
  { id: 'signals-live', group, title: 'Show the latest samples', keys: '0', run: here(showLive) },
  { id: 'signals-all', group, title: 'Show all samples', run: here(showAll) },
  {
    id: 'signals-cursors',
    group,
    title: cursors.value ? 'Remove the cursors' : 'Measure between two cursors',
    keys: 'C',
    run: here(toggleCursors),
  },
  {
    id: 'signals-fit',
    group,
    title: 'Fit the axes to their lines',
    keys: 'F',
    run: here(() => fitAxes()),
  },
  { id: 'signals-clear', group, title: 'Clear samples and gaps', run: here(clearSamples) },
  ...exportFormats.map((format) => ({
    id: `signals-${format}`,
    group,
    title: `Export the plot as ${exportNames[format]}`,
    run: here(() => void exportAs(format)),
  })),
  ...(expired.value.length > 0
    ? [
        {
          id: 'signals-rebuild',
          group,
          title: 'Rebuild expired signal plans',
          run: here(() => void rebuild(expired.peek())),
        },
      ]
    : []),
  feed.state.value === 'stopped'
    ? {
        id: 'signals-start',
        group,
        title: 'Start the signal stream',
        run: here(() => feed.start()),
      }
    : { id: 'signals-stop', group, title: 'Stop the signal stream', run: here(() => feed.stop()) },
];

const CursorFigures = () => {
  const placed = cursors.value;
  if (!placed) return null;
  const betweenUs = placed.b - placed.a;
  return (
    <span class="mono" data-testid="signals-measured">
      A {formatInstant(placed.a, 6)} · B {formatInstant(placed.b, 6)} · Δt {formatSpan(betweenUs)}
      {betweenUs !== 0 && ` · 1/Δt ${formatMean(1e6 / Math.abs(betweenUs))} Hz`}
    </span>
  );
};

const ViewFigures = () => {
  void beats.signals.value;
  const { fromUs, toUs } = shownRange();
  const cursor = cursorUs.value;
  return (
    <span class="quiet">
      <CursorFigures />
      {cursors.value && ' · '}
      {cursor !== null && 'Pointer '}
      <span class="mono" data-testid="signals-cursor">
        {cursor !== null && formatInstant(cursor, 6)}
      </span>
      {cursor !== null && ' · '}
      Window {formatMicroseconds(toUs - fromUs)}, ending{' '}
      <span class="mono">{formatInstant(toUs)}</span>
    </span>
  );
};

export const SignalsPage = () => {
  useResource(plans, 'signals');
  const tab = useSignal<'signals' | 'plans'>('signals');
  useInterval('signals', beats.signals);
  useTicks('signals', measureRate);
  useEffect(() => offerCommands(commands), []);

  return (
    <div class="signals-page">
      <CatalogPanel />
      <PlotPanel />
      <Panel
        title="Values"
        class="figures"
        testId="figures"
        freshness={freshness(plans)}
        header={
          <>
            <Segments
              label="Show"
              hasLegend
              value={tab.value}
              choices={[
                { value: 'signals', label: `Signals (${choices.value.length})` },
                { value: 'plans', label: `Plans (${knownPlans.value?.length ?? '–'})` },
              ]}
              onChange={setter(tab)}
              testId="signals-tab"
            />
            <span class="grow" />
            <ViewFigures />
          </>
        }
      >
        {tab.value === 'signals' ? <SignalsTable /> : <PlansTable />}
      </Panel>
    </div>
  );
};
