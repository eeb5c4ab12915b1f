import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import { frm2Flags, frm2Id, frm2PayloadLength } from '../../frame/frm2-codec.ts';
import { frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import { linMasterRequestId, linSlaveResponseId, maxLinLength } from '../../frame/lin.ts';
import type { DiagnosticSlots, RequestSource, SlotUser } from '../../lin/diagnostic-slots.ts';
import { addressKey } from '../../pdu/isotp/addressing.ts';
import {
  functionalNad,
  isLinTransport,
  LinReceiver,
  LinSender,
} from '../../pdu/isotp/lin-transport.ts';
import type { Link } from '../../pdu/isotp/link-settings.ts';
import { maxShortLength, Pci, readPci } from '../../pdu/isotp/pci.ts';
import type { IsotpSender } from '../../pdu/isotp/sender.ts';
import { sid, suppressBit } from '../services.ts';
import type { LinkTransport, TransportListener } from './link-transport.ts';

/** Diagnostic slots of the schedule that runs on a channel, by the channel's slot. */
export type FindSlots = (slot: number) => DiagnosticSlots | undefined;

export interface LinTransportOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly channel: Channel;
  readonly link: Link;
  readonly listener: TransportListener;
  readonly slotsOn: FindSlots;
}

const presence = Uint8Array.of(
  ...[functionalNad, 2, sid.testerPresent, suppressBit],
  ...[0xff, 0xff, 0xff, 0xff],
);

const noSlots = ({ selector, name }: Channel): BusbarError => {
  const channel = name ?? selector;
  return new BusbarError('busy', {
    message: `No schedule with MasterReq and SlaveResp slots runs on ${channel}`,
    details: { field: 'channel', reason: 'no_diagnostic_slots' },
    hint: `busbar lin schedule start ${channel} --table=<table> starts one.`,
  });
};

/**
 * Requests to one slave in the MasterReq slots of a running schedule, and its responses from the
 * SlaveResp slots. The slots are this link's from the start of a request until `endRequest`.
 */
export class LinTransport implements LinkTransport, SlotUser {
  readonly isAwaitingFlow = false;
  readonly #options: LinTransportOptions;
  readonly #physical: LinSender;
  readonly #functional: LinSender;
  readonly #receiver: LinReceiver;
  readonly #timer: Task;
  readonly #stopListening: () => void;
  readonly #pci = new Pci();
  readonly #bytes = new Uint8Array(maxLinLength);
  readonly #frame = new Uint8Array(maxLinLength);
  readonly #presence: RequestSource;
  #payload = new Uint8Array(0);
  /** The sender of the request that is being sent, or waits for the slots. */
  #active: IsotpSender | null = null;
  #slots: DiagnosticSlots | undefined;
  #presenceSlots: DiagnosticSlots | undefined;

