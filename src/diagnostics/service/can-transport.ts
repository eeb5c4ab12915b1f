import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import { isRefusal, type LaneOwner, type TxOutcome } from '../../bench/outbox/lane.ts';
import type { SendRefusal } from '../../drivers/send-result.ts';
import { frm2Id } from '../../frame/frm2-codec.ts';
import { addressKey, type IsotpAddress, type IsotpPair } from '../../pdu/isotp/addressing.ts';
import { IsotpFrame } from '../../pdu/isotp/isotp-frame.ts';
import type { Link } from '../../pdu/isotp/link-settings.ts';
import { IsotpReceiver } from '../../pdu/isotp/receiver.ts';
import { IsotpSender, type IsotpSenderFailure } from '../../pdu/isotp/sender.ts';
import { refusedBy } from '../../transmit/send-failures.ts';
import { sid, suppressBit } from '../services.ts';
import { FunctionalResponders } from './functional-responders.ts';
import { frameEndUs, IsotpInput, IsotpLane } from './isotp-frames.ts';
import type { LinkTransport, TransportListener } from './link-transport.ts';

export interface CanTransportOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly channel: Channel;
  readonly link: Link;
  readonly listener: TransportListener;
  readonly peers: () => readonly IsotpPair[];
}

const never = Number.POSITIVE_INFINITY;

/** What a frame at the port is, in order of acceptance. */
const tag = { request: 0, functional: 1, presence: 2, flow: 3 } as const;

const notSent = (failure: IsotpSenderFailure): BusbarError => {
  switch (failure) {
    case 'flow_control_timeout':
    case 'flow_control_overflow':
      return new BusbarError(failure);
    case 'too_many_waits':
      return new BusbarError('flow_control_timeout', {
        message: 'The ECU sent more than wait_max wait frames in a row',
        details: { reason: failure },
      });
    case 'send_timeout':
      return new BusbarError('hardware_timeout', {
        message: 'A frame was not sent within N_As',
        details: { reason: failure },
      });
    case 'dropped':
      return new BusbarError('hardware_error', {
        message: 'The channel dropped a frame of the request',
        details: { reason: failure },
      });
  }
};

/**
 * ISO-TP on a CAN channel: a sender and a receiver for the addresses of one link, and the lane
 * that their frames share. Flow control is sent first, because the ECU waits for it.
 */
export class CanTransport implements LinkTransport, LaneOwner {
  readonly delayUs = 0;
  readonly #options: CanTransportOptions;
  readonly #lane: IsotpLane;
  readonly #timer: Task;
  readonly #sender: IsotpSender;
  readonly #functional: IsotpSender | null;
  readonly #receiver: IsotpReceiver;
  readonly #responders: FunctionalResponders;
  readonly #presence: IsotpFrame;
  readonly #stopListening: () => void;
  readonly #response: IsotpAddress;
  readonly #input = new IsotpInput();
  /** The sender of the request under way. */
  #active: IsotpSender | null = null;
  #isPresenceDue = false;
  #isPresenceAtPort = false;
  #isServing = false;
  #isClosed = false;

