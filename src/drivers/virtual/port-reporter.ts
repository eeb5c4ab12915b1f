import { eventKindCode } from '../../frame/frm2-layout.ts';
import type { ChannelEvents } from '../driver-channel.ts';

/** Sums of fractions may end just below the whole microsecond that they mean. */
const roundingUs = 1e-3;

/** Hears the rest of a channel that is closed while it reports. */
const nobody: ChannelEvents = {
  event() {},
  failed() {},
  stateChanged() {},
  lost() {},
  returned() {},
};

/** Counts what a port saw and tells its channel, with times as Unix microseconds. */
export class PortReporter {
  rxFrames = 0;
  txFrames = 0;
  txFailed = 0;
  errorFrames = 0;
  busyUs = 0;
  #events: ChannelEvents;
  readonly #unixOffsetUs: number;
  #hardwareSequence = 0;

  constructor(events: ChannelEvents, unixOffsetUs: number) {
    this.#events = events;
    this.#unixOffsetUs = unixOffsetUs;
  }

  get events(): ChannelEvents {
    return this.#events;
  }

  unixUs(atUs: number): number {
    return Math.floor(atUs + roundingUs) + this.#unixOffsetUs;
  }

  /** What the port itself counts begins anew when it comes back. */
  restart(): void {
    this.#hardwareSequence = 0;
  }

  /** Nothing is told any more. */
  fallSilent(): void {
    this.#events = nobody;
  }

  received(
    bus: number,
    id: number,
    flags: number,
    dlc: number,
    status: number,
    atUs: number,
    filterHit: number,
    checksum: number,
    payload: Uint8Array,
    offset: number,
    length: number,
  ): void {
    this.#events.event(
      eventKindCode.rx_frame,
      bus,
      id,
      flags,
      dlc,
      status,
      this.unixUs(atUs),
      this.#nextSequence(),
      filterHit,
      checksum,
      payload,
      offset,
      length,
    );
  }

  completed(
    bus: number,
    id: number,
    flags: number,
    dlc: number,
    atUs: number,
    checksum: number,
    payload: Uint8Array,
    offset: number,
    length: number,
  ): void {
    this.txFrames += 1;
    this.#events.event(
      eventKindCode.tx_complete,
      bus,
      id,
      flags,
      dlc,
      0,
      this.unixUs(atUs),
      this.#nextSequence(),
      0,
      checksum,
      payload,
      offset,
      length,
    );
  }

  failed(frames: number, atUs: number): void {
    if (frames === 0) return;
    this.txFailed += frames;
    this.#events.failed(frames, this.unixUs(atUs));
  }

  #nextSequence(): number {
    const sequence = this.#hardwareSequence;
    this.#hardwareSequence = (sequence + 1) & 0xffff;
    return sequence;
  }
}
