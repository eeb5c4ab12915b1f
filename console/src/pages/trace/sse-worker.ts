import type { ApiError } from '../../api/api-error.ts';
import { call, pathOf } from '../../api/client.ts';
import { useToken } from '../../state/remembered.ts';
import { EventStream } from '../../streams/event-stream.ts';
import type { StreamState } from '../../streams/keep-connected.ts';
import { RateMeter } from '../../streams/rate-meter.ts';
import type { SseGap, SseRequest, SseStatus } from './sse-messages.ts';
import { errorRecord } from './trace-messages.ts';

const tellMs = 200;
const keptLines = 200;
const keptGaps = 50;

const port = self as unknown as {
  postMessage(status: SseStatus): void;
  onmessage: ((event: MessageEvent<SseRequest>) => void) | null;
};

const rate = new RateMeter();
let lines: string[] = [];
let gapNotes: SseGap[] = [];
let received = 0;
let gaps = 0;
let missed = 0;
let uncounted = 0;
let daemon = '';
let state: StreamState = 'stopped';
let error: ApiError | null = null;
let hasNews = true;

/** A gap as the service tells it; it cannot count behind a cursor that came from outside. */
interface ToldGap {
  readonly oldest_available: number;
  readonly newest_available: number;
  readonly missed: number | null;
}

const onEvent = (type: string, data: string, id: string | null): void => {
  received++;
  hasNews = true;
  lines.push(`${id ?? '–'} ${type} ${data}`);
  if (lines.length >= 2 * keptLines) lines = lines.slice(-keptLines);
  if (type !== 'gap') return;
  const told = JSON.parse(data) as ToldGap;
  const after = stream.lastId;
  // Ids count the events of all channels, which this stream follows.
  const lost = told.missed ?? told.oldest_available - 1 - Number(after ?? 0);
  note({ ...told, after, missed: lost >= 0 ? lost : Number.NaN });
};

const note = (gap: SseGap): void => {
  gaps++;
  if (Number.isNaN(gap.missed)) uncounted++;
  else missed += gap.missed;
  gapNotes = [...gapNotes, gap].slice(-keptGaps);
  hasNews = true;
};

/** Ids of another daemon start anew: nobody knows what passed in between. */
const meetDaemon = async (): Promise<void> => {
  const { service } = await call('info');
  const isAnother = daemon !== '' && daemon !== service.instance_id;
  daemon = service.instance_id;
  if (!isAnother || stream.lastId === null) return;
  note({ after: stream.lastId, missed: Number.NaN });
  stream.lastId = '0';
};

const stream = new EventStream({
  path: () => pathOf('message.stream'),
  onEvent,
  prepare: meetDaemon,
  onState: (become, why) => {
    state = become;
    error = why;
    hasNews = true;
  },
});

const tell = (): void => {
  const perSecond = rate.measure(received, performance.now());
  if (!hasNews && perSecond === 0) return;
  hasNews = false;
  port.postMessage({
    state,
    error: error && errorRecord(error),
    cursor: stream.lastId,
    received,
    perSecond,
    gaps,
    missed,
    uncounted,
    gapNotes,
    lines: lines.slice(-keptLines),
  });
};

port.onmessage = ({ data: asked }) => {
  if (asked.type === 'stop') stream.stop();
  else {
    useToken(asked.token);
    stream.start();
  }
  tell();
};

setInterval(tell, tellMs);
