import type { ReadonlySignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { counted, formatCount, formatRate } from '../../format/figures.ts';
import { gapSum, type TimeMode, timeModes } from '../../trace-core/frame-text.ts';
import type { WindowFacts } from '../../trace-core/row-windows.ts';
import { keptFrames } from '../../trace-core/trace-engine.ts';
import { fileStatus, isFileShown } from '../../trace-files/open-file.ts';
import { Segments, unusableWhile } from '../../ui/fields.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { ExportMenu } from './export-menu.tsx';
import { SourceSwitch } from './file-source.tsx';
import { OlderNote } from './frame-table.tsx';
import { clearPdus, pdus } from './pdu-state.ts';
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
  isIdView,
  isPaused,
  loadOlder,
  pause,
  resume,
  timeMode,
  view,
} from './trace-state.ts';

const viewChoices = [
  { value: 'frames', label: 'Chronological' },
  { value: 'by-id', label: 'By ID' },
  { value: 'pdus', label: 'PDUs' },
] as const;
const byIdChoices = [
  { value: 'by-id', label: 'Last frames' },
  { value: 'changes', label: 'Changes' },
  { value: 'statistics', label: 'Statistics' },
] as const;
const timeNames: Readonly<Record<TimeMode, string>> = {
  absolute: 'Absolute',
  relative: 'Relative',
  delta: 'Delta',
};

const TimeChoice = () => (
  <select
    aria-label="Time"
    title="Time"
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
);

interface FiguresProps {
  readonly facts: ReadonlySignal<WindowFacts | null>;
}

interface ToolbarProps extends FiguresProps {
  /** Null until it is loaded. */
  readonly FileTools: ComponentType | null;
}

const Figures = ({ facts }: FiguresProps) => {
  const { perSecond, gaps, missing, uncounted, unlisted } = traceStatus.value;
  if (view.value === 'pdus') {
    return <span class="trace-figures">{counted(pdus.value.length, 'PDU')}</span>;
  }
  const shown = facts.value;
  const noun = view.value === 'frames' ? 'row' : 'ID';
  const rows =
    shown && shown.count !== shown.total
      ? `${formatCount(shown.count)} of ${counted(shown.total, noun)}`
      : counted(shown?.total ?? 0, noun);
  if (isFileShown.value) {
    return (
      <span class="trace-figures">
        <span data-testid="trace-rows" aria-busy={fileStatus.value?.isFiltering || undefined}>
          {rows}
        </span>
      </span>
    );
  }
  return (
    <span class="trace-figures" title={`Buffer: newest ${formatCount(keptFrames)} frames`}>
      <span data-testid="trace-rate">{formatRate(perSecond)} frames/s</span>
      {!isIdView(view.value) && <span data-testid="trace-rows">{rows}</span>}
      {view.value !== 'frames' && unlisted > 0 && (
        <span data-tone="warn">{counted(unlisted, 'frame')} of unlisted IDs</span>
      )}
      <span data-testid="trace-gaps" data-tone={gaps > 0 ? 'warn' : 'idle'} data-gaps={gaps}>
        {gapSum(gaps, missing, uncounted)}
      </span>
    </span>
  );
};

const LiveTools = ({ isById }: { readonly isById: boolean }) => (
  <>
    <StateMark {...traceState.value} testId="trace-status" live />
    <button
      type="button"
      data-testid="trace-toggle"
      title="Stop or start receiving; Start resumes after the last event"
      onClick={() => (isTraceWanted() ? stopTrace() : startTrace())}
    >
      {isTraceWanted() ? 'Stop' : 'Start'}
    </button>
    <button
      type="button"
      class={isPaused.value ? 'primary' : ''}
      data-testid="trace-pause"
      aria-pressed={isPaused.value}
      title="Freeze the view (Space); receiving continues"
      onClick={() => (isPaused.value ? resume() : pause())}
    >
      {isPaused.value ? 'Resume' : 'Pause'}
    </button>
    {!isById && (
      <button
        type="button"
        data-testid="trace-older"
        {...unusableWhile(view.value !== 'frames' || isLoadingOlder.value)}
        title="Pause the view and load older frames from the history"
        onClick={() => {
          pause();
          loadOlder();
        }}
      >
        Load older
      </button>
    )}
    <button
      type="button"
      data-testid="trace-clear"
      onClick={() => (view.peek() === 'pdus' ? clearPdus() : clear())}
    >
      Clear
    </button>
  </>
);

export const TraceToolbar = ({ facts, FileTools }: ToolbarProps) => {
  const isFile = isFileShown.value;
  const isOfFrames = view.value === 'frames' || view.value === 'by-id';
  const byId = byIdChoices.find(({ value }) => value === view.value)?.value;
  return (
    <>
      <SourceSwitch />
      {isFile ? FileTools && <FileTools /> : <LiveTools isById={byId !== undefined} />}
      <Segments
        label="View"
        value={byId ? 'by-id' : view.value}
        choices={isFile ? viewChoices.slice(0, 2) : viewChoices}
        onChange={chooseView}
        testId="trace-view"
      />
      {byId && (
        <Segments
          label="View by ID"
          value={byId}
          choices={byIdChoices}
          onChange={chooseView}
          testId="trace-by-id-view"
        />
      )}
      {isOfFrames && <TimeChoice />}
      {isOfFrames && <ExportMenu />}
      <OlderNote />
      <span class="grow" />
      <Figures facts={facts} />
    </>
  );
};
