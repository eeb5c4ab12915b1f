import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import type { FoundChannel } from '../../bench/channel-table.ts';
import { isRefusal, type Lane, type LaneOwner, type TxOutcome } from '../../bench/outbox/lane.ts';
import { destinationOf, globalAddress, idOfGroup, sourceOf } from '../../database/j1939.ts';
import type { SendResult } from '../../drivers/send-result.ts';
import { frm2Flags, frm2Id, frm2PayloadLength } from '../../frame/frm2-codec.ts';
import { frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import { checkInService, selectedChannel } from '../../transmit/selected-channel.ts';
import { callerGone, interruptedBy, refusedBy, sendFailure } from '../../transmit/send-failures.ts';
import { abortFinding } from '../j1939/abort-reasons.ts';
import { type SenderFailure, TransferSender } from '../j1939/transfer-sender.ts';
import { maxSingleFrame, type TransportFrame, transportPgn } from '../j1939/transport-frames.ts';
import { findingCodes } from '../pdu.ts';
import { type J1939Message, type J1939SendRequest, j1939Message } from './j1939-message.ts';
import type { J1939SendRecord } from './j1939-record.ts';

export interface J1939SenderOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

export const maxTransfers = 256;

/** A bus without another node acknowledges no frame. */
export const portUs = 1_000_000;

export const notSent = (): BusbarError =>
  new BusbarError('hardware_timeout', {
    message: `A frame was not sent within ${portUs / 1_000_000} s`,
    details: { limit_us: portUs },
  });

/** What one request sends: a frame, or the frames of a transfer. */
interface FrameSource {
  readonly frame: TransportFrame | null;
  readonly isOver: boolean;
  readonly deadlineUs: number;
  readonly failure?: SenderFailure | undefined;
  sent(atUs: number): void;
  expire(nowUs: number): void;
  received(bytes: Uint8Array, at: number, length: number, nowUs: number): void;
  cancel(): void;
}

class SingleFrame implements FrameSource {
  frame: TransportFrame | null;
  isOver = false;
  readonly deadlineUs = Number.POSITIVE_INFINITY;

  constructor({ priority, pgn, destination, source, payload }: J1939Message) {
    this.frame = { id: idOfGroup(priority, pgn, destination, source), data: payload };
  }

  sent(): void {
    this.frame = null;
    this.isOver = true;
  }

  expire(): void {}

  received(): void {}

  cancel(): void {
    this.frame = null;
    this.isOver = true;
  }
}

const failureOf = (failure: SenderFailure): BusbarError => {
  if (failure.kind === 'timeout') return new BusbarError('j1939_timeout');
  if (failure.kind === 'bad_answer') {
    return new BusbarError('j1939_aborted', {
      message: 'The receiver answered against the protocol, so the transfer was aborted',
      details: { reason: 'bad_answer' },
    });
  }
  const code = abortFinding(failure.reason);
  return new BusbarError('j1939_aborted', {
    message: findingCodes[code],
    details: { reason: code, abort_reason: failure.reason },
  });
};

const foreign = frameFlag.remote | frameFlag.error | frameFlag.fd;

/** Runs one request on a channel: one frame at the port at a time. */
class TransferRun implements LaneOwner {
  frames = 0;
  readonly done: Promise<void>;
  readonly #source: FrameSource;
  readonly #lane: Lane;
  readonly #timer: Task;
  readonly #clock: Clock;
  readonly #stopListening: readonly (() => void)[];
  #settle: (error?: BusbarError) => void = () => {};
  #isInFlight = false;
  #sentByUs = 0;
  #isOver = false;

  constructor(channel: Channel, message: J1939Message, { clock, scheduler }: J1939SenderOptions) {
    const { payload, source, destination } = message;
    this.#clock = clock;
    this.#source =
      payload.length <= maxSingleFrame ? new SingleFrame(message) : new TransferSender(message);
    this.done = new Promise((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve());
    });
    this.#lane = channel.outbox.open(this);
    this.#timer = scheduler.createTask('j1939 send', (nowUs) => {
      if (this.#isInFlight && nowUs >= this.#sentByUs) this.end(notSent());
      this.#source.expire(nowUs);
      this.#serve();
      if (this.#isInFlight && !this.#isOver) this.#timer.scheduleAt(this.#sentByUs);
      return undefined;
    });
    const bytes = new Uint8Array(maxSingleFrame);
    this.#stopListening = [
      channel.onInterrupted((why) => this.end(interruptedBy(why))),
      channel.onFrame((record, at) => {
        const id = frm2Id(record, at);
        if ((id & 0x03ff_0000) !== transportPgn.connection << 8) return;
        if (sourceOf(id) !== destination || destinationOf(id) !== source) return;
        const flags = frm2Flags(record, at);
        if ((flags & frameFlag.extended) === 0 || (flags & foreign) !== 0) return;
        const length = frm2PayloadLength(record, at);
        for (let i = 0; i < length; i++) bytes[i] = record.getUint8(at + frm2.payload + i);
        this.#source.received(bytes, 0, length, clock.monotonicUs());
        this.#serve();
      }),
    ];
  }

  start(): void {
    this.#serve();
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#source.cancel();
    const { frame } = this.#source;
    if (frame) this.#submit(frame);
    this.end(callerGone());
  }

  room(): void {
    this.#serve();
  }

  settled(outcome: TxOutcome, atUs: number): void {
    this.#isInFlight = false;
    if (outcome === 'sent') {
      this.frames += 1;
      this.#source.sent(atUs);
      this.#serve();
    } else if (isRefusal(outcome)) this.end(refusedBy(outcome, 'channel'));
    else {
      this.end(
        new BusbarError('hardware_error', {
          message: 'The channel dropped a frame of the message',
          details: { reason: outcome },
        }),
      );
    }
  }

  end(error?: BusbarError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer.cancel();
    for (const stop of this.#stopListening) stop();
    this.#lane.close();
    this.#settle(error);
  }

  #submit({ id, data }: TransportFrame): SendResult {
    const { length } = data;
    return this.#lane.send(id, frameFlag.extended, length, data, 0, length);
  }

  #serve(): void {
    const source = this.#source;
    if (this.#isOver || this.#isInFlight) return;
    const { frame } = source;
    if (frame) {
      const result = this.#submit(frame);
      if (result === 'full') return;
      if (result !== 'accepted') {
        this.end(refusedBy(result, 'channel'));
        return;
      }
      this.#isInFlight = true;
      this.#sentByUs = this.#clock.monotonicUs() + portUs;
    }
    if (source.isOver) {
      // An abort was accepted by the channel, or there was none to send.
      if (!frame || source.failure) this.end(source.failure && failureOf(source.failure));
      return;
    }
    const sentByUs = this.#isInFlight ? this.#sentByUs : Number.POSITIVE_INFINITY;
    const deadlineUs = Math.min(source.deadlineUs, sentByUs);
    if (deadlineUs === Number.POSITIVE_INFINITY) this.#timer.cancel();
    else this.#timer.scheduleAt(deadlineUs);
  }
}

