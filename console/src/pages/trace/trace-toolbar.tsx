import type { ReadonlySignal } from '@preact/signals';
import { counted, formatCount, formatRate } from '../../format/figures.ts';
import { gapSum, type TimeMode, timeModes } from '../../trace-core/frame-text.ts';
import { keptFrames, type WindowFacts } from '../../trace-core/trace-engine.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { ExportMenu } from './export-menu.tsx';
import { OlderNote } from './frame-table.tsx';
import {
  isLoadingOlder,
  isTraceWanted,
  startTrace,
  stopTrace,
  traceStatus,
} from './trace-client.ts';
import { traceState } from './trace-lag.ts';
import {
  chooseTime,
  chooseView,
  clear,
  isPaused,
  loadOlder,
  pause,
  resume,
  type TraceView,
  timeMode,
  view,
} from './trace-state.ts';

const viewNames: Readonly<Record<TraceView, string>> = { frames: 'In order', 'by-id': 'By id' };
const timeNames: Readonly<Record<TimeMode, string>> = {
  absolute: 'Time of day',
  relative: 'From first',
  delta: 'From previous',
};

const ViewSwitch = () => (
  <fieldset class="switch" data-testid="trace-view">
    <legend>View</legend>
    {(Object.keys(viewNames) as TraceView[]).map((name) => (
      <label key={name}>
        <input
          type="radio"
          name="trace-view"
          value={name}
          checked={view.value === name}
          onChange={() => chooseView(name)}
        />
        <span>{viewNames[name]}</span>
      </label>
    ))}
  </fieldset>
);

const TimeChoice = () => (
  <label>
    Time{' '}
    <select
      value={timeMode.value}
      data-testid="trace-time"
      onChange={(event) => chooseTime(event.currentTarget.value as TimeMode)}
    >
      {timeModes.map((mode) => (
        <option key={mode} value={mode}>
          {timeNames[mode]}
        </option>
      ))}
    </select>
  </label>
);

interface FiguresProps {
  readonly facts: ReadonlySignal<WindowFacts | null>;
}

const Figures = ({ facts }: FiguresProps) => {
  const { perSecond, gaps, missing, uncounted, unlisted } = traceStatus.value;
  const shown = facts.value;
  const noun = view.value === 'frames' ? 'row' : 'id';
  const rows =
    shown && shown.count !== shown.total
      ? `${formatCount(shown.count)} of ${counted(shown.total, noun)}`
      : counted(shown?.total ?? 0, noun);
  return (
    <span class="trace-figures" title={`The newest ${formatCount(keptFrames)} frames are kept`}>
      <span data-testid="trace-rate">{formatRate(perSecond)} /s</span>
      <span data-testid="trace-rows">{rows}</span>
      {view.value === 'by-id' && unlisted > 0 && (
        <span data-tone="warn">{counted(unlisted, 'frame')} of further ids</span>
      )}
      <span data-testid="trace-gaps" data-tone={gaps > 0 ? 'warn' : 'idle'} data-gaps={gaps}>
        {gapSum(gaps, missing, uncounted)}
      </span>
    </span>
  );
};

/** How the stream is, and everything that can be done with the trace. */
export const TraceToolbar = ({ facts }: FiguresProps) => {
  return (
    <>
      <StateMark {...traceState.value} testId="trace-status" live />
      <button
        type="button"
        data-testid="trace-toggle"
        title="Stops or starts receiving; starting goes on behind the last event"
        onClick={() => (isTraceWanted() ? stopTrace() : startTrace())}
      >
        {isTraceWanted() ? 'Stop' : 'Start'}
      </button>
      <button
        type="button"
        class={isPaused.value ? 'primary' : ''}
        data-testid="trace-pause"
        aria-pressed={isPaused.value}
        title="Space in the table; receiving goes on in the background"
        onClick={() => (isPaused.value ? resume() : pause())}
      >
        {isPaused.value ? 'Resume view' : 'Pause view'}
      </button>
      <button
        type="button"
        data-testid="trace-older"
        {...unusableWhile(view.value !== 'frames' || isLoadingOlder.value)}
        title="Pauses the view and puts frames from the history of the service in front"
        onClick={() => {
          pause();
          loadOlder();
        }}
      >
        Load older
      </button>
      <button type="button" data-testid="trace-clear" onClick={clear}>
        Clear
      </button>
      <ViewSwitch />
      <TimeChoice />
      <ExportMenu />
      <OlderNote />
      <span class="grow" />
      <Figures facts={facts} />
    </>
  );
};
