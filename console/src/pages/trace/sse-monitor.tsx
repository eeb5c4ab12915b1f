import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { formatCount, formatRate } from '../../format/figures.ts';
import { rememberedToken } from '../../state/remembered.ts';
import { gapSum } from '../../trace-core/gap-text.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { GapList } from './gap-list.tsx';
import type { SseRequest, SseStatus } from './sse-messages.ts';
import { streamWords } from './stream-words.ts';

const idle: SseStatus = {
  state: 'stopped',
  error: null,
  cursor: null,
  received: 0,
  perSecond: 0,
  gaps: 0,
  missed: 0,
  uncounted: 0,
  gapNotes: [],
  lines: [],
};

export const sseStatus = signal<SseStatus>(idle);

let worker: Worker | null = null;

const ask = (asked: SseRequest): void => {
  if (!worker) {
    worker = new Worker(new URL('./sse-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<SseStatus>) => {
      sseStatus.value = data;
    };
  }
  worker.postMessage(asked);
};

export const startSse = (): void => ask({ type: 'start', token: rememberedToken.get() });
export const stopSse = (): void => ask({ type: 'stop' });

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
          <StateMark state={state} label={streamWords[state] ?? state} testId="sse-status" live />
          <button
            type="button"
            data-testid="sse-toggle"
            onClick={() => (wanted ? stopSse() : startSse())}
          >
            {wanted ? 'Stop' : 'Start'}
          </button>
          <span class="trace-figures">
            <span>{formatRate(perSecond)} /s</span>
            <span>{formatCount(received)} events</span>
            <span data-testid="sse-cursor">
              {cursor === null ? 'no cursor yet' : `at event ${formatCount(Number(cursor))}`}
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
              after: Number(after ?? 0),
              missing: gap.missed,
            }))}
          />
        )}
      </div>
    </Panel>
  );
};
