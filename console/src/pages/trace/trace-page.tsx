import './trace.css';
import { effect, signal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { catalogs, channels, plans } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { connection, isServed } from '../../state/connection.ts';
import { goTo, pageId, pageQuery } from '../../state/pages.ts';
import { isAdmitted } from '../../streams/keep-connected.ts';
import { type ExportFormat, exportFormats } from '../../trace-core/export-trace.ts';
import type { WindowFacts } from '../../trace-core/row-windows.ts';
import { closeFile, fileStatus } from '../../trace-files/open-file.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { followExpansions } from './expansion.ts';
import { exportAs } from './export-menu.tsx';
import { followFaults } from './fault-marks.ts';
import { clearFilter, FilterBar } from './filter-bar.tsx';
import { FrameTable } from './frame-table.tsx';
import { IdViews } from './id-views.tsx';
import { followEventLink } from './linked-event.ts';
import { sseStatus, startSse, stopSse } from './sse-state.ts';
import { askTrace, loadTraceWorker, startTrace, stopTrace, traceStatus } from './trace-client.ts';
import { type ShownState, stateLabels, traceState } from './trace-lag.ts';
import {
  chooseView,
  clear,
  followLink,
  followSettings,
  isDetailOpen,
  isIdView,
  isPaused,
  loadOlder,
  pause,
  resume,
  selected,
  traceViews,
  view,
} from './trace-state.ts';
import { TraceToolbar } from './trace-toolbar.tsx';

const command = (id: string, title: string, run: () => void): Command => ({
  id: `trace-${id}`,
  group: 'Trace',
  title,
  run: () => {
    goTo('trace');
    run();
  },
});

const traceCommands = (): readonly Command[] => [
  {
    ...command('pause', isPaused.value ? 'Resume view' : 'Pause view', () =>
      isPaused.peek() ? resume() : pause(),
    ),
    keys: 'Space',
  },
  command('clear', 'Clear trace', clear),
  command('in-order', 'Show frames chronologically', () => chooseView('frames')),
  command('by-id', 'Show frames by ID', () => chooseView('by-id')),
  command('changes', 'Show which bits change', () => chooseView('changes')),
  command('statistics', 'Show statistics by ID', () => chooseView('statistics')),
  command('pdus', 'Show reassembled payloads', () => chooseView('pdus')),
  command('older', 'Load older frames', () => {
    chooseView('frames');
    pause();
    loadOlder();
  }),
  command('no-filter', 'Clear filter', clearFilter),
  ...(fileStatus.value ? [command('close-file', 'Close trace file', closeFile)] : []),
  ...(Object.keys(exportFormats) as ExportFormat[]).map((format) =>
    command(
      `export-${format}`,
      `Export as ${exportFormats[format].label}`,
      () => void exportAs(format),
    ),
  ),
  command('start', 'Start WebSocket stream', startTrace),
  command('stop', 'Stop WebSocket stream', stopTrace),
  command('sse-start', 'Start SSE monitor', startSse),
  command('sse-stop', 'Stop SSE monitor', stopSse),
];

loadTraceWorker();

const tools = signal<typeof import('./tools/trace-tools.tsx') | null>(null);
const areToolsMissing = signal(false);

/** A chunk of its own, which is fetched with the trace, and again when the service is back. */
const loadTools = (): (() => void) =>
  effect(() => {
    if (!isServed.value || tools.value !== null) return;
    import('./tools/trace-tools.tsx').then(
      (loaded) => {
        tools.value = loaded;
        areToolsMissing.value = false;
      },
      () => {
        areToolsMissing.value = true;
      },
    );
  });

/**
 * Restarts the streams after a token change, and renews connections after the service was
 * unreachable.
 */
const followService = (): (() => void) => {
  let wasUnreachable = false;
  return effect(() => {
    if (connection.value === 'unreachable') wasUnreachable = true;
    if (connection.value === 'token') {
      if (isAdmitted(traceStatus.peek().state)) startTrace();
      if (isAdmitted(sseStatus.peek().state)) startSse();
    }
    if (!isServed.value) return;
    if (traceStatus.peek().state === 'token') startTrace();
    else if (wasUnreachable) askTrace({ type: 'renew' });
    if (sseStatus.peek().state === 'token') startSse();
    wasUnreachable = false;
  });
};

/** Applies links from other pages, such as `#trace?id=100-1FF&view=by-id`. */
const followQuery = (): (() => void) =>
  effect(() => {
    const query = pageQuery.value;
    if (pageId.peek() !== 'trace' || query.size === 0) return;
    const view = query.get('view');
    const named = traceViews.find((each) => each === view);
    if (named) chooseView(named);
    followLink(query);
  });

const MissingTools = () =>
  areToolsMissing.value ? (
    <Notice tone="bad" testId="missing-tools">
      <p>Could not load all of the trace: the service is unreachable or was updated.</p>
    </Notice>
  ) : null;

const StreamError = () => {
  const { error } = traceStatus.value;
  return <ErrorNotice error={error && new ApiError(error)} testId="trace-error" />;
};

const StreamMarks = () => (
  <>
    <StreamMark name="WebSocket" {...traceState.value} />{' '}
    <StreamMark
      name="SSE"
      state={sseStatus.value.state}
      label={stateLabels[sseStatus.value.state] ?? ''}
    />
  </>
);

const StreamMark = ({ name, state, label }: ShownState & { readonly name: string }) => (
  <StateMark state={state} label={`${name} ${label.toLowerCase()}`} />
);

export const TracePage = () => {
  const facts = useSignal<WindowFacts | null>(null);
  useResource(channels, 'trace');
  useResource(catalogs);
  useResource(plans, 'trace');
  useEffect(() => offerCommands(traceCommands), []);
  useEffect(() => {
    startTrace();
    const stops = [
      ...[followSettings(), followService(), followQuery(), followEventLink()],
      followFaults(),
      loadTools(),
      followExpansions(),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const hasDetail = useComputed(() => isDetailOpen.value && selected.value !== null).value;
  const { FileNote, FileTools = null, RowTools, FrameDetail, PduView } = tools.value ?? {};
  const { SseMonitor, StreamDiagnostics } = tools.value ?? {};
  return (
    <div class="trace">
      <Panel
        title="Trace"
        class="main"
        testId="trace"
        header={<TraceToolbar facts={facts} FileTools={FileTools} />}
      >
        <StreamError />
        <MissingTools />
        {view.value === 'pdus' ? (
          PduView && <PduView />
        ) : (
          <>
            {FileNote && <FileNote />}
            <FilterBar />
            {isIdView(view.value) ? (
              <IdViews view={view.value} />
            ) : (
              <>
                <div class="row-tools">{RowTools && <RowTools />}</div>
                <div class="stage" data-detail={hasDetail ? '' : undefined}>
                  <FrameTable onFacts={setter(facts)} />
                  {FrameDetail && <FrameDetail />}
                </div>
              </>
            )}
          </>
        )}
      </Panel>
      <details class="streams" data-testid="trace-streams">
        <summary>
          Streams and gaps <StreamMarks />
        </summary>
        <div>
          {StreamDiagnostics && <StreamDiagnostics />}
          {SseMonitor && <SseMonitor />}
        </div>
      </details>
    </div>
  );
};