const methodOf = ({ payload, destination }: J1939Message): J1939SendRecord['method'] => {
  if (payload.length <= maxSingleFrame) return 'frame';
  return destination === globalAddress ? 'broadcast' : 'transfer';
};

/** Sends J1939 messages: one transfer at a time for each pair of addresses of a channel. */
export class J1939Sender {
  readonly #options: J1939SenderOptions;
  readonly #active = new Set<string>();

  constructor(options: J1939SenderOptions) {
    this.#options = options;
  }

  /** Resolves when the last frame was sent, or the receiver acknowledged the transfer. */
  async send(
    found: FoundChannel,
    request: J1939SendRequest,
    signal?: AbortSignal,
  ): Promise<J1939SendRecord> {
    try {
      return await this.#send(found, j1939Message(request), signal);
    } catch (thrown) {
      throw sendFailure(thrown, found);
    }
  }

  async #send(
    found: FoundChannel,
    message: J1939Message,
    signal: AbortSignal | undefined,
  ): Promise<J1939SendRecord> {
    const { channel, text } = found;
    checkInService(found);
    if (channel.hardware.bus === 'lin') {
      throw invalidArgument('channel', `${text} is a LIN channel; J1939 needs CAN`, {
        reason: 'not_on_bus',
        bus: 'lin',
      });
    }
    if (signal?.aborted) throw callerGone();
    const { pgn, source, destination, payload } = message;
    const method = methodOf(message);
    const key = method === 'frame' ? null : `${channel.slot} ${source} ${destination}`;
    this.#claim(key, message);
    const { clock } = this.#options;
    const startUs = clock.monotonicUs();
    const run = new TransferRun(channel, message, this.#options);
    const leave = (): void => run.cancel();
    signal?.addEventListener('abort', leave);
    try {
      run.start();
      await run.done;
    } finally {
      signal?.removeEventListener('abort', leave);
      if (key !== null) this.#active.delete(key);
    }
    return {
      ...selectedChannel(found),
      pgn,
      source,
      destination,
      length: payload.length,
      method,
      frames: run.frames,
      duration_us: Math.round(clock.monotonicUs() - startUs),
    };
  }

  #claim(key: string | null, { source, destination }: J1939Message): void {
    if (key === null) return;
    if (this.#active.has(key)) {
      throw new BusbarError('busy', {
        message: `Another transfer from ${source} to ${destination} is under way`,
        details: { field: 'source', source, destination },
      });
    }
    if (this.#active.size >= maxTransfers) {
      throw new BusbarError('capacity_exceeded', {
        message: `At most ${maxTransfers} J1939 transfers can be active`,
        details: { limit: maxTransfers },
      });
    }
    this.#active.add(key);
  }
}
