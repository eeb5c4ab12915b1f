import { signal } from '@preact/signals';
import type { DatabaseMessage } from '../../api/schema.ts';
import type { DecodedSignal } from '../../codec/decode-message.ts';
import { rememberedToken } from '../../state/remembered.ts';
import type {
  ExportAnswer,
  OlderResult,
  TraceAnswer,
  TraceRequest,
  TraceStatus,
} from './trace-messages.ts';
import { WindowLine } from './window-line.ts';

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

export const traceStatus = signal<TraceStatus>(idle);
/** What the last attempt to load older frames came to; null while none was made, or one is. */
export const olderResult = signal<OlderResult | null>(null);
export const isLoadingOlder = signal(false);

let onExport: (answer: ExportAnswer) => void = () => {};

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
      windowLine.heard(data);
      return;
    case 'decoded':
      if (data.number === decodings && decoding) {
        decoded.value = { message: decoding, signals: data.signals };
      }
      return;
    case 'export':
      onExport(data);
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

/** On which the table hears of its rows. */
export const windowLine = new WindowLine(askTrace);

let decodings = 0;
let decoding: DatabaseMessage | null = null;

/** The signals of the frame that was asked for last, and what they were read by. */
export const decoded = signal<{
  readonly message: DatabaseMessage;
  readonly signals: readonly DecodedSignal[];
} | null>(null);

/** Asks for the signals of a frame; what was asked for before and is under way comes too late. */
export const askDecoded = (message: DatabaseMessage, data: Uint8Array): void => {
  decoding = message;
  askTrace({ type: 'decode', number: ++decodings, message, data });
};

export const askExport = (format: ExportAnswer['format']): Promise<ExportAnswer> =>
  new Promise((done) => {
    onExport = done;
    askTrace({ type: 'export', format });
  });
