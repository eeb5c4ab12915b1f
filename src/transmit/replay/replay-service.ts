import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import type { FileIdentity } from '../../base/files/file-identity.ts';
import { Mutex } from '../../base/mutex.ts';
import { durationRecord } from '../../base/schedule/duration-record.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { TraceFormat } from '../../trace/trace-format.ts';
import type { FoundSendChannel, SendChannel } from '../send-channel.ts';
import { channelsMissing } from './channel-search.ts';
import { idleRecord, type ReplayRecord } from './replay-record.ts';
import { type ReplayOrder, type ReplayRequest, replayOrder } from './replay-request.ts';
import { isChannelNumber } from './replay-routes.ts';
import { Replayer } from './replayer.ts';
import type { TraceSource, TraceStream } from './trace-stream.ts';

interface ReplayParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly order: ReplayOrder;
  readonly targets: ReadonlyMap<string, SendChannel>;
  /** All mapped channels were found; otherwise the end of the file decides. */
  readonly isSearched: boolean;
  readonly stream: TraceStream;
  readonly onReleased: (channel: SendChannel) => void;
}

class Replay {
  readonly #clock: Clock;
  readonly #order: ReplayOrder;
  readonly #stream: TraceStream;
  readonly #replayer: Replayer;
  readonly #startedAtUs: number;
  #finishedAtUs: number | null = null;
  #isStopped = false;
  #error: BusbarError | null = null;

  constructor(parts: ReplayParts) {
    const { clock, scheduler, order, targets, isSearched, stream, onReleased } = parts;
    this.#clock = clock;
    this.#order = order;
    this.#stream = stream;
    this.#startedAtUs = clock.unixUs();
    const { speed, startOffsetUs } = order;
    this.#replayer = new Replayer({
      clock,
      scheduler,
      stream,
      plan: { file: order.file, targets, isSearched, speed, startOffsetUs },
      onEnd: (error) => {
        this.#finish(error);
        for (const channel of new Set(targets.values())) onReleased(channel);
      },
    });
    this.#replayer.start();
  }

  get file(): FileIdentity {
    return this.#stream.identity;
  }

  get isRunning(): boolean {
    return this.#finishedAtUs === null;
  }

  stop(): void {
    if (!this.isRunning) return;
    this.#isStopped = true;
    this.#replayer.stop();
  }

  #finish(error: BusbarError | null): void {
    this.#finishedAtUs = this.#clock.unixUs();
    this.#error = error;
    this.#stream.close().catch(() => undefined);
  }

  record(): ReplayRecord {
    const { file, channels, speed, loop, startOffsetUs } = this.#order;
    const { counts, cursor } = this.#replayer;
    const endState = this.#error ? 'failed' : 'finished';
    return {
      state: this.isRunning ? 'running' : endState,
      stopped: this.#isStopped,
      warning: counts.warning,
      file,
      format: this.#stream.format,
      channels,
      speed,
      loop,
      loops: cursor.laps,
      start_offset_us: startOffsetUs,
      position_us: cursor.positionUs,
      duration_us: cursor.durationUs,
      progress: cursor.progress,
      frames_sent: counts.sent,
      frames_skipped: counts.skipped,
      skipped: counts.skippedBy,
      unread: cursor.unread,
      malformed: cursor.malformed,
      truncated: cursor.isTruncated,
      out_of_order: cursor.outOfOrder,
      max_lateness_us: Math.ceil(counts.maxLatenessUs),
      deviation_us: durationRecord(counts.deviation.summary()),
      started_at_us: this.#startedAtUs,
      finished_at_us: this.#finishedAtUs,
      error: this.#error?.toRecord() ?? null,
    };
  }
}

type FindChannel = (selector: string) => Promise<FoundSendChannel>;

const field = 'channels';

const refused = (thrown: unknown, channel: string): BusbarError =>
  withField(field, thrown, { channel });

class ReplayTargets {
  readonly channels = new Map<string, SendChannel>();
  readonly #stopWatching: (() => void)[] = [];
  #closed: string | undefined;

  /** Rejects a selector as sending does; the error names `channels`. */
  async find(mappings: Readonly<Record<string, string>>, find: FindChannel): Promise<void> {
    for (const [key, selector] of Object.entries(mappings)) {
      try {
        const { channel } = await find(selector);
        this.channels.set(key, channel);
        this.#watch(channel, selector);
      } catch (thrown) {
        throw refused(thrown, selector);
      }
    }
  }

