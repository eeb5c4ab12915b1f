import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import type { LaneOwner, TxOutcome } from '../../bench/outbox/lane.ts';
import { frm2Id } from '../../frame/frm2-codec.ts';
import type { IsotpAddress } from '../../pdu/isotp/addressing.ts';
import type { IsotpFrame } from '../../pdu/isotp/isotp-frame.ts';
import type { Link } from '../../pdu/isotp/link-settings.ts';
import { IsotpReceiver } from '../../pdu/isotp/receiver.ts';
import { IsotpSender } from '../../pdu/isotp/sender.ts';
import type { FrameFault } from '../ecu-server.ts';
import { type EcuPort, type EcuPortListener, faultOf, misnumber } from './ecu-port.ts';
import { frameEndUs, IsotpInput, IsotpLane } from './isotp-frames.ts';

export interface EcuPortOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly channel: Channel;
  /** As the tester sees it. */
  readonly link: Link;
  readonly listener: EcuPortListener;
}

const never = Number.POSITIVE_INFINITY;

/** What an accepted frame is. A dropped one is never sent, but has its place among the others. */
const tag = { response: 0, flow: 1, dropped: 2 } as const;

/** ISO-TP on CAN as an ECU: the directions of its link the other way round. */
export class CanEcuPort implements EcuPort, LaneOwner {
  readonly answersFunctional = true;
  readonly #options: EcuPortOptions;
  readonly #lane: IsotpLane;
  readonly #timer: Task;
  readonly #sender: IsotpSender;
  readonly #receiver: IsotpReceiver;
  readonly #functional: IsotpReceiver;
  readonly #stopListening: () => void;
  readonly #addressBytes: 0 | 1;
  readonly #input = new IsotpInput();
  #faults: readonly FrameFault[] = [];
  #frame = 0;
  #isResponding = false;
  /** A frame that its fault delays, until the time in `#heldUntilUs`. */
  #held: IsotpFrame | null = null;
  #heldUntilUs = never;
  #isServing = false;
  #isClosed = false;

