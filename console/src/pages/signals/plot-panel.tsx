import { formatCount, formatRate, sentence } from '../../format/figures.ts';
import { paneModes } from '../../plot/panes.ts';
import { PlotArea } from '../../plot/plot-area.tsx';
import { beat, frozen, paneMode, showAll, togglePause } from '../../plot/view-state.ts';
import { WindowSwitch } from '../../plot/window-switch.tsx';
import { gapLines } from '../../samples/gap-log.ts';
import {
  choices,
  clearSamples,
  expired,
  feed,
  isRebuilding,
  planError,
  plotState,
  rate,
  rebuild,
} from '../../samples/signals-state.ts';
import { Segments, unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { connectionText, StateMark } from '../../ui/state-mark.tsx';
import { exportCsv } from './export-csv.ts';

const isRunning = (): boolean => plotState.value !== 'stopped' && plotState.value !== 'ended';

const Figures = () => {
  void beat.value;
  const parts = [];
  if (feed.state.value === 'live') parts.push(`${formatRate(rate.value)}/s`);
  if (feed.cursor !== null) parts.push(`#${formatCount(feed.cursor)}`);
  return (
    <span
      class="quiet"
      data-testid="signals-figures"
      title="Samples per second · sequence number of the last sample"
    >
      {parts.join(' · ')}
    </span>
  );
};

const StreamControls = () => (
  <>
    <StateMark
      state={plotState.value}
      label={plotState.value === 'idle' ? 'No signals selected' : connectionText(plotState.value)}
      testId="signals-status"
      live
    />
    <button
      type="button"
      data-testid="signals-toggle"
      onClick={() => (isRunning() ? feed.stop() : feed.start())}
    >
      {isRunning() ? 'Stop' : 'Start'}
    </button>
    <Figures />
  </>
);

const ViewControls = () => (
  <>
    <button
      type="button"
      data-testid="signals-pause"
      aria-pressed={frozen.value !== null}
      onClick={togglePause}
    >
      {frozen.value ? 'Resume' : 'Pause'}
    </button>
    <WindowSwitch testId="signals-window" />
    <button type="button" onClick={showAll} title="Show all stored samples">
      All
    </button>
    <Segments
      label="Panes by"
      hasLegend
      value={paneMode.value}
      choices={paneModes.map((value) => ({ value, label: sentence(value) }))}
      onChange={setter(paneMode)}
      testId="signals-panes"
    />
    <button
      type="button"
      data-testid="signals-export"
      title="Export the visible samples with exact values"
      onClick={exportCsv}
    >
      CSV
    </button>
    <button type="button" data-testid="signals-clear" onClick={clearSamples}>
      Clear
    </button>
  </>
);

const Gaps = () => {
  const lines = gapLines(feed.gaps.value);
  if (lines.length === 0) return null;
  return (
    <Notice tone="warn" testId="signals-gaps">
      {lines.map((line, index) => (
        <p key={line}>{index === 0 ? `▲ ${line}` : line}</p>
      ))}
    </Notice>
  );
};

const Expiry = () => {
  const origins = expired.value;
  if (origins.length === 0) return null;
  const names = origins.map(({ message }) => message).join(', ');
  return (
    <Notice tone="warn" testId="signals-expired">
      <div class="actions">
        <p>
          ■ {origins.length === 1 ? '1 plan has' : `${origins.length} plans have`} expired: {names}.
          Plans expire when the Web service stops or when they are deleted.
        </p>
        <button
          type="button"
          class="primary"
          data-testid="rebuild-all"
          {...unusableWhile(isRebuilding.value)}
          onClick={() => void rebuild(origins)}
        >
          {origins.length === 1 ? 'Rebuild' : 'Rebuild all'}
        </button>
      </div>
    </Notice>
  );
};

export const PlotPanel = () => (
  <Panel
    title="Plot"
    testId="signals"
    class="plot-panel"
    header={
      <>
        <StreamControls />
        <span class="grow" />
        <ViewControls />
      </>
    }
  >
    <ErrorNotice error={feed.error.value} tone="warn" testId="signals-notice" />
    <Gaps />
    <Expiry />
    <ErrorNotice error={planError.value} testId="signals-plan-error" />
    {choices.value.length === 0 ? (
      <div class="empty" data-testid="signals-empty">
        <p>No signals in the plot.</p>
        <p>Select signals in the catalog on the left to decode and plot them.</p>
        <p>
          If the catalog is empty, load a database on the <a href="#files">Files</a> page, or with{' '}
          <code>busbar database load vehicle.dbc</code>.
        </p>
      </div>
    ) : (
      <PlotArea page="signals" />
    )}
  </Panel>
);
