import './signals.css';

// Signals of gateway instances share the plot.
import '../../gateway/plotted-signals.ts';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatInstant, formatMicroseconds } from '../../format/figures.ts';
import {
  beat,
  cursorUs,
  frozen,
  showAll,
  showLive,
  shownRange,
  togglePause,
} from '../../plot/view-state.ts';
import {
  choices,
  clearSamples,
  expired,
  feed,
  knownPlans,
  measureRate,
  rebuild,
} from '../../samples/signals-state.ts';
import { plans } from '../../state/bench.ts';
import { offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/pages.ts';
import { useInterval } from '../../state/use-interval.ts';
import { Segments } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { CatalogPanel } from './catalog-panel.tsx';
import { exportCsv } from './export-csv.ts';
import { PlansTable } from './plans-table.tsx';
import { PlotPanel } from './plot-panel.tsx';
import { SignalsTable } from './signals-table.tsx';

const rateMs = 200;

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
  { id: 'signals-clear', group, title: 'Clear samples and gaps', run: here(clearSamples) },
  { id: 'signals-csv', group, title: 'Export samples as CSV', run: here(exportCsv) },
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

const ViewFigures = () => {
  void beat.value;
  const { fromUs, toUs } = shownRange();
  const cursor = cursorUs.value;
  return (
    <span class="quiet">
      {cursor !== null && 'Cursor '}
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
  useInterval('signals', beat);
  useEffect(() => offerCommands(commands), []);
  useEffect(() => {
    const timer = setInterval(measureRate, rateMs);
    return () => clearInterval(timer);
  }, []);

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
