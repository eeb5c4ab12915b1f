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
import { Listeners } from './listeners.ts';

/** The record is valid only during the call. */
export type FrameListener = (record: DataView, at: number) => void;

/**
 * Synchronous frame listeners on the bench thread. Calling them allocates nothing. An error in
 * one listener does not affect the others.
 */
export class FrameListeners {
  readonly #onDefect: (thrown: unknown) => void;
  /** Copied on write: a loop over the old array is not disturbed. */
  #listeners: readonly FrameListener[] = [];

  constructor(onDefect: (thrown: unknown) => void) {
    this.#onDefect = onDefect;
  }

  add(listener: FrameListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  report(record: DataView, at: number): void {
    const listeners = this.#listeners;
    for (let index = 0; index < listeners.length; index++) {
      try {
        listeners[index]?.(record, at);
      } catch (thrown) {
        this.#onDefect(thrown);
      }
    }
  }
}

export type Interruption = 'closed' | 'configured' | 'lost';

export interface OutcomeListener {
  /** `eventId` is the id of the completion event. */
  sent(number: number, timestampUs: number, eventId: number): void;
  /** `frames` accepted frames, the last of them number `last`, will never be sent. */
  failed(frames: number, last: number, timestampUs: number): void;
  moved(): void;
  /** Records were overwritten before this thread read them; outcomes may be among them. */
  missed(): void;
}

export interface SinkRing {
  readonly handle: RingHandle;
  /** Undefined if another thread writes the ring. */
  readonly writer: RingWriter | undefined;
}

/**
 * Driver's interface to a channel: publishes its records in the channel's ring, calls the
 * listeners on this thread, and reports its state. Exists before the channel, because a driver
 * can report while it opens the port.
 */
export class BenchSink implements ChannelSink {
  readonly interruptions: Listeners<Interruption>;
  readonly returns: Listeners;
  readonly busOffChanges: Listeners<boolean>;
  readonly frames: FrameListeners;
  readonly sentFrames: FrameListeners;
  outcomes: OutcomeListener | undefined;
  isLost = false;
  timesLost = 0;
  missedRecords = 0;
  onDrain: () => void = () => undefined;
  readonly ring: RingHandle;
  readonly #ownWriter: RingWriter | undefined;
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
    this.busOffChanges.report(isBusOff);
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
    // A listener can publish further records.
    for (let record = first; record < next; record++) {
      this.published(writer.view, writer.slotOf(record));
    }
  }

  drain(): void {
    this.onDrain();
  }

  missed(records: number): void {
    this.missedRecords += records;
    this.outcomes?.missed();
  }

  published(record: DataView, at: number): void {
    const isSent = frm2EventKind(record, at) === eventKindCode.tx_complete;
    if (frm2Status(record, at) === eventStatus.ok) {
      const listeners = isSent ? this.sentFrames : this.frames;
      listeners.report(record, at);
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
    this.interruptions.report('lost');
  }

  returned(): void {
    this.isLost = false;
    this.isBusOff = false;
    this.returns.report();
  }

  #writer(): RingWriter {
    if (this.#ownWriter) return this.#ownWriter;
    throw new BusbarError('internal_error', {
      message: 'The records of this channel are written by another thread',
    });
  }
}
