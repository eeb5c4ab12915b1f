import './trace.css';
import { effect, signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError, errorRecord } from '../../api/api-error.ts';
import { counted, formatCount, formatRate } from '../../format/figures.ts';
import { catalogs, channels, plans } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { connection, isServed } from '../../state/connection.ts';
import { goTo, pageId, pageQuery } from '../../state/pages.ts';
import { rememberedToken } from '../../storage/remembered.ts';
import { isAdmitted, keepConnected, type StreamState } from '../../streams/keep-connected.ts';
import type { MonitorStatus } from '../../streams/raw-monitor.ts';
import { askStreams } from '../../streams/stream-client.ts';
import { type ExportFormat, exportFormats } from '../../trace-core/export-trace.ts';
import { gapSum } from '../../trace-core/frame-text.ts';
import type { GapBounds } from '../../trace-core/stream-stats.ts';
import type { WindowFacts } from '../../trace-core/trace-engine.ts';
import { Facts } from '../../ui/facts.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { setter } from '../../ui/set-signal.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { exportAs } from './export-menu.tsx';
import { followFaults } from './fault-marks.ts';
import { clearFilter, FilterBar } from './filter-bar.tsx';
import { FrameDetail } from './frame-detail.tsx';
import { FrameTable } from './frame-table.tsx';
import { followEventLink } from './linked-event.ts';
import { PduView } from './pdu-view.tsx';
import {
  askTrace,
  isTraceWanted,
  loadTraceWorker,
  startTrace,
  stopTrace,
  traceStatus,
} from './trace-client.ts';
import { type ShownState, stateLabels, traceState } from './trace-lag.ts';
import {
  chooseView,
  clear,
  followLink,
  followSettings,
  isDetailOpen,
  isPaused,
  loadOlder,
  pause,
  resume,
  selected,
  view,
} from './trace-state.ts';
import { TraceToolbar } from './trace-toolbar.tsx';

const idle: MonitorStatus = {
  state: 'stopped',
  error: null,
  cursor: null,
  daemon: '',
  received: 0,
  perSecond: 0,
  gaps: 0,
  missed: 0,
  uncounted: 0,
  gapNotes: [],
  lines: [],
};

const sseStatus = signal(idle);

let run: AbortController | null = null;

const become = (state: StreamState, error: ApiError | null): void => {
  const record = error && errorRecord(error);
  sseStatus.value = { ...sseStatus.peek(), state, error: record, perSecond: 0 };
};

const follow = async (token: string | null, stopped: AbortSignal): Promise<ApiError | null> => {
  const done = new AbortController();
  const signal = AbortSignal.any([stopped, done.signal]);
  const request = { type: 'monitor', token, status: sseStatus.peek() } as const;
  try {
    for await (const answer of askStreams(request, signal)) {
      if (answer.type === 'status' && !stopped.aborted) sseStatus.value = answer.status;
    }
    return null;
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown;
    throw thrown;
  } finally {
    done.abort();
  }
};

const startSse = (): void => {
  run?.abort();
  run = new AbortController();
  const stopped = run.signal;
  const token = rememberedToken.get();
  become('connecting', null);
  void keepConnected({ stopped, connect: () => follow(token, stopped), become });
};

const stopSse = (): void => {
  run?.abort();
  run = null;
  become('stopped', null);
};

/** A gap that the service did not report has no bounds. */
interface ListedGap extends Partial<GapBounds> {
  readonly after: number;
  readonly missing: number;
}

const bound = (value: number | undefined): string =>
  value === undefined ? '–' : formatCount(value);

const missingText = ({ missing }: ListedGap): string =>
  Number.isNaN(missing) ? 'unknown' : formatCount(missing);

const GapList = ({ gaps }: { readonly gaps: readonly ListedGap[] }) => (
  <PlainTable
    class="gaps"
    caption="Gaps, newest first"
    rows={gaps.toReversed()}
    keyOf={(_, index) => gaps.length - index}
    columns={[
      ['After event', ({ after }) => formatCount(after), 'number'],
      ['Missing', missingText, 'number'],
      ['Oldest available', (gap) => bound(gap.oldest_available), 'number'],
      ['Newest available', (gap) => bound(gap.newest_available), 'number'],
    ]}
  />
);

const Lines = ({ lines }: { readonly lines: readonly string[] }) => {
  const node = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (node.current) node.current.scrollTop = node.current.scrollHeight;
  }, [lines]);
  return (
    <pre
      role="log"
      ref={node}
      class="lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
      tabIndex={0}
      aria-label="Latest events of the SSE stream"
      data-testid="sse-lines"
    >
      {lines.length > 0
        ? lines.join('\n')
        : 'Press Start to show the events of /api/v1/messages/stream.'}
    </pre>
  );
};

