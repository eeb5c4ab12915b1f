import { BusbarError } from '../base/errors/busbar-error.ts';
import type { RingHandle } from '../broker/ring-memory.ts';
import type { RingWriter } from '../broker/ring-writer.ts';
import type { ChannelSink } from '../drivers/channel-sink.ts';
import type { BusState } from '../drivers/channel-stats.ts';
import { eventStatus } from '../drivers/event-status.ts';
import {
  frm2EventId,
  frm2EventKind,
  frm2Status,
  frm2TimestampUs,
  frm2TxNumber,
} from '../frame/frm2-codec.ts';
import { eventKindCode } from '../frame/frm2-layout.ts';
import { FrameListeners } from './frame-listeners.ts';
import { Listeners } from './listeners.ts';

/** Why what a channel was doing for a caller has come to an end. */
export type Interruption = 'closed' | 'configured' | 'lost';

/** Told what became of accepted frames, in their order. */
export interface OutcomeListener {
  /** The accepted frame with this number was sent; `eventId` is that of its completion. */
  sent(number: number, timestampUs: number, eventId: number): void;
  /** So many accepted frames without an outcome, up to that number, will never be sent. */
  failed(frames: number, last: number, timestampUs: number): void;
  /** The device has sent a frame of its own, or is in another state: there may be room in the port. */
  moved(): void;
  /** Records were overwritten before they were seen here: outcomes may be among them. */
  missed(): void;
}

/** The ring of a channel, as the bench thread has to do with it. */
export interface SinkRing {
  readonly handle: RingHandle;
  /** Where the records are written, if that is here. */
  readonly writer: RingWriter | undefined;
}

/**
 * What a driver reports about a channel: its records, published in the channel's ring and handed to
 * those on this thread who wait for them, and its state. It is there before the channel, which may
 * report while it is being opened.
 */
export class BenchSink implements ChannelSink {
  readonly interruptions: Listeners<Interruption>;
  /** A device that was lost is back. */
  readonly returns: Listeners;
  /** The controller has gone bus off, or is back. */
  readonly busOffChanges: Listeners<boolean>;
  /** Good frames that were received. */
  readonly frames: FrameListeners;
  /** Good frames that were sent, LIN responses included. */
  readonly sentFrames: FrameListeners;
  /** There once the channel is open. */
  outcomes: OutcomeListener | undefined;
  isLost = false;
  timesLost = 0;
  /** Records that were overwritten before they were seen here. */
  missedRecords = 0;
  /** Has what another thread has written handed on. */
  onDrain: () => void = () => undefined;
  readonly ring: RingHandle;
  readonly #ownWriter: RingWriter | undefined;
  /** Records that are being written. */
  #open = 0;
  #isBusOff = false;

  constructor({ handle, writer }: SinkRing, onDefect: (thrown: unknown) => void) {
    this.ring = handle;
    this.#ownWriter = writer;
    this.interruptions = new Listeners(onDefect);
    this.returns = new Listeners(onDefect);
    this.busOffChanges = new Listeners(onDefect);
    this.frames = new FrameListeners(onDefect);
    this.sentFrames = new FrameListeners(onDefect);
  }

  get isBusOff(): boolean {
    return this.#isBusOff;
  }

  set isBusOff(isBusOff: boolean) {
    if (isBusOff === this.#isBusOff) return;
    this.#isBusOff = isBusOff;
    this.busOffChanges.tell(isBusOff);
  }

  get channel(): number {
    return this.ring.channel;
  }

  get view(): DataView {
    return this.#writer().view;
  }

  reserve(records = 1): number {
    this.#open = records;
    return this.#writer().reserve(records);
  }

  offsetOf(index: number): number {
    return this.#writer().offsetOf(index);
  }

  commit(): void {
    const writer = this.#writer();
    const first = writer.published;
    const next = first + this.#open;
    writer.commit();
    // What is told of one may publish others.
    for (let record = first; record < next; record++) {
      this.published(writer.view, writer.slotOf(record));
    }
  }

  drain(): void {
    this.onDrain();
  }

  /** So many records of another thread were overwritten before they were seen here. */
  missed(records: number): void {
    this.missedRecords += records;
    this.outcomes?.missed();
  }

  /** A record is in the ring: tells the listeners that wait for it. */
  published(record: DataView, at: number): void {
    const isSent = frm2EventKind(record, at) === eventKindCode.tx_complete;
    if (frm2Status(record, at) === eventStatus.ok) {
      const listeners = isSent ? this.sentFrames : this.frames;
      listeners.tell(record, at);
    }
    if (!isSent) return;
    const number = frm2TxNumber(record, at);
    if (number > 0) {
      this.outcomes?.sent(number, frm2TimestampUs(record, at), frm2EventId(record, at));
    } else this.outcomes?.moved();
  }

  failed(frames: number, last: number, timestampUs: number): void {
    this.outcomes?.failed(frames, last, timestampUs);
  }

  outcomesDropped(): void {
    this.outcomes?.missed();
  }

  stateChanged(state: BusState): void {
    this.isBusOff = state === 'bus_off';
    this.outcomes?.moved();
  }

  lost(): void {
    this.isLost = true;
    this.timesLost += 1;
    this.interruptions.tell('lost');
  }

  /** The port starts anew, and so does its controller. */
  returned(): void {
    this.isLost = false;
    this.isBusOff = false;
    this.returns.tell();
  }

  #writer(): RingWriter {
    if (this.#ownWriter) return this.#ownWriter;
    throw new BusbarError('internal_error', {
      message: 'The records of this channel are written by another thread',
    });
  }
}
