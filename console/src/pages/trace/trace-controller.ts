import { type ApiError, type ErrorRecord, errorRecord } from '../../api/api-error.ts';
import { read } from '../../api/client.ts';
import { pictureMs } from '../../state/pictures.ts';
import { useToken } from '../../storage/remembered.ts';
import { FrameSocket } from '../../streams/frame-socket.ts';
import type { StreamState } from '../../streams/keep-connected.ts';
import { RateMeter } from '../../streams/rate-meter.ts';
import type { GatewayMessage } from '../../trace-core/message-names.ts';
import { type AskHistory, readOlder } from '../../trace-core/older-frames.ts';
import type { FoundEvent } from '../../trace-core/row-client.ts';
import { RowRequests } from '../../trace-core/row-requests.ts';
import { TraceEngine } from '../../trace-core/trace-engine.ts';
import type { OlderResult, TraceAnswer, TraceRequest } from './trace-messages.ts';

type Post = (answer: TraceAnswer, transfer?: Transferable[]) => void;

const historyOf = (channels: readonly string[] | null): AskHistory => {
  const query = (channels ?? []).map((channel) => `&channel=${encodeURIComponent(channel)}`);
  return (after, limit) =>
    read<'message.history'>(
      `/api/v1/messages/history?after=${after}&limit=${limit}${query.join('')}`,
    );
};

/** Handles the requests of the page in the worker and posts the stream status. */
export class TraceController {
  readonly #post: Post;
  readonly #engine = new TraceEngine(() => this.#rows.notify());
  readonly #rows: RowRequests;
  readonly #rate = new RateMeter();
  readonly #socket: FrameSocket;
  #gateways: readonly GatewayMessage[] = [];
  #state: StreamState = 'stopped';
  #error: ErrorRecord | null = null;
  #connections = 0;
  #postedReceived = 0;
  #older: {
    readonly before: number | null;
    readonly shownChannels: string;
    readonly left: readonly string[] | null;
  } = { before: null, shownChannels: '', left: null };

  constructor(post: Post) {
    this.#post = post;
    const engine = this.#engine;
    this.#rows = new RowRequests({
      ...{ engine, post, stepMs: () => pictureMs, now: () => performance.now() },
      later: (run, ms) => setTimeout(run, ms),
    });
    this.#socket = new FrameSocket({
      cursor: () => engine.stats.cursor,
      onDaemon: (id, startedAtUs) => engine.meetDaemon(id, startedAtUs),
      onLive: (newest) => engine.stats.startAfter(newest),
      onRecord: (record) => engine.takeRecord(record),
      onGap: (bounds) => engine.takeGap(bounds),
      onState: (state, error) => this.#become(state, error),
    });
  }

  take(asked: TraceRequest): void {
    switch (asked.type) {
      case 'start':
        useToken(asked.token);
        this.#socket.start();
        break;
      case 'stop':
        this.#socket.stop();
        break;
      case 'renew':
        this.#socket.renew();
        break;
      case 'older':
        useToken(asked.token);
        void this.#loadOlder(asked.channels).then((result) =>
          this.#post({ type: 'older', result }),
        );
        break;
      case 'find':
        useToken(asked.token);
        void this.#find(asked.eventId).then((found) => this.#post({ type: 'found', found }));
        break;
      case 'names':
        this.#rows.take(asked);
        this.#nameGateways(asked.sources.gateways ?? []);
        break;
      case 'dropped':
        this.#engine.takeDropped(asked.events);
        break;
      case 'pause':
        this.#engine.pause();
        break;
      case 'resume':
        this.#engine.resume();
        break;
      case 'clear':
        this.#engine.clear();
        this.postStatus();
        break;
      default:
        this.#rows.take(asked);
    }
  }

  postStatus(): void {
    const { stats, total, malformed, failedChecks, gapNotes, unlisted } = this.#engine;
    const { cursor, epoch, received, duplicates, gaps, missing, uncounted } = stats;
    const newestUs = received > this.#postedReceived ? stats.newestUs : null;
    this.#postedReceived = received;
    this.#post({
      type: 'status',
      status: {
        state: this.#state,
        error: this.#error,
        cursor,
        epoch,
        received,
        newestUs,
        perSecond: this.#rate.measure(received, performance.now()),
        kept: total,
        duplicates,
        malformed,
        failedChecks,
        connections: this.#connections,
        gaps,
        missing,
        uncounted,
        gapNotes,
        unlisted,
      },
    });
  }

  #become(state: StreamState, error: ApiError | null): void {
    if (state === 'live') this.#connections++;
    this.#state = state;
    this.#error = error && errorRecord(error);
    this.postStatus();
  }

  #nameGateways(gateways: readonly GatewayMessage[]): void {
    const known = this.#gateways;
    // Names are sent again for many reasons. Other checks begin again with the counters.
    if (JSON.stringify(gateways) === JSON.stringify(known)) return;
    this.#gateways = gateways;
    const isProtected = [...gateways, ...known].some(({ protection }) => protection !== null);
    if (isProtected) void this.#checkFrames(gateways);
  }

  async #checkFrames(gateways: readonly GatewayMessage[]): Promise<void> {
    const { FrameChecks, isChecked } = await import('../../trace-core/find-rows.ts');
    const checked = gateways.filter(isChecked);
    this.#engine.checkWith(checked.length === 0 ? null : () => new FrameChecks(checked));
    this.postStatus();
  }

  async #loadOlder(shown: readonly string[] | null): Promise<OlderResult> {
    const engine = this.#engine;
    if (engine.beginsBeforeDaemon) return { added: 0, end: 'history', error: null };
    const before = engine.oldestEventId ?? (engine.stats.cursor ?? 0) + 1;
    if (!engine.hasRoomForOlder) return { added: 0, end: 'room', error: null };
    const { shownChannels } = engine;
    const last = this.#older;
    const isContinued = last.before === before && last.shownChannels === shownChannels;
    let channels = isContinued ? last.left : shown;
    let added = 0;
    try {
      while (added === 0 && channels?.length !== 0) {
        const { events, isEnd, left } = await readOlder(before, historyOf(channels));
        // The filter has changed in the meantime.
        if (engine.shownChannels !== shownChannels) return { added: 0, end: null, error: null };
        engine.takeOlder(events, left.length > 0);
        added = events.length;
        if (isEnd) channels = left;
      }
      this.#older = { before: engine.oldestEventId, shownChannels, left: channels };
      return { added, end: channels?.length === 0 ? 'history' : null, error: null };
    } catch (thrown) {
      return { added: 0, end: null, error: errorRecord(thrown as ApiError) };
    }
  }

  async #find(eventId: number): Promise<FoundEvent> {
    const engine = this.#engine;
    for (;;) {
      const serial = engine.serialOf(eventId);
      const oldest = engine.oldestEventId;
      const isPast = oldest !== null && oldest <= eventId;
      if (serial !== null || isPast) return { eventId, serial, error: null };
      const { added, error } = await this.#loadOlder(null);
      if (added === 0) return { eventId, serial: null, error };
    }
  }
}
