import type { GapEvent } from '../../../src/frame/event-record.ts';
import { type ApiError, type ErrorRecord, errorRecord } from '../api/api-error.ts';
import { read } from '../api/client.ts';
import { EventStream, type StreamEvent } from './event-stream.ts';
import { Inbox } from './inbox.ts';
import type { StreamState } from './keep-connected.ts';
import { RateMeter } from './rate-meter.ts';
import type { Piece } from './shared-stream.ts';
import type { SharedStreams } from './shared-streams.ts';

const keptLines = 200;
const keptGaps = 50;

interface MonitorGap extends Partial<Omit<GapEvent, 'missed'>> {
  readonly after: number | null;
  readonly missed: number;
}

/** State of the raw event stream of a page, sufficient to resume. */
export interface MonitorStatus {
  readonly state: StreamState;
  readonly error: ErrorRecord | null;
  readonly cursor: number | null;
  readonly daemon: string;
  readonly received: number;
  readonly perSecond: number;
  readonly gaps: number;
  readonly missed: number;
  readonly uncounted: number;
  readonly gapNotes: readonly MonitorGap[];
  readonly lines: readonly string[];
}

interface RawMonitorOptions {
  readonly streams: SharedStreams;
  readonly token: string | null;
  readonly status: MonitorStatus;
}

export class RawMonitor {
  readonly #options: RawMonitorOptions;
  readonly #rate = new RateMeter();
  readonly #stream: EventStream;
  #status: MonitorStatus;
  #received: number;
  #lines: string[];
  #hasNews = true;

  constructor(options: RawMonitorOptions) {
    const { status } = options;
    this.#options = options;
    this.#status = status;
    this.#received = status.received;
    this.#lines = [...status.lines];
    this.#stream = new EventStream({
      open: (after, stopped) => this.#open(after, stopped),
      prepare: () => this.#meetDaemon(),
      onEvent: (event) => this.#take(event),
      onState: (state, error) => this.#become(state, error),
    });
    this.#stream.lastId = status.cursor;
    this.#stream.start();
  }

  stop(): void {
    this.#stream.stop();
  }

  news(nowMs: number): MonitorStatus | null {
    const perSecond = this.#rate.measure(this.#received, nowMs);
    if (!this.#hasNews && perSecond === 0 && this.#status.perSecond === 0) return null;
    this.#hasNews = false;
    this.#status = {
      ...this.#status,
      cursor: this.#stream.lastId,
      received: this.#received,
      perSecond,
      lines: this.#lines.slice(-keptLines),
    };
    return this.#status;
  }

  #open(after: number | null, stopped: AbortSignal): Promise<AsyncIterable<Piece> | null> {
    const { streams, token } = this.#options;
    const pieces = new Inbox<Piece>();
    return new Promise((done, fail) => {
      const leave = streams.join('messages', token, {
        followed: null,
        after,
        epoch: this.#status.daemon,
        onOpen: () => done(pieces),
        onPiece: (piece) => pieces.put(piece),
        onEnd: (error) => {
          pieces.end(error);
          if (error) fail(error);
          else done(null);
        },
      });
      stopped.addEventListener('abort', () => {
        leave();
        pieces.drop();
        done(null);
      });
    });
  }

  #become(state: StreamState, error: ApiError | null): void {
    this.#status = { ...this.#status, state, error: error && errorRecord(error) };
    this.#hasNews = true;
  }

  #take({ type, data, id }: StreamEvent): void {
    this.#received++;
    this.#hasNews = true;
    this.#lines.push(`${id ?? '–'} ${type} ${data}`);
    if (this.#lines.length >= 2 * keptLines) this.#lines = this.#lines.slice(-keptLines);
    if (type !== 'gap') return;
    const reported = JSON.parse(data) as GapEvent;
    const after = this.#stream.lastId;
    // IDs count the events of all channels, which this stream follows.
    const missed = reported.missed ?? reported.oldest_available - 1 - (after ?? 0);
    this.#note({ ...reported, after, missed: missed >= 0 ? missed : Number.NaN });
  }

  #note(gap: MonitorGap): void {
    const { gaps, missed, uncounted, gapNotes } = this.#status;
    const isCounted = !Number.isNaN(gap.missed);
    this.#status = {
      ...this.#status,
      gaps: gaps + 1,
      missed: missed + (isCounted ? gap.missed : 0),
      uncounted: uncounted + (isCounted ? 0 : 1),
      gapNotes: [...gapNotes, gap].slice(-keptGaps),
    };
    this.#hasNews = true;
  }

  async #newest(): Promise<number> {
    const { token } = this.#options;
    const { newest_available } = await read<'message.history'>(
      '/api/v1/messages/history?limit=1',
      token,
    );
    return newest_available;
  }

  async #meetDaemon(): Promise<void> {
    const { service } = await read<'info'>('/api/v1/info', this.#options.token);
    const isAnother = this.#status.daemon !== '' && this.#status.daemon !== service.instance_id;
    this.#status = { ...this.#status, daemon: service.instance_id };
    if (isAnother && this.#stream.lastId !== null) {
      this.#note({ after: this.#stream.lastId, missed: Number.NaN });
      this.#stream.lastId = 0;
    }
    // With a cursor, a lost first connection loses no events.
    this.#stream.lastId ??= await this.#newest();
  }
}
