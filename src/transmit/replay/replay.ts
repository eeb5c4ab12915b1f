import type { Clock } from '../../base/clock/clock.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { FileIdentity } from '../../base/files/file-identity.ts';
import { durationRecord } from '../../base/schedule/duration-record.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { SendChannel } from '../send-channel.ts';
import type { ReplayRecord } from './replay-record.ts';
import type { ReplayOrder } from './replay-request.ts';
import { Replayer } from './replayer.ts';
import type { TraceStream } from './trace-stream.ts';

export interface ReplayParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly order: ReplayOrder;
  readonly targets: ReadonlyMap<string, SendChannel>;
  /** All mapped channels were found; otherwise the end of the file decides. */
  readonly isSearched: boolean;
  readonly stream: TraceStream;
  readonly onReleased: (channel: SendChannel) => void;
}

export class Replay {
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