  constructor(options: CanTransportOptions) {
    const { scheduler, channel, link, listener } = options;
    this.#options = options;
    const { pair, settings } = link;
    const { fd, brs } = settings;
    const padding = settings.padding === 'none' ? null : Number.parseInt(settings.padding, 16);
    const senderOf = (address: IsotpAddress): IsotpSender =>
      new IsotpSender({
        address,
        fd,
        brs,
        padding,
        txDl: settings.tx_dl,
        nAsUs: settings.n_as_ms * 1000,
        nBsUs: settings.n_bs_ms * 1000,
        waitMax: settings.wait_max,
        onFinding: (code) => listener.finding(code),
      });
    this.#sender = senderOf(pair.request);
    this.#functional = pair.functional && senderOf(pair.functional);
    this.#response = pair.response;
    const from = addressKey(pair.response);
    this.#receiver = new IsotpReceiver({
      address: pair.request,
      fd,
      brs,
      padding,
      blockSize: settings.block_size,
      stMinUs: settings.st_min_us,
      maxLength: settings.max_length,
      nCrUs: settings.n_cr_ms * 1000,
      nArUs: settings.n_as_ms * 1000,
      onBegin: (_length, nowUs) => listener.began(nowUs, from),
      onPayload: (payload, nowUs) => listener.received(payload, nowUs, from),
      onFailed: (code, nowUs) => listener.broke(code, nowUs, from),
      onFinding: (code) => listener.finding(code),
    });
    this.#responders = new FunctionalResponders(options);
    this.#presence = new IsotpFrame({ address: pair.functional ?? pair.request, fd, brs, padding });
    this.#presence.begin(2);
    this.#presence.push(sid.testerPresent);
    this.#presence.push(suppressBit);
    this.#presence.finish();
    this.#lane = new IsotpLane(channel.outbox.open(this, { isUrgent: true }), options.clock);
    this.#timer = scheduler.createTask('iso-tp', (nowUs) => {
      this.#active?.expire(nowUs);
      this.#receiver.expire(nowUs);
      this.#checkActive(nowUs);
      this.#serve(nowUs);
      return undefined;
    });
    this.#stopListening = channel.onFrame((record, at) => this.#hear(record, at));
  }

  get isAwaitingFlow(): boolean {
    return this.#active?.state === 'waiting';
  }

  get maxFunctional(): number {
    return this.#functional?.maxSingle ?? 0;
  }

  send(payload: Uint8Array, functional: boolean): void {
    const sender = (functional ? this.#functional : null) ?? this.#sender;
    const nowUs = this.#options.clock.monotonicUs();
    sender.start(payload, nowUs);
    if (functional) this.#responders.start();
    this.#active = sender;
    this.#serve(nowUs);
  }

  cancel(): void {
    const sender = this.#active;
    if (!sender) return;
    this.#active = null;
    sender.cancel();
    this.#takeBack();
    this.#serve(this.#options.clock.monotonicUs());
  }

  /** Frames that have not reached the port are not sent; not while one is handed over. */
  #takeBack(): void {
    if (!this.#isServing) this.#lane.discard((kind) => this.#drop(kind));
  }

  endRequest(): void {
    this.#responders.stop();
  }

  sendPresence(): void {
    // The last one is not sent yet: the bus accepts no frames.
    if (this.#isPresenceAtPort) this.#options.listener.finding('tester_present_not_sent');
    else this.#isPresenceDue = true;
    this.#serve(this.#options.clock.monotonicUs());
  }

  cancelPresence(): void {
    this.#isPresenceDue = false;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer.cancel();
    this.#responders.stop();
    this.#stopListening();
    this.#lane.discard(() => undefined);
    this.#lane.close();
  }

  room(): void {
    this.#serve(this.#options.clock.monotonicUs());
  }

  settled(outcome: TxOutcome, atUs: number): void {
    const kind = this.#lane.shift();
    if (outcome === 'sent') this.#sent(kind, atUs);
    else if (isRefusal(outcome)) this.#refused(kind, outcome);
    else this.#drop(kind);
    this.#serve(atUs);
  }

  #sent(kind: number, atUs: number): void {
    switch (kind) {
      case tag.request:
        this.#sender.sent(atUs);
        if (this.#active === this.#sender) this.#checkActive(atUs);
        break;
      case tag.functional:
        this.#functional?.sent(atUs);
        if (this.#active === this.#functional) this.#checkActive(atUs);
        break;
      case tag.presence:
        this.#isPresenceAtPort = false;
        this.#options.listener.presenceSent(atUs);
        break;
      case tag.flow:
        this.#receiver.sent(atUs);
    }
  }

  #drop(kind: number): void {
    if (kind === tag.request) this.#sender.dropped();
    else if (kind === tag.functional) this.#functional?.dropped();
    else if (kind === tag.presence) this.#isPresenceAtPort = false;
    else this.#receiver.dropped(this.#options.clock.monotonicUs());
  }

  #refused(kind: number, refusal: SendRefusal): void {
    this.#drop(kind);
    if (this.#active && kind <= tag.functional) this.#endActive(refusedBy(refusal, 'channel'));
  }

  #endActive(error: BusbarError | null, atUs = 0): void {
    this.#active?.cancel();
    this.#active = null;
    if (error) this.#takeBack();
    const { listener } = this.#options;
    if (error) listener.notSent(error);
    else listener.sent(atUs);
  }

  /** Reports the end of a request, good or bad. */
  #checkActive(atUs: number): void {
    const sender = this.#active;
    if (!sender?.isOver) return;
    this.#endActive(sender.failure ? notSent(sender.failure) : null, atUs);
  }

  #hear(record: DataView, at: number): void {
    if (frm2Id(record, at) !== this.#response.id) return;
    if (!this.#input.read(record, at, this.#response)) return;
    const { pci, bytes } = this.#input;
    const nowUs = this.#options.clock.monotonicUs();
    if (pci.kind === 'flow') {
      const atUs = frameEndUs(this.#options.clock, record, at);
      if (this.#active) this.#active.flow(pci, atUs);
      else this.#options.listener.finding('unexpected_flow_control');
      this.#checkActive(nowUs);
      this.#serve(atUs);
      return;
    }
    this.#receiver.received(pci, bytes, 0, nowUs);
    this.#serve(nowUs);
  }

  /**
   * Submits what may be sent at a time, and schedules the next deadline. A report that is read late
   * has an earlier time than now: STmin then ends in the timer, not inside the report, where a
   * port can still start a frame at that time.
   */
  #serve(atUs: number): void {
    // A frame that is refused or sent during the call ends up here again.
    if (this.#isServing || this.#isClosed) return;
    this.#isServing = true;
    try {
      this.#submitAll(atUs);
    } finally {
      this.#isServing = false;
    }
    if (this.#isClosed) return;
    const dueUs = Math.min(this.#active?.deadlineUs ?? never, this.#receiver.deadlineUs);
    if (dueUs === never) this.#timer.cancel();
    else this.#timer.scheduleAt(dueUs);
  }

  #submitAll(atUs: number): void {
    if (!this.#lane.submitFlow(this.#receiver, tag.flow) || !this.#submitPresence()) return;
    for (;;) {
      const sender = this.#active;
      if (!sender) return;
      const frame = sender.next(atUs);
      if (!frame) {
        this.#checkActive(atUs);
        if (this.#active !== null || !this.#submitPresence()) return;
        continue;
      }
      const kind = sender === this.#functional ? tag.functional : tag.request;
      const result = this.#lane.submit(frame, kind);
      if (result === 'accepted') continue;
      sender.putBack();
      if (result === 'full') return;
      this.#endActive(refusedBy(result, 'channel'));
    }
  }

  /** Without a functional identifier, it would interrupt a request of several frames. */
  #submitPresence(): boolean {
    if (!this.#isPresenceDue || (this.#functional === null && this.#active !== null)) return true;
    const result = this.#lane.submit(this.#presence, tag.presence);
    if (result === 'full') return false;
    this.#isPresenceDue = false;
    this.#isPresenceAtPort = result === 'accepted';
    if (result !== 'accepted') this.#options.listener.finding('tester_present_not_sent');
    return true;
  }
}
