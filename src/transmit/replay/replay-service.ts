import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { FileIdentity } from '../../base/files/file-identity.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { Turns } from '../../base/turns.ts';
import type { TraceFormat } from '../../trace/trace-format.ts';
import type { SendChannel } from '../send-channel.ts';
import { channelsMissing } from './channel-search.ts';
import { Replay } from './replay.ts';
import { idleRecord, type ReplayRecord } from './replay-record.ts';
import { type ReplayOrder, type ReplayRequest, replayOrder } from './replay-request.ts';
import { isChannelNumber } from './replay-routes.ts';
import { type FindChannel, ReplayTargets } from './replay-targets.ts';
import type { TraceSource, TraceStream } from './trace-stream.ts';

export interface ReplayServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly traces: TraceSource;
  /** Told of each channel that a replay has let go of, with nothing of it left there. */
  readonly onReleased?: (channel: SendChannel) => void;
}

const alreadyRunning = (replay: ReplayRecord): BusbarError =>
  new BusbarError('already_running', {
    message: `${replay.file} is being replayed`,
    details: { ...replay },
  });

/** In a candump log channels have names; elsewhere they have numbers only. */
const checkKeys = (order: ReplayOrder, format: TraceFormat): void => {
  if (format === 'candump') return;
  const wrong = Object.keys(order.channels).find((key) => !isChannelNumber(key));
  if (wrong === undefined) return;
  throw invalidArgument(
    'channels',
    `${wrong} is no channel of such a file: they are 1, C1 for CAN alone, L1 for LIN alone and so on`,
    {
      reason: 'bad_file_channel',
      file_channel: wrong,
    },
  );
};

/** Replays traces, one at a time. What became of the last one can be asked until the next begins. */
export class ReplayService {
  readonly #options: ReplayServiceOptions;
  readonly #turns = new Turns();
  #replay: Replay | undefined;
  #isClosed = false;

  constructor(options: ReplayServiceOptions) {
    this.#options = options;
  }

  /** Begins to replay once the file and all channels are found to be right. */
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

  /** The file of the replay that is running. */
  get file(): FileIdentity | null {
    return this.#replay?.isRunning ? this.#replay.file : null;
  }

  /** Ends what is running, and answers what became of it. */
  stop(): Promise<ReplayRecord> {
    return this.#turns.take(async () => {
      this.#replay?.stop();
      return this.status();
    });
  }

  /** Ends for good. */
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