const SseMonitor = () => {
  const { state, error, cursor, received, perSecond, gaps, missed, uncounted, gapNotes, lines } =
    sseStatus.value;
  const wanted = !['stopped', 'ended'].includes(state);
  return (
    <Panel
      title="SSE monitor"
      testId="sse-monitor"
      header={
        <>
          <StateMark state={state} label={stateLabels[state] ?? state} testId="sse-status" live />
          <button
            type="button"
            data-testid="sse-toggle"
            onClick={() => (wanted ? stopSse() : startSse())}
          >
            {wanted ? 'Stop' : 'Start'}
          </button>
          <span class="trace-figures">
            <span>{formatRate(perSecond)} events/s</span>
            <span>{counted(received, 'event')}</span>
            <span data-testid="sse-cursor">
              {cursor === null ? 'no cursor' : `cursor: event ${formatCount(cursor)}`}
            </span>
            <span data-testid="sse-gaps" data-tone={gaps > 0 ? 'warn' : 'idle'}>
              {gapSum(gaps, missed, uncounted)}
            </span>
          </span>
        </>
      }
    >
      <ErrorNotice error={error && new ApiError(error)} />
      <div class="monitor">
        <Lines lines={lines} />
        {gapNotes.length > 0 && (
          <GapList
            gaps={gapNotes.map(({ after, ...gap }) => ({
              ...gap,
              after: after ?? 0,
              missing: gap.missed,
            }))}
          />
        )}
      </div>
    </Panel>
  );
};

const StreamDiagnostics = () => {
  const status = traceStatus.value;
  return (
    <Panel
      title="WebSocket stream"
      testId="ws-diagnostics"
      header={
        <>
          <StateMark {...traceState.value} />
          <button
            type="button"
            data-testid="ws-toggle"
            onClick={() => (isTraceWanted() ? stopTrace() : startTrace())}
          >
            {isTraceWanted() ? 'Stop' : 'Start'}
          </button>
        </>
      }
    >
      <ScrollArea>
        <Facts
          of={[
            [
              'Cursor',
              status.cursor === null ? '–' : `event ${formatCount(status.cursor)}`,
              { testId: 'ws-cursor' },
            ],
            ['Epoch', status.epoch ?? '–', { testId: 'ws-epoch' }],
            ['Received', formatCount(status.received), { testId: 'ws-received' }],
            ['Buffered', counted(status.kept, 'row'), { testId: 'ws-kept' }],
            ['Connections', formatCount(status.connections), { testId: 'ws-connections' }],
            ['Duplicates', `${formatCount(status.duplicates)} dropped`],
            ['Malformed', formatCount(status.malformed)],
            [
              'Missing',
              `${formatCount(status.missing)} in ${counted(status.gaps, 'gap')}${
                status.uncounted > 0 ? `, ${formatCount(status.uncounted)} of unknown size` : ''
              }`,
              { whole: true, testId: 'ws-missing' },
            ],
          ]}
        />
        {status.gapNotes.length > 0 && (
          <GapList
            gaps={status.gapNotes.map(({ gap, bounds }) => ({
              after: gap.eventId,
              missing: gap.missing,
              ...bounds,
            }))}
          />
        )}
      </ScrollArea>
    </Panel>
  );
};

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
  command('pdus', 'Show reassembled payloads', () => chooseView('pdus')),
  command('older', 'Load older frames', () => {
    chooseView('frames');
    pause();
    loadOlder();
  }),
  command('no-filter', 'Clear filter', clearFilter),
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
    if (view === 'frames' || view === 'by-id' || view === 'pdus') chooseView(view);
    followLink(query);
  });

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
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const hasDetail = useComputed(() => isDetailOpen.value && selected.value !== null).value;
  const isOfFrames = view.value !== 'pdus';
  return (
    <div class="trace">
      <Panel title="Trace" class="main" testId="trace" header={<TraceToolbar facts={facts} />}>
        <StreamError />
        {isOfFrames ? (
          <>
            <FilterBar />
            <div class="stage" data-detail={hasDetail ? '' : undefined}>
              <FrameTable onFacts={setter(facts)} />
              <FrameDetail />
            </div>
          </>
        ) : (
          <PduView />
        )}
      </Panel>
      <details class="streams" data-testid="trace-streams">
        <summary>
          Streams and gaps <StreamMarks />
        </summary>
        <div>
          <StreamDiagnostics />
          <SseMonitor />
        </div>
      </details>
    </div>
  );
};
