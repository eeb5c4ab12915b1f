import { computed, signal } from '@preact/signals';
import { errorRecord } from '../../api/api-error.ts';
import { pictures } from '../../state/pictures.ts';
import { rememberedToken } from '../../storage/remembered.ts';
import { PageWorker } from '../../streams/page-worker.ts';
import { RowClient } from '../../trace-core/row-client.ts';
import { fileRows, isFileShown } from '../../trace-files/open-file.ts';
import type { OlderResult, TraceAnswer, TraceRequest, TraceStatus } from './trace-messages.ts';

const idle: TraceStatus = {
  state: 'stopped',
  error: null,
  cursor: null,
  epoch: null,
  received: 0,
  newestUs: null,
  perSecond: 0,
  kept: 0,
  duplicates: 0,
  malformed: 0,
  failedChecks: 0,
  connections: 0,
  gaps: 0,
  missing: 0,
  uncounted: 0,
  gapNotes: [],
  unlisted: 0,
};

export const traceStatus = signal<TraceStatus>(idle);
export const olderResult = signal<OlderResult | null>(null);
export const isLoadingOlder = signal(false);

let newestStatus = idle;
const isSameState = (): boolean => newestStatus.state === traceStatus.peek().state;
const showFigures = (): void => {
  if (isSameState()) traceStatus.value = newestStatus;
};

const receive = (data: TraceAnswer): void => {
  switch (data.type) {
    case 'status':
      newestStatus = data.status;
      if (isSameState()) pictures.request(showFigures);
      else traceStatus.value = newestStatus;
      return;
    case 'older':
      isLoadingOlder.value = false;
      olderResult.value = data.result;
      return;
    case 'found':
      isLoadingOlder.value = false;
      liveRows.found.value = data.found;
      return;
    default:
      liveRows.receive(data);
  }
};

const worker = new PageWorker<TraceRequest, TraceAnswer>({
  start: () => new Worker(new URL('./trace-worker.ts', import.meta.url), { type: 'module' }),
  onAnswer: receive,
  onMissing: (error) => {
    if (traceStatus.peek().state === 'stopped') return;
    traceStatus.value = {
      ...idle,
      state: 'reconnecting',
      error: { ...errorRecord(error), isRetried: true },
    };
  },
});

/** The worker is loaded with the page, so that it exists while the service is unreachable. */
export const loadTraceWorker = (): void => worker.load();

export const askTrace = (asked: TraceRequest, transfer: Transferable[] = []): void =>
  worker.ask(asked, transfer);

export const liveRows = new RowClient(askTrace);

/** Those of the open file, if it is shown. */
export const shownRows = computed(() => (isFileShown.value ? fileRows.value : liveRows));

export const isTraceWanted = (): boolean => !['stopped', 'ended'].includes(traceStatus.value.state);

export const startTrace = (): void => {
  if (!worker.isThere) traceStatus.value = { ...idle, state: 'connecting' };
  askTrace({ type: 'start', token: rememberedToken.get() });
};

export const stopTrace = (): void => {
  if (!worker.isThere) traceStatus.value = idle;
  askTrace({ type: 'stop' });
};

export const askOlder = (channels: readonly string[] | null): void => {
  if (isLoadingOlder.peek()) return;
  isLoadingOlder.value = true;
  askTrace({ type: 'older', token: rememberedToken.get(), channels });
};

/** Finds the row of an event, and loads older frames until it is found. */
export const askEvent = (eventId: number): void => {
  liveRows.found.value = null;
  isLoadingOlder.value = true;
  askTrace({ type: 'find', token: rememberedToken.get(), eventId });
};
