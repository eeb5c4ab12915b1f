import { signal } from '@preact/signals';
import { rememberedToken } from '../../state/remembered.ts';
import { rowBytes } from '../../trace-core/frame-row.ts';
import type { WindowRequest } from '../../trace-core/trace-engine.ts';
import type {
  ExportAnswer,
  OlderResult,
  TraceAnswer,
  TraceRequest,
  TraceStatus,
  WindowAnswer,
} from './trace-messages.ts';

const idle: TraceStatus = {
  state: 'stopped',
  error: null,
  cursor: null,
  epoch: null,
  received: 0,
  perSecond: 0,
  kept: 0,
  duplicates: 0,
  malformed: 0,
  connections: 0,
  gaps: 0,
  missing: 0,
  uncounted: 0,
  gapNotes: [],
  unlisted: 0,
};

/** Rows that the tallest window of a page may have. */
const mostRows = 256;

export const traceStatus = signal<TraceStatus>(idle);
/** What the last attempt to load older frames came to; null while none was made, or one is. */
export const olderResult = signal<OlderResult | null>(null);
export const isLoadingOlder = signal(false);

const waiting: { window: (answer: WindowAnswer) => void; export: (answer: ExportAnswer) => void } =
  {
    window: () => {},
    export: () => {},
  };

const heard = ({ data }: MessageEvent<TraceAnswer>): void => {
  switch (data.type) {
    case 'status':
      traceStatus.value = data.status;
      return;
    case 'older':
      isLoadingOlder.value = false;
      olderResult.value = data.result;
      return;
    case 'window':
      waiting.window(data);
      return;
    case 'export':
      waiting.export(data);
  }
};

let worker: Worker | null = null;

/** The worker lives from the first use on, whatever page is in front. */
export const askTrace = (asked: TraceRequest, transfer: Transferable[] = []): void => {
  if (!worker) {
    worker = new Worker(new URL('./trace-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = heard;
  }
  worker.postMessage(asked, transfer);
};

/** Whether somebody wants the stream, as against how it is doing. */
export const isTraceWanted = (): boolean => !['stopped', 'ended'].includes(traceStatus.value.state);

export const startTrace = (): void => askTrace({ type: 'start', token: rememberedToken.get() });
export const stopTrace = (): void => askTrace({ type: 'stop' });

export const loadOlder = (): void => {
  if (isLoadingOlder.peek()) return;
  isLoadingOlder.value = true;
  askTrace({ type: 'older' });
};

/** One buffer goes to and fro, so that no window costs memory. */
let buffer: ArrayBuffer | null = new ArrayBuffer(mostRows * rowBytes);

/** Whether a window is on its way. */
export const isAwaitingWindow = (): boolean => buffer === null;

/** Asks for rows; the answer's buffer must be given back with `returnBuffer`. */
export const askWindow = (
  request: WindowRequest,
  revision: number,
  onAnswer: (answer: WindowAnswer) => void,
): void => {
  if (!buffer) return;
  const lent = buffer;
  buffer = null;
  waiting.window = onAnswer;
  askTrace({ type: 'window', request, revision, buffer: lent }, [lent]);
};

export const returnBuffer = (answer: WindowAnswer): void => {
  buffer = answer.buffer;
};

export const askExport = (format: ExportAnswer['format']): Promise<ExportAnswer> =>
  new Promise((done) => {
    waiting.export = done;
    askTrace({ type: 'export', format });
  });
