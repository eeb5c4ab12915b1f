import type { Signal } from '@preact/signals';
import { formatCount, formatRate } from '../../format/figures.ts';
import { align, hasFileSignals, isAligned } from '../../plot/file-signals.ts';
import type { AxisMode, PaneMode } from '../../plot/panes.ts';
import { PlotArea } from '../../plot/plot-area.tsx';
import {
  axisMode,
  axisRanges,
  beats,
  cursors,
  fitAxes,
  frozen,
  type LineMode,
  lineMode,
  paneMode,
  showAll,
  toggleCursors,
  togglePause,
} from '../../plot/view-state.ts';
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
import { connectionText, StateMark } from '../../ui/state-mark.tsx';
import { ExportMenu } from './export-menu.tsx';

const isRunning = (): boolean => plotState.value !== 'stopped' && plotState.value !== 'ended';

const Figures = () => {
  void beats.signals.value;
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

const paneNames: Readonly<Record<PaneMode, string>> = {
  unit: 'Panes by unit',
  signal: 'Panes by signal',
  one: 'One pane',
};
const axisNames: Readonly<Record<AxisMode, string>> = {
  unit: 'Axes by unit',
  signal: 'Axes by signal',
};
const lineNames: Readonly<Record<LineMode, string>> = { line: 'Lines', step: 'Steps' };

interface ViewSelectProps<Mode extends string> {
  readonly label: string;
  readonly of: Signal<Mode>;
  readonly names: Readonly<Record<Mode, string>>;
  readonly testId: string;
}

const ViewSelect = <Mode extends string>(props: ViewSelectProps<Mode>) => (
  <select
    aria-label={props.label}
    title={props.label}
    value={props.of.value}
    data-testid={props.testId}
    onChange={(event) => {
      props.of.value = event.currentTarget.value as Mode;
    }}
  >
    {Object.entries<string>(props.names).map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </select>
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
    {hasFileSignals.value && (
      <Segments
        label="Times of the file"
        hasLegend
        value={isAligned.value ? 'aligned' : 'recorded'}
        choices={[
          { value: 'recorded', label: 'Recorded' },
          { value: 'aligned', label: 'Aligned' },
        ]}
        onChange={(value) => {
          align(value === 'aligned');
          showAll();
        }}
        testId="signals-file-times"
      />
    )}
    <ViewSelect label="Panes" of={paneMode} names={paneNames} testId="signals-panes" />
    <ViewSelect label="Axes" of={axisMode} names={axisNames} testId="signals-axes" />
    <ViewSelect label="Lines" of={lineMode} names={lineNames} testId="signals-lines" />
    <button
      type="button"
      data-testid="signals-fit"
      title="Fit all axes that are not locked to their lines (F)"
      {...unusableWhile(Object.values(axisRanges.value).every(({ isLocked }) => isLocked))}
      onClick={() => fitAxes()}
    >
      Fit
    </button>
    <button
      type="button"
      data-testid="signals-cursors"
      aria-pressed={cursors.value !== null}
      title="Measure between two cursors (C)"
      onClick={toggleCursors}
    >
      Cursors
    </button>
    <ExportMenu />
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
