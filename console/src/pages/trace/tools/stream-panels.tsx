import { useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../../api/api-error.ts';
import { counted, formatCount, formatRate } from '../../../format/figures.ts';
import { gapSum } from '../../../trace-core/frame-text.ts';
import type { GapBounds } from '../../../trace-core/stream-stats.ts';
import { Facts } from '../../../ui/facts.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../../ui/panel.tsx';
import { PlainTable } from '../../../ui/plain-table.tsx';
import { StateMark } from '../../../ui/state-mark.tsx';
import { sseStatus, startSse, stopSse } from '../sse-state.ts';
import { isTraceWanted, startTrace, stopTrace, traceStatus } from '../trace-client.ts';
import { stateLabels, traceState } from '../trace-lag.ts';

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

export const SseMonitor = () => {
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

export const StreamDiagnostics = () => {
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