  constructor(options: LinTransportOptions) {
    const { scheduler, channel, link, listener, slotsOn } = options;
    this.#options = options;
    const { settings, pair } = link;
    const nad = settings.nad ?? 0;
    const nAsUs = settings.n_as_ms * 1000;
    this.#physical = new LinSender({ id: linMasterRequestId, nad, nAsUs });
    this.#functional = new LinSender({ id: linMasterRequestId, nad: functionalNad, nAsUs });
    const from = addressKey(pair.response);
    this.#receiver = new LinReceiver({
      nad,
      maxLength: settings.max_length,
      nCrUs: settings.n_cr_ms * 1000,
      onBegin: (_length, nowUs) => listener.began(nowUs, from),
      onPayload: (payload, nowUs) => listener.received(payload, nowUs, from),
      onFailed: (code, nowUs) => listener.broke(code, nowUs, from),
      onFinding: (code) => listener.finding(code),
    });
    this.#presence = {
      nextFrame: () => presence,
      settled: (isSent, atUs) => {
        if (isSent) listener.presenceSent(atUs);
        else this.sendPresence();
      },
    };
    this.#timer = scheduler.createTask('lin transport', (nowUs) => {
      this.#active?.expire(nowUs);
      this.#receiver.expire(nowUs);
      this.#checkActive(nowUs);
      this.#arm();
      return undefined;
    });
    this.#stopListening = channel.onFrame((record, at) => this.#hear(record, at));
    this.#slots = slotsOn(channel.slot);
  }

  get maxFunctional(): number {
    return this.#functional.maxSingle;
  }

  /** A response waits for a SlaveResp slot. */
  get delayUs(): number {
    return this.#options.slotsOn(this.#options.channel.slot)?.pollUs ?? 0;
  }

  send(payload: Uint8Array, functional: boolean): void {
    const { channel, listener, slotsOn, clock } = this.#options;
    if (payload.length > maxShortLength) {
      const message = `A request on LIN has at most ${maxShortLength} bytes`;
      listener.notSent(
        invalidArgument('data', message, { reason: 'too_long', limit: maxShortLength }),
      );
      return;
    }
    const slots = slotsOn(channel.slot);
    if (slots?.pollUs == null) {
      listener.notSent(noSlots(channel));
      return;
    }
    this.#payload = payload.slice();
    this.#active = functional ? this.#functional : this.#physical;
    this.#slots = slots;
    slots.join(this, clock.monotonicUs());
  }

  cancel(): void {
    this.#active?.reset();
    this.#active = null;
    this.endRequest();
  }

  endRequest(): void {
    this.#slots?.leave(this, this.#options.clock.monotonicUs());
    this.#slots = undefined;
    this.#arm();
  }

  sendPresence(): void {
    const { channel, slotsOn, listener } = this.#options;
    this.#presenceSlots = slotsOn(channel.slot);
    if (this.#presenceSlots?.pollUs == null) listener.finding('tester_present_not_sent');
    else this.#presenceSlots.addSingle(this.#presence);
  }

  cancelPresence(): void {
    this.#presenceSlots?.removeSingle(this.#presence);
  }

  close(): void {
    this.cancel();
    this.cancelPresence();
    this.#timer.cancel();
    this.#stopListening();
  }

  entered(nowUs: number): void {
    this.#active?.start(this.#payload, nowUs);
    this.#arm();
  }

  ended(): void {
    const { channel, listener } = this.#options;
    this.#slots = undefined;
    if (!this.#active) return;
    this.#active.reset();
    this.#active = null;
    // The link reports that its channel closes.
    if (channel.state !== 'closing') listener.notSent(noSlots(channel));
  }

  nextFrame(nowUs: number): Uint8Array | null {
    const frame = this.#active?.next(nowUs);
    if (!frame) return null;
    for (let i = 0; i < maxLinLength; i++) this.#frame[i] = frame.data[i] as number;
    return this.#frame;
  }

  settled(isSent: boolean, atUs: number): void {
    const active = this.#active;
    if (!active) return;
    if (isSent) active.sent(atUs);
    else active.putBack();
    this.#checkActive(atUs);
    this.#arm();
  }

  /** Reports the end of sending, good or bad. */
  #checkActive(atUs: number): void {
    const active = this.#active;
    const { listener } = this.#options;
    // While it waits for the slots it has not started.
    if (!active || (active.state !== 'done' && active.state !== 'failed')) return;
    const { failure } = active;
    active.reset();
    this.#active = null;
    if (failure === undefined) listener.sent(atUs);
    else {
      const message = 'No MasterReq slot took a frame of the request within N_As';
      listener.notSent(
        new BusbarError('hardware_timeout', { message, details: { reason: failure } }),
      );
    }
  }

  #hear(record: DataView, at: number): void {
    if (frm2Id(record, at) !== linSlaveResponseId) return;
    if ((frm2Flags(record, at) & frameFlag.error) !== 0) return;
    const length = frm2PayloadLength(record, at);
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) bytes[i] = record.getUint8(at + frm2.payload + i);
    if (!isLinTransport(bytes, 0, length)) return;
    if (bytes[0] !== this.#options.link.settings.nad) return;
    readPci(this.#pci, bytes, 0, length, 1);
    this.#receiver.received(this.#pci, bytes, 0, this.#options.clock.monotonicUs());
    this.#arm();
  }

  #arm(): void {
    const senderUs = this.#active?.deadlineUs ?? Number.POSITIVE_INFINITY;
    const dueUs = Math.min(senderUs, this.#receiver.deadlineUs);
    if (dueUs === Number.POSITIVE_INFINITY) this.#timer.cancel();
    else this.#timer.scheduleAt(dueUs);
  }
}
