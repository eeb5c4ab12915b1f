import { canErrorLength } from '../../frame/can-error-frame.ts';
import { errorCountBytes, putErrorCount } from '../../frame/error-count.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { ChannelEvents } from '../driver-channel.ts';

/**
 * A node without partner retries some thousand times a second and changes nothing by it. An event
 * for each time would push everything else out of the channel's history within seconds, so that
 * equal errors are told together, no more often than this.
 */
export const repeatWindowUs = 100_000;

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
  /** The error that was told last, with room for a count behind it. */
  readonly #error = new Uint8Array(canErrorLength + errorCountBytes);
  #errorId = 0;
  #errorStatus = 0;
  /** Nothing else was told since. */
  #isRunning = false;
  /** How often it came again without having been told, and when the last time was. */
  #repeats = 0;
  #repeatedUs = 0;
  /** When repeats are told next. */
  nextTellUs = Number.NEGATIVE_INFINITY;

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

  /** When the repeats that are held back have to be told; Infinity without any. */
  get repeatsDueUs(): number {
    return this.#repeats > 0 ? this.nextTellUs : Number.POSITIVE_INFINITY;
  }

  /**
   * Tells of an error on the bus, by id, status and details; of one that is equal to the one before
   * only when it is time.
   */
  canError(id: number, status: number, details: Uint8Array, atUs: number): void {
    if (this.isRepeat(id, status, details)) {
      this.repeatError(1, atUs);
      if (atUs >= this.nextTellUs) this.tellRepeats();
      return;
    }
    this.errorFrames += 1;
    this.#endRun();
    for (let i = 0; i < canErrorLength; i++) this.#error[i] = details[i] as number;
    this.#errorId = id;
    this.#errorStatus = status;
    this.nextTellUs = atUs + repeatWindowUs;
    this.#tellError(1, atUs);
    this.#isRunning = true;
  }

  /** Whether an error is equal to the one that was told last, with nothing told since. */
  isRepeat(id: number, status: number, details: Uint8Array): boolean {
    if (!this.#isRunning || id !== this.#errorId || status !== this.#errorStatus) return false;
    for (let i = 0; i < canErrorLength; i++) if (details[i] !== this.#error[i]) return false;
    return true;
  }

  /** The error told last came again so many times, the last at that time. */
  repeatError(times: number, atUs: number): void {
    this.errorFrames += times;
    this.#repeats += times;
    this.#repeatedUs = atUs;
  }

  /** Tells of a change of state that is no error of its own. */
  canState(id: number, status: number, details: Uint8Array, atUs: number): void {
    this.#endRun();
    for (let i = 0; i < canErrorLength; i++) this.#error[i] = details[i] as number;
    this.#errorId = id;
    this.#errorStatus = status;
    this.#tellError(0, atUs);
  }

  /** Tells what was held back long enough. */
  tellDueRepeats(): void {
    const nextUs = this.nextTellUs + repeatWindowUs;
    this.tellRepeats();
    this.nextTellUs = nextUs;
  }

  /** Tells what was held back, if anything was. */
  tellRepeats(): void {
    if (this.#repeats === 0) return;
    const times = this.#repeats;
    this.#repeats = 0;
    this.nextTellUs = this.#repeatedUs + repeatWindowUs;
    this.#tellError(times, this.#repeatedUs);
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
    if (this.#isRunning) this.#endRun();
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
    if (this.#isRunning) this.#endRun();
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
    this.#endRun();
    this.txFailed += frames;
    this.#events.failed(frames, this.unixUs(atUs));
  }

  #endRun(): void {
    this.tellRepeats();
    this.#isRunning = false;
  }

  #tellError(count: number, atUs: number): void {
    if (count !== 1) putErrorCount(this.#error, canErrorLength, count);
    this.#events.event(
      eventKindCode.rx_frame,
      busCode.can,
      this.#errorId,
      frameFlag.error,
      canErrorLength,
      this.#errorStatus,
      this.unixUs(atUs),
      this.#nextSequence(),
      0,
      0,
      this.#error,
      0,
      count === 1 ? canErrorLength : canErrorLength + errorCountBytes,
    );
  }

  #nextSequence(): number {
    const sequence = this.#hardwareSequence;
    this.#hardwareSequence = (sequence + 1) & 0xffff;
    return sequence;
  }
}