  /** A channel can have closed while others were looked up. */
  checkOpen(): void {
    if (this.#closed === undefined) return;
    throw new BusbarError('channel_not_open', {
      message: `${this.#closed} was closed before the replay started`,
      details: { field, channel: this.#closed },
    });
  }

  release(): void {
    for (const stop of this.#stopWatching.splice(0)) stop();
  }

  #watch(channel: SendChannel, selector: string): void {
    const stop = channel.onInterrupted((why) => {
      if (why === 'closed') this.#closed = selector;
    });
    this.#stopWatching.push(stop);
  }
}

export interface ReplayServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly traces: TraceSource;
  readonly onReleased?: (channel: SendChannel) => void;
}

const alreadyRunning = (replay: ReplayRecord): BusbarError =>
  new BusbarError('already_running', {
    message: `${replay.file} is being replayed`,
    details: { ...replay },
  });

/** Candump logs name channels; other files number them. */
const checkKeys = (order: ReplayOrder, format: TraceFormat): void => {
  if (format === 'candump') return;
  const wrong = Object.keys(order.channels).find((key) => !isChannelNumber(key));
  if (wrong === undefined) return;
  throw invalidArgument(
    'channels',
    `${wrong} is not a file channel: use 1, C1 for CAN only, L1 for LIN only and so on`,
    { reason: 'bad_file_channel', file_channel: wrong },
  );
};

/** Replays traces one at a time. The last record is available until the next start. */
export class ReplayService {
  readonly #options: ReplayServiceOptions;
  readonly #turns = new Mutex();
  #replay: Replay | undefined;
  #isClosed = false;

  constructor(options: ReplayServiceOptions) {
    this.#options = options;
  }

  start(request: ReplayRequest, find: FindChannel): Promise<ReplayRecord> {
    return this.#turns.take(async () => {
      if (this.#isClosed) throw new BusbarError('internal_error');
      if (this.#replay?.isRunning) throw alreadyRunning(this.#replay.record());
      const order = replayOrder(request);
      this.#replay = await this.#begin(order, find);
      return this.#replay.record();
    });
  }

  status(): ReplayRecord {
    return this.#replay?.record() ?? idleRecord;
  }

  get file(): FileIdentity | null {
    return this.#replay?.isRunning ? this.#replay.file : null;
  }

  stop(): Promise<ReplayRecord> {
    return this.#turns.take(async () => {
      this.#replay?.stop();
      return this.status();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  async #begin(order: ReplayOrder, find: FindChannel): Promise<Replay> {
    const { clock, scheduler, traces, onReleased = () => {} } = this.#options;
    const targets = new ReplayTargets();
    let stream: TraceStream | undefined;
    try {
      await targets.find(order.channels, find);
      stream = await traces.open(order.file, order.loop);
      checkKeys(order, stream.format);
      const found = await stream.findChannels(Object.keys(order.channels));
      if (found.isComplete && found.missing.length > 0) throw channelsMissing(order.file, found);
      targets.checkOpen();
      const { channels } = targets;
      const isSearched = found.missing.length === 0;
      return new Replay({
        clock,
        scheduler,
        order,
        targets: channels,
        isSearched,
        stream,
        onReleased,
      });
    } catch (thrown) {
      stream?.close().catch(() => undefined);
      throw thrown;
    } finally {
      targets.release();
    }
  }
}

export type ChannelMappings = Readonly<Record<string, string>>;

/** Accepts mappings as one object, or one by one as on a command line. */
export const channelMappings = (
  channels: ChannelMappings | undefined,
  map: readonly string[] | undefined,
): ChannelMappings => {
  if (channels && map) {
    throw invalidArgument('map', 'map duplicates channels: omit one of them', {
      reason: 'exclusive',
    });
  }
  if (!map) {
    if (channels) return channels;
    throw invalidArgument('channels', 'channels is required: map file channels to channels', {
      reason: 'missing',
    });
  }
  const mappings = new Map<string, string>();
  for (const text of map) {
    const [key = '', ...selector] = text.split('=');
    if (mappings.has(key)) {
      throw invalidArgument('map', `Channel ${key} of the file is mapped more than once`, {
        reason: 'duplicate_key',
      });
    }
    mappings.set(key, selector.join('='));
  }
  return Object.fromEntries(mappings);
};
