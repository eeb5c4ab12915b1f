import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { rememberedToken } from '../../state/remembered.ts';
import type { StreamState } from '../../streams/event-stream.ts';
import { FrameSocket } from '../../streams/frame-socket.ts';
import { readOlder } from '../../trace-core/older-frames.ts';
import { RateMeter } from '../../trace-core/rate-meter.ts';
import { TraceEngine } from '../../trace-core/trace-engine.ts';
import { type ExportFormat, exportFormats, exportTrace } from '../../trace-core/trace-writer.ts';
import type { ErrorRecord, OlderResult, TraceAnswer, TraceRequest } from './trace-messages.ts';

const statusMs = 250;

const port = self as unknown as {
  postMessage(answer: TraceAnswer, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<TraceRequest>) => void) | null;
};

const engine = new TraceEngine();
const rate = new RateMeter();
let channelNames: ReadonlyMap<number, string> = new Map();
let state: StreamState = 'stopped';
let error: ErrorRecord | null = null;
let connections = 0;

const recordOf = ({ code, message, isFinal }: ApiError): ErrorRecord => ({
  code,
  message,
  retryable: !isFinal,
});

const tellStatus = (): void => {
  const { account } = engine;
  port.postMessage({
    type: 'status',
    status: {
      state,
      error,
      cursor: account.cursor,
      epoch: account.epoch,
      received: account.received,
      perSecond: rate.measure(account.received, performance.now()),
      kept: engine.total,
      duplicates: account.duplicates,
      malformed: engine.malformed,
      connections,
      gaps: account.gaps,
      missing: account.missing,
      uncounted: account.uncounted,
      gapNotes: engine.gapNotes,
      unlisted: engine.unlisted,
    },
  });
};

const socket = new FrameSocket({
  cursor: () => engine.account.cursor,
  onLive: (newest) => {
    engine.account.cursor = newest;
  },
  onRecord: (record) => engine.takeRecord(record),
  onGap: (bounds) => engine.takeGap(bounds),
  onState: (next, failure) => {
    if (next === 'live') connections++;
    state = next;
    error = failure && recordOf(failure);
    tellStatus();
  },
});

const loadOlder = async (): Promise<OlderResult> => {
  const before = engine.oldestEventId ?? (engine.account.cursor ?? 0) + 1;
  if (!engine.hasRoomForOlder) return { added: 0, end: 'room', error: null };
  try {
    const { events, isEnd } = await readOlder(before, (after, limit) =>
      call('message.history', { query: { after, limit } }),
    );
    engine.takeOlder(events);
    return { added: events.length, end: isEnd ? 'history' : null, error: null };
  } catch (thrown) {
    return { added: 0, end: null, error: recordOf(thrown as ApiError) };
  }
};

const writeFile = (format: ExportFormat): TraceAnswer => {
  const { pieces, written, leftOut } = exportTrace(
    engine.shownFrames(),
    format,
    engine.shownFromUs,
    { channelName: (slot) => channelNames.get(slot) ?? `channel${slot}`, names: engine.names },
  );
  const file = new Blob(pieces, { type: exportFormats[format].type });
  return { type: 'export', format, file, written, leftOut };
};

port.onmessage = ({ data: asked }) => {
  switch (asked.type) {
    case 'start':
      // Workers have no storage of their own.
      if (asked.token === null) rememberedToken.forget();
      else rememberedToken.set(asked.token);
      return socket.start();
    case 'stop':
      return socket.stop();
    case 'renew':
      return socket.renew();
    case 'window': {
      const { request, buffer, revision } = asked;
      const facts = revision === engine.revision ? null : engine.window(request, buffer);
      const answer = { type: 'window', request, facts, revision: engine.revision, buffer } as const;
      return port.postMessage(answer, [buffer]);
    }
    case 'older':
      return void loadOlder().then((result) => port.postMessage({ type: 'older', result }));
    case 'export':
      return port.postMessage(writeFile(asked.format));
    case 'filter':
      return engine.filter(asked.filter);
    case 'names':
      return engine.name(asked.sources);
    case 'channels':
      channelNames = asked.names;
      return;
    case 'pause':
      return engine.pause();
    case 'resume':
      return engine.resume();
    case 'clear':
      engine.clear();
      return tellStatus();
  }
};

setInterval(tellStatus, statusMs);
