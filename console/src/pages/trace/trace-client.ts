import { signal } from '@preact/signals';
import { errorRecord } from '../../api/api-error.ts';
import type { DatabaseMessage } from '../../api/client.ts';
import type { DecodedSignal } from '../../codec/decode-message.ts';
import { rememberedToken } from '../../storage/remembered.ts';
import { PageWorker } from '../../streams/page-worker.ts';
import type { ExportFormat } from '../../trace-core/export-trace.ts';
import { rowBytes } from '../../trace-core/frame-row.ts';
import type { WindowRequest } from '../../trace-core/trace-engine.ts';
import type {
  FoundEvent,
  OlderResult,
  SavedTrace,
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
  newestUs: null,
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

const maxRows = 256;

export const traceStatus = signal<TraceStatus>(idle);
export const olderResult = signal<OlderResult | null>(null);
export const isLoadingOlder = signal(false);
export const foundEvent = signal<FoundEvent | null>(null);

const waiting: {
  window: (answer: WindowAnswer) => void;
  export: (saved: SavedTrace | null) => void;
} = { window: () => {}, export: () => {} };

const receive = (data: TraceAnswer): void => {
  switch (data.type) {
    case 'status':
      traceStatus.value = data.status;
      return;
    case 'older':
      isLoadingOlder.value = false;
      olderResult.value = data.result;
      return;
    case 'found':
      isLoadingOlder.value = false;
      foundEvent.value = data.found;
      return;
    case 'window':
      isAwaited = false;
      waiting.window(data);
      return;
    case 'decoded':
      if (data.number === decodings && decoding) {
        decoded.value = { message: decoding, signals: data.signals };
      }
      return;
    case 'export':
      waiting.export(data.saved);
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
  foundEvent.value = null;
  isLoadingOlder.value = true;
  askTrace({ type: 'find', token: rememberedToken.get(), eventId });
};

/** Three buffers: one is shown, one is requested, and one can replace the request. */
const spare = Array.from({ length: 3 }, () => new ArrayBuffer(maxRows * rowBytes));
let isAwaited = false;
let questions = 0;

/**
 * Requests rows; replaces a waiting request. Returns the number of the request. The buffer of
 * the answer must be returned with `returnBuffer`.
 */
export const askWindow = (
  request: WindowRequest,
  isImmediate: boolean,
  onAnswer: (answer: WindowAnswer) => void,
): number => {
  const buffer = isAwaited ? null : (spare.pop() ?? null);
  isAwaited = true;
  waiting.window = onAnswer;
  const number = ++questions;
  askTrace({ type: 'window', number, request, isImmediate, buffer }, buffer ? [buffer] : []);
  return number;
};

export const returnBuffer = ({ buffer }: WindowAnswer): void => {
  spare.push(buffer);
};

let decodings = 0;
let decoding: DatabaseMessage | null = null;

export const decoded = signal<{
  readonly message: DatabaseMessage;
  readonly signals: readonly DecodedSignal[];
} | null>(null);

export const askDecoded = (message: DatabaseMessage, data: Uint8Array): void => {
  decoding = message;
  askTrace({ type: 'decode', number: ++decodings, message, data });
};

export const askExport = (format: ExportFormat): Promise<SavedTrace | null> =>
  new Promise((done) => {
    waiting.export = done;
    askTrace({ type: 'export', format });
  });
