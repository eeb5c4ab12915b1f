import { useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { counted, formatCount, formatRate } from '../../format/figures.ts';
import { gapSum } from '../../trace-core/gap-text.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { GapList } from './gap-list.tsx';
import { sseStatus, startSse, stopSse } from './sse-client.ts';
import { stateLabels } from './state-labels.ts';

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
      aria-label="Last events of the SSE stream"
      data-testid="sse-lines"
    >
      {lines.length > 0
        ? lines.join('\n')
        : 'Start shows the events of /api/v1/messages/stream as they come.'}
    </pre>
  );
};

/** The same events as server-sent ones: a stream of its own, with a cursor of its own. */
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
            <span>{formatRate(perSecond)} /s</span>
            <span>{counted(received, 'event')}</span>
            <span data-testid="sse-cursor">
              {cursor === null ? 'no cursor yet' : `at event ${formatCount(cursor)}`}
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
