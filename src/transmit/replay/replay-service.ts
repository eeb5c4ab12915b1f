import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import type { FileIdentity } from '../../base/files/file-identity.ts';
import { Mutex } from '../../base/mutex.ts';
import { durationRecord } from '../../base/schedule/duration-record.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { SendChannel } from '../send-channel.ts';
import { idleRecord, type ReplayRecord } from './replay-record.ts';
import { type ReplayOrder, type ReplayRequest, replayOrder } from './replay-request.ts';
import { lapGapUs } from './replay-timeline.ts';
import { Replayer } from './replayer.ts';
import type { FilterOrder, TraceOrder, TraceSource, TraceStream } from './trace-stream.ts';

interface ReplayParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly order: ReplayOrder;
  readonly targets: ReadonlyMap<string, SendChannel>;
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
    const { clock, scheduler, order, targets, stream, onReleased } = parts;
    this.#clock = clock;
    this.#order = order;
    this.#stream = stream;
    this.#startedAtUs = clock.unixUs();
    const { speed, startOffsetUs, repeat } = order;
    const pauseUs = repeat?.pause_us ?? lapGapUs;
    this.#replayer = new Replayer({
      clock,
      scheduler,
      stream,
      plan: { targets: [...targets.values()], speed, startOffsetUs, pauseUs },
      onEnd: (error) => {
        this.#finish(error);
        for (const channel of new Set(targets.values())) onReleased(channel);
      },
    });
    this.#replayer.start();
  }

  get files(): readonly FileIdentity[] {
    return this.#stream.identities;
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
    const { files, channels, filter, ids, speed, loop, repeat, startOffsetUs } = this.#order;
    const { counts, cursor } = this.#replayer;
    const endState = this.#error ? 'failed' : 'finished';
    return {
      state: this.isRunning ? 'running' : endState,
      stopped: this.#isStopped,
      warning: counts.warning,
      file: files[0] ?? null,
      files: [...files],
      format: this.#stream.format,
      channels,
      filter,
      ids,
      speed,
      loop,
      repeat,
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

interface ReplayTarget extends SendChannel {
  /** Attached databases. */
  readonly databases?: { readonly names: readonly string[] };
}

type FindChannel = (selector: string) => Promise<{ readonly channel: ReplayTarget }>;

const field = 'channels';

const refused = (thrown: unknown, channel: string): BusbarError =>
  withField(field, thrown, { channel });

class ReplayTargets {
  readonly channels = new Map<string, SendChannel>();
  /** Names of the attached databases. */
  readonly databases: Record<string, readonly string[]> = {};
  readonly #stopWatching: (() => void)[] = [];
  #closed: string | undefined;

  /** Rejects a selector as sending does; the error names `channels`. */
  async find(mappings: Readonly<Record<string, string>>, find: FindChannel): Promise<void> {
    for (const [key, selector] of Object.entries(mappings)) {
      try {
        const { channel } = await find(selector);
        this.channels.set(key, channel);
        this.databases[key] = [...(channel.databases?.names ?? [])];
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

const traceOrder = (
  { files, field, channels, filter, idChanges, loop, repeat }: ReplayOrder,
  databases: FilterOrder['databases'],
): TraceOrder => ({
  files,
  field,
  mapped: Object.keys(channels),
  laps: loop ? Number.POSITIVE_INFINITY : (repeat?.count ?? 1),
  ids: idChanges,
  filter: filter === null ? null : { text: filter, databases },
});

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

  /** The files that are being replayed. */
  get files(): readonly FileIdentity[] {
    return this.#replay?.isRunning ? this.#replay.files : [];
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
      stream = await traces.open(traceOrder(order, targets.databases));
      await stream.findChannels();
      targets.checkOpen();
      const { channels } = targets;
      return new Replay({
        clock,
        scheduler,
        order,
        targets: channels,
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
