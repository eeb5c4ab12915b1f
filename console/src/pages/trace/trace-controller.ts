import { type ApiError, type ErrorRecord, errorRecord } from '../../api/api-error.ts';
import { read } from '../../api/client.ts';
import { decodeMessage } from '../../codec/decode-message.ts';
import { useToken } from '../../storage/remembered.ts';
import { FrameSocket } from '../../streams/frame-socket.ts';
import type { StreamState } from '../../streams/keep-connected.ts';
import { RateMeter } from '../../streams/rate-meter.ts';
import { ChannelNames } from '../../trace-core/channel-names.ts';
import {
  type ExportFormat,
  exportFormats,
  exportTrace,
  loadWriter,
} from '../../trace-core/export-trace.ts';
import { type AskHistory, readOlder } from '../../trace-core/older-frames.ts';
import { TraceEngine } from '../../trace-core/trace-engine.ts';
import { WindowPacer } from '../../trace-core/window-pacer.ts';
import type {
  FoundEvent,
  OlderResult,
  TraceAnswer,
  TraceRequest,
  WindowQuestion,
} from './trace-messages.ts';

/**
 * Refresh interval. Followed frames are drawn 50 times a second; values by ID need more time to
 * be read.
 */
const stepMs = { frames: 20, 'by-id': 100 } as const;

type Post = (answer: TraceAnswer, transfer?: Transferable[]) => void;

const historyOf = (channels: readonly string[] | null): AskHistory => {
  const query = (channels ?? []).map((channel) => `&channel=${encodeURIComponent(channel)}`);
  return (after, limit) =>
    read<'message.history'>(
      `/api/v1/messages/history?after=${after}&limit=${limit}${query.join('')}`,
    );
};

const yieldToEvents = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Handles the requests of the page in the worker and posts the stream status. */
export class TraceController {
  readonly #post: Post;
  readonly #engine = new TraceEngine(() => this.#pacer.notify());
  readonly #pacer = new WindowPacer<WindowQuestion & { readonly buffer: ArrayBuffer }>(
    ({ number, request, buffer }) => {
      const facts = this.#engine.window(request, buffer);
      this.#post({ type: 'window', number, request, facts, buffer }, [buffer]);
    },
    ({ request: { view } }) => stepMs[view],
    { now: () => performance.now(), later: (run, ms) => setTimeout(run, ms) },
  );
  readonly #rate = new RateMeter();
  readonly #socket: FrameSocket;
  #channelNames = new ChannelNames([]);
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
      case 'window':
        this.#takeQuestion(asked);
        break;
      case 'decode':
        this.#post({
          type: 'decoded',
          number: asked.number,
          signals: decodeMessage(asked.message, asked.data),
        });
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
      case 'export':
        void this.#writeFile(asked.format).then((answer) => this.#post(answer));
        break;
      case 'filter':
        this.#engine.filter(asked.filter);
        break;
      case 'names':
        this.#engine.name(asked.sources);
        break;
      case 'channels':
        this.#channelNames = new ChannelNames(asked.seen);
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
    }
  }

  postStatus(): void {
    const { stats, total, malformed, gapNotes, unlisted } = this.#engine;
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

  #takeQuestion(question: WindowQuestion): void {
    const buffer = question.buffer ?? this.#pacer.waiting?.buffer;
    // Without a buffer, an answer is in flight; the table then requests again.
    if (buffer) this.#pacer.ask({ ...question, buffer }, question.isImmediate);
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

  async #writeFile(format: ExportFormat): Promise<TraceAnswer> {
    const { names, shownFromUs } = this.#engine;
    const channelNames = this.#channelNames;
    const channelName = (slot: number, us: number): string =>
      channelNames.nameOf(slot, us) ?? `channel${slot}`;
    const { rows, release } = this.#engine.holdShown();
    const channelNumber = (slot: number, us: number): number =>
      channelNames.numberOf(slot, us) ?? slot + 1;
    const context = { channelName, channelNumber, names };
    try {
      const writer = await loadWriter(format).catch(() => null);
      if (writer === null) return { type: 'export', saved: null };
      const { pieces, ...counts } = await exportTrace(
        rows,
        writer,
        shownFromUs,
        context,
        yieldToEvents,
      );
      const file = new Blob(pieces, { type: exportFormats[format].type });
      return { type: 'export', saved: { file, ...counts } };
    } finally {
      release();
    }
  }
}