  constructor(options: EcuPortOptions) {
    const { scheduler, channel, link, listener } = options;
    this.#options = options;
    const { pair, settings } = link;
    const { fd, brs } = settings;
    const padding = settings.padding === 'none' ? null : Number.parseInt(settings.padding, 16);
    const shared = { address: pair.response, fd, brs, padding };
    this.#addressBytes = pair.request.addressByte === null ? 0 : 1;
    this.#sender = new IsotpSender({
      ...shared,
      txDl: settings.tx_dl,
      // A fault can delay a frame for longer.
      nAsUs: never,
      nBsUs: settings.n_bs_ms * 1000,
      waitMax: settings.wait_max,
    });
    const receiving = {
      ...shared,
      maxLength: settings.max_length,
      nCrUs: settings.n_cr_ms * 1000,
      nArUs: settings.n_as_ms * 1000,
    };
    this.#receiver = new IsotpReceiver({
      ...receiving,
      blockSize: settings.block_size,
      stMinUs: settings.st_min_us,
      onPayload: (payload, atUs) => listener.requested(payload, false, atUs),
    });
    this.#functional = new IsotpReceiver({
      ...receiving,
      blockSize: 0,
      stMinUs: 0,
      isFunctional: true,
      onPayload: (payload, atUs) => listener.requested(payload, true, atUs),
    });
    this.#lane = new IsotpLane(channel.outbox.open(this, { isUrgent: true }), options.clock);
    this.#timer = scheduler.createTask('simulated ecu', (nowUs) => {
      this.#sender.expire(nowUs);
      this.#receiver.expire(nowUs);
      this.#serve();
      return undefined;
    });
    this.#stopListening = channel.onFrame((record, at) => this.#hear(record, at));
  }

  get isResponding(): boolean {
    return this.#isResponding;
  }

  respond(payload: Uint8Array, faults: readonly FrameFault[]): void {
    this.#faults = faults;
    this.#frame = 0;
    this.#isResponding = true;
    this.#sender.start(payload, this.#options.clock.monotonicUs());
    this.#serve();
  }

  abandon(): void {
    this.#isResponding = false;
    this.#sender.cancel();
    this.#releaseHeld();
  }

  close(): void {
    this.#isClosed = true;
    this.#timer.cancel();
    this.#stopListening();
    this.#lane.close();
  }

  room(): void {
    this.#serve();
  }

  settled(outcome: TxOutcome, atUs: number): void {
    const kind = this.#lane.shift();
    const isSent = outcome === 'sent';
    if (kind === tag.flow) {
      if (isSent) this.#receiver.sent(atUs);
      else this.#receiver.dropped(atUs);
    } else if (isSent) this.#sender.sent(atUs);
    else this.#sender.dropped();
    this.#passDropped(atUs);
    this.#serve();
  }

  #passDropped(atUs: number): void {
    while (this.#lane.oldest === tag.dropped) {
      this.#lane.shift();
      this.#sender.sent(atUs);
    }
  }

  #checkOver(): void {
    if (!this.#isResponding || !this.#sender.isOver) return;
    this.#isResponding = false;
    const { clock, listener } = this.#options;
    listener.ended(this.#sender.state === 'done', clock.monotonicUs());
  }

  #hear(record: DataView, at: number): void {
    const { request, functional } = this.#options.link.pair;
    const isRequest = this.#isTo(request, record, at);
    if (!isRequest && !(functional && this.#isTo(functional, record, at))) return;
    const { pci, bytes } = this.#input;
    const atUs = frameEndUs(this.#options.clock, record, at);
    if (!isRequest) this.#functional.received(pci, bytes, 0, atUs);
    else if (pci.kind === 'flow') this.#sender.flow(pci, atUs);
    else this.#receiver.received(pci, bytes, 0, atUs);
    this.#serve();
  }

  /** Whether a frame is to an address; if it is, it was read. */
  #isTo(address: IsotpAddress, record: DataView, at: number): boolean {
    return frm2Id(record, at) === address.id && this.#input.read(record, at, address);
  }

  /** Submits frames while the port accepts them, and schedules the next deadline. */
  #serve(): void {
    if (this.#isServing || this.#isClosed) return;
    this.#isServing = true;
    try {
      if (this.#lane.submitFlow(this.#receiver, tag.flow)) this.#submitFrames();
    } finally {
      this.#isServing = false;
    }
    this.#checkOver();
    if (this.#isClosed || this.#isServing) return;
    // A frame held for lack of room is sent by `room`.
    const heldUs = this.#heldUntilUs || never;
    const dueUs = Math.min(this.#sender.deadlineUs, this.#receiver.deadlineUs, heldUs);
    if (dueUs === never) this.#timer.cancel();
    else this.#timer.scheduleAt(dueUs);
  }

  #submitFrames(): void {
    for (;;) {
      const nowUs = this.#options.clock.monotonicUs();
      const frame = this.#nextFrame(nowUs);
      if (!frame) return;
      const result = this.#lane.submit(frame, tag.response);
      if (result === 'accepted') continue;
      if (result === 'full') {
        this.#held = frame;
        this.#heldUntilUs = 0;
        return;
      }
      // The channel cannot send: to the tester, the ECU is silent.
      this.#sender.cancel();
      this.#sender.putBack();
      return;
    }
  }

  /** The next frame with its fault, or null if there is none yet. */
  #nextFrame(nowUs: number): IsotpFrame | null {
    const held = this.#held;
    if (held) {
      if (this.#sender.isOver) {
        this.#releaseHeld();
        return null;
      }
      if (nowUs < this.#heldUntilUs) return null;
      this.#held = null;
      this.#heldUntilUs = never;
      return held;
    }
    for (;;) {
      const frame = this.#sender.next(nowUs);
      if (!frame) return null;
      this.#frame += 1;
      const fault = faultOf(this.#faults, this.#frame);
      if (fault === undefined) return frame;
      if (fault.kind === 'sequence') {
        misnumber(frame.data, this.#addressBytes);
        return frame;
      }
      if (fault.kind === 'delay') {
        this.#held = frame;
        this.#heldUntilUs = nowUs + fault.delayUs;
        return null;
      }
      this.#lane.push(tag.dropped);
      this.#passDropped(nowUs);
    }
  }

  /** A frame of a cancelled response: its sender no longer awaits an outcome. */
  #releaseHeld(): void {
    if (this.#held === null) return;
    this.#held = null;
    this.#heldUntilUs = never;
    this.#sender.putBack();
  }
}
