import type { Clock } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Scheduler } from '../base/schedule/scheduler.ts';
import type { Lane } from '../bench/outbox/lane.ts';
import type { PortControl } from '../drivers/driver-channel.ts';
import type { SendProgress } from './batch.ts';
import { BatchSend, type SendTime } from './batch-send.ts';
import { listSubmission } from './frame-list.ts';
import type { FoundSendChannel, SendChannel } from './send-channel.ts';
import { callerGone, sendFailure, withProgress } from './send-failures.ts';
import { SendLane } from './send-lane.ts';
import type { SendRecord } from './send-record.ts';
import {
  type PaceRequest,
  requestedFrame,
  requestedPace,
  type SendPace,
  type SendRequest,
} from './send-request.ts';
import { type Submission, submissionOf, wakeUpSubmission } from './submit.ts';

export interface SenderOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

export interface SendOptions {
  readonly maxDurationUs?: number | undefined;
  /** Called about ten times a second, and at the end. */
  readonly onProgress?: ((progress: SendProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface SendWork {
  readonly pace: SendPace;
  readonly prepare: (lane: Lane) => Submission;
  readonly field: string;
}

const fieldOf = ({ frame, frames }: SendRequest): string => {
  if (frames !== undefined) return 'frames';
  return frame === undefined ? 'type' : 'frame';
};

export const maxActive = 512;

const tooMany = (): BusbarError =>
  new BusbarError('capacity_exceeded', {
    message: `At most ${maxActive} sends can be active`,
    details: { limit: maxActive },
  });

/**
 * Sends frames on open channels. Errors have the reason, the channel and the number of accepted
 * frames. Reads of a batch run one after another.
 */
export class Sender {
  readonly #time: SendTime;
  #active = 0;
  readonly #lanes = new WeakMap<SendChannel, SendLane>();

  constructor(options: SenderOptions) {
    this.#time = options;
  }

  /** Resolves when all frames are accepted and a read has its response. */
  async send(
    found: FoundSendChannel,
    request: SendRequest,
    options: SendOptions = {},
  ): Promise<SendRecord> {
    try {
      const pace = requestedPace(request, options.maxDurationUs);
      const prepare = this.#preparation(request, found.channel.hardware);
      return await this.#send(found, { pace, prepare, field: fieldOf(request) }, options);
    } catch (thrown) {
      throw sendFailure(thrown, found);
    }
  }

  async wakeUp(
    found: FoundSendChannel,
    { timeout_ms }: Pick<PaceRequest, 'timeout_ms'>,
    options: SendOptions = {},
  ): Promise<SendRecord> {
    try {
      const pace = requestedPace({ count: 1, cycle_us: 0, timeout_ms });
      const work = { pace, prepare: wakeUpSubmission, field: 'selector' };
      return await this.#send(found, work, options);
    } catch (thrown) {
      throw sendFailure(thrown, found);
    }
  }

  async #send(
    { channel, text, kind, resolved }: FoundSendChannel,
    { pace, prepare, field }: SendWork,
    { maxDurationUs, onProgress, signal }: SendOptions,
  ): Promise<SendRecord> {
    const { slot } = channel;
    if (this.#active >= maxActive) throw tooMany();
    if (signal?.aborted) throw withProgress(callerGone(), 0, 0);
    const run = new BatchSend({
      time: this.#time,
      channel,
      sendLane: this.#laneOf(channel),
      prepare,
      pace,
      field,
      maxDurationUs,
      onProgress,
    });
    const leave = () => run.end(callerGone());
    signal?.addEventListener('abort', leave);
    this.#active++;
    try {
      run.start();
      const response = await run.batch.response;
      const { accepted } = run.batch;
      return { accepted, channel: text, selector_kind: kind, slot, resolved, response };
    } finally {
      this.#active--;
      signal?.removeEventListener('abort', leave);
    }
  }

  #laneOf(channel: SendChannel): SendLane {
    const known = this.#lanes.get(channel);
    if (known) return known;
    const lane = new SendLane(channel);
    this.#lanes.set(channel, lane);
    return lane;
  }

  #preparation(request: SendRequest, hardware: PortControl): (lane: Lane) => Submission {
    const { frames, checksum } = request;
    if (frames !== undefined) return (lane) => listSubmission(frames, hardware, checksum, lane);
    const frame = requestedFrame(request, hardware);
    return (lane) => submissionOf(frame, lane);
  }
}
