import './trace.css';
import { effect, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { catalogs, channels, plans } from '../../state/bench.ts';
import { offerCommands } from '../../state/commands.ts';
import { connection, isServed } from '../../state/connection.ts';
import { pageId, pageQuery } from '../../state/route.ts';
import { isLetIn } from '../../streams/keep-connected.ts';
import type { WindowFacts } from '../../trace-core/trace-engine.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { followFaults } from './fault-marks.ts';
import { FilterBar } from './filter-bar.tsx';
import { FrameDetail } from './frame-detail.tsx';
import { FrameTable } from './frame-table.tsx';
import { sseStatus, startSse } from './sse-client.ts';
import { SseMonitor } from './sse-monitor.tsx';
import { stateLabels } from './state-labels.ts';
import { StreamDiagnostics } from './stream-diagnostics.tsx';
import { askTrace, loadTraceWorker, startTrace, traceStatus } from './trace-client.ts';
import { traceCommands } from './trace-commands.ts';
import { type ShownState, traceState } from './trace-lag.ts';
import { chooseView, followLink, followSettings, isDetailOpen, selected } from './trace-state.ts';
import { TraceToolbar } from './trace-toolbar.tsx';

loadTraceWorker();

/** Streams go with the token that let them in and come with the right one; connections that may be dead are renewed. */
const followService = (): (() => void) => {
  let wasUnreachable = false;
  return effect(() => {
    if (connection.value === 'unreachable') wasUnreachable = true;
    if (connection.value === 'token') {
      if (isLetIn(traceStatus.peek().state)) startTrace();
      if (isLetIn(sseStatus.peek().state)) startSse();
    }
    if (!isServed.value) return;
    if (traceStatus.peek().state === 'token') startTrace();
    else if (wasUnreachable) askTrace({ type: 'renew' });
    if (sseStatus.peek().state === 'token') startSse();
    wasUnreachable = false;
  });
};

/** Other pages link here with what to show: `#trace?id=100-1FF&view=by-id`. */
const followQuery = (): (() => void) =>
  effect(() => {
    const query = pageQuery.value;
    if (pageId.peek() !== 'trace' || query.size === 0) return;
    const view = query.get('view');
    if (view === 'frames' || view === 'by-id') chooseView(view);
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

/** The window onto the buses: frames as they come, held, searched, decoded and saved. */
export const TracePage = () => {
  const facts = useSignal<WindowFacts | null>(null);
  useResource(channels, 'trace');
  useResource(catalogs);
  useResource(plans, 'trace');
  useEffect(() => offerCommands(traceCommands), []);
  useEffect(() => {
    startTrace();
    const stops = [followSettings(), followService(), followQuery(), followFaults()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const hasDetail = useComputed(() => isDetailOpen.value && selected.value !== null).value;
  return (
    <div class="trace">
      <Panel title="Trace" class="main" testId="trace" header={<TraceToolbar facts={facts} />}>
        <StreamError />
        <FilterBar />
        <div class="stage" data-detail={hasDetail ? '' : undefined}>
          <FrameTable
            onFacts={(next) => {
              facts.value = next;
            }}
          />
          <FrameDetail />
        </div>
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
