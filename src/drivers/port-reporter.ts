import { canErrorLength } from '../frame/can-error-frame.ts';
import { errorCountBytes, putErrorCount } from '../frame/error-count.ts';
import {
  setFrm2PortFields,
  setFrm2Status,
  setFrm2TimestampUs,
  setFrm2TxNumber,
  writeFrm2Frame,
} from '../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag, frm2SlotBytes } from '../frame/frm2-layout.ts';
import type { ChannelSink } from './channel-sink.ts';

/**
 * A node without a partner retries thousands of times a second. An event for each retry would
 * displace the channel's whole history within seconds. Equal errors are therefore combined and
 * reported at most this often.
 */
export const repeatWindowUs = 100_000;

/** Sums of fractions may be slightly below a whole microsecond. */
const roundingUs = 1e-3;

const closedSink: ChannelSink = {
  channel: 0,
  ring: { channel: 0, writer: 0, buffer: new SharedArrayBuffer(0) },
  drain() {},
  view: new DataView(new ArrayBuffer(frm2SlotBytes)),
  reserve: () => 0,
  offsetOf: () => 0,
  commit() {},
  failed() {},
  outcomesDropped() {},
  stateChanged() {},
  lost() {},
  returned() {},
};

class PresenceMark implements WireFrame {
  readonly id = 0;
  readonly flags = frameFlag.error;
  readonly dlc = 0;
  readonly checksum = 0;
  readonly data = new Uint8Array(errorCountBytes);
  readonly offset = 0;
  readonly length = errorCountBytes;
  readonly bus: number;

  constructor(bus: number) {
    this.bus = bus;
  }
}

export interface WireFrame {
  readonly bus: number;
  readonly id: number;
  readonly flags: number;
  readonly dlc: number;
  readonly checksum: number;
  readonly data: Uint8Array;
  readonly offset: number;
  readonly length: number;
}

class ErrorFrame implements WireFrame {
  readonly bus = busCode.can;
  readonly flags = frameFlag.error;
  readonly dlc = canErrorLength;
  readonly checksum = 0;
  readonly data = new Uint8Array(canErrorLength + errorCountBytes);
  readonly offset = 0;
  id = 0;
  length = canErrorLength;
  status = 0;

  set(id: number, status: number, details: Uint8Array): void {
    this.id = id;
    this.status = status;
    for (let i = 0; i < canErrorLength; i++) this.data[i] = details[i] as number;
  }

  equals(id: number, status: number, details: Uint8Array): boolean {
    if (id !== this.id || status !== this.status) return false;
    for (let i = 0; i < canErrorLength; i++) if (details[i] !== this.data[i]) return false;
    return true;
  }

  count(frames: number): void {
    this.length = canErrorLength;
    if (frames === 1) return;
    putErrorCount(this.data, canErrorLength, frames);
    this.length += errorCountBytes;
  }
}

export class PortReporter {
  rxFrames = 0;
  txFrames = 0;
  txFailed = 0;
  errorFrames = 0;
  busyUs = 0;
  #sink: ChannelSink;
  readonly #unixOffsetUs: number;
  #hardwareSequence = 0;
  #settled = 0;
  readonly #error = new ErrorFrame();
  #isRunning = false;
  #written = 0;
  #repeats = 0;
  #repeatedUs = 0;
  nextReportUs = Number.NEGATIVE_INFINITY;

  constructor(sink: ChannelSink, unixOffsetUs: number) {
    this.#sink = sink;
    this.#unixOffsetUs = unixOffsetUs;
  }

  get sink(): ChannelSink {
    return this.#sink;
  }

  unixUs(atUs: number): number {
    return Math.floor(atUs + roundingUs) + this.#unixOffsetUs;
  }

  close(): void {
    this.#sink = closedSink;
  }

  get repeatsDueUs(): number {
    return this.#repeats > 0 ? this.nextReportUs : Number.POSITIVE_INFINITY;
  }

  /** Reports a bus error. A repeat of the last error is reported only when due. */
  canError(id: number, status: number, details: Uint8Array, atUs: number): void {
    if (this.isRepeat(id, status, details)) {
      this.repeatError(1, atUs);
      if (atUs >= this.nextReportUs) this.flushRepeats();
      return;
    }
    this.errorFrames += 1;
    this.#endRun();
    this.#error.set(id, status, details);
    this.nextReportUs = atUs + repeatWindowUs;
    this.#reportError(1, atUs);
    this.#isRunning = true;
  }

  isRepeat(id: number, status: number, details: Uint8Array): boolean {
    return this.#isRunning && this.#error.equals(id, status, details);
  }

  repeatError(times: number, atUs: number): void {
    this.errorFrames += times;
    this.#repeats += times;
    this.#repeatedUs = atUs;
  }

  canState(id: number, status: number, details: Uint8Array, atUs: number): void {
    this.#endRun();
    this.#error.set(id, status, details);
    this.#reportError(0, atUs);
  }

  flushDueRepeats(): void {
    const nextUs = this.nextReportUs + repeatWindowUs;
    this.flushRepeats();
    this.nextReportUs = nextUs;
  }

  flushRepeats(): void {
    if (this.#repeats === 0) return;
    const times = this.#repeats;
    this.#repeats = 0;
    this.nextReportUs = this.#repeatedUs + repeatWindowUs;
    this.#reportError(times, this.#repeatedUs);
  }

  presence(bus: number, status: number, atUs: number): void {
    this.#endRun();
    this.#hardwareSequence = 0;
    this.#publish(eventKindCode.rx_frame, new PresenceMark(bus), status, atUs, 0, 0);
    this.#hardwareSequence = 0;
  }

  received(frame: WireFrame, status: number, atUs: number, filterHit = 0): void {
    if (this.#isRunning) this.#endRun();
    this.#publish(eventKindCode.rx_frame, frame, status, atUs, filterHit, 0);
  }

  openRun(frames: number): void {
    if (this.#isRunning) this.#endRun();
    this.#sink.reserve(frames);
    this.#written = 0;
  }

  addToRun(frame: WireFrame, atUs: number): void {
    const at = this.#sink.offsetOf(this.#written);
    this.#written += 1;
    this.#write(at, eventKindCode.rx_frame, frame, 0, atUs, 0, 0);
  }

  closeRun(): void {
    this.rxFrames += this.#written;
    this.#sink.commit();
  }

  completed(frame: WireFrame, atUs: number): void {
    this.#settled += 1;
    this.#complete(frame, atUs, this.#settled);
  }

  completedOwn(frame: WireFrame, atUs: number): void {
    this.#complete(frame, atUs, 0);
  }

  readSettled(): void {
    this.#settled += 1;
  }

  /** This many frames failed; `own` of them were sent by the device itself. */
  failed(frames: number, own: number, atUs: number): void {
    if (frames === 0) return;
    this.#endRun();
    this.txFailed += frames;
    this.#settled += frames - own;
    if (frames > own) this.#sink.failed(frames - own, this.#settled, this.unixUs(atUs));
  }

  #complete(frame: WireFrame, atUs: number, number: number): void {
    this.txFrames += 1;
    if (this.#isRunning) this.#endRun();
    this.#publish(eventKindCode.tx_complete, frame, 0, atUs, 0, number);
  }

  #endRun(): void {
    this.flushRepeats();
    this.#isRunning = false;
  }

  #reportError(count: number, atUs: number): void {
    const error = this.#error;
    error.count(count);
    this.#publish(eventKindCode.rx_frame, error, error.status, atUs, 0, 0);
  }

  #publish(
    kind: number,
    frame: WireFrame,
    status: number,
    atUs: number,
    filterHit: number,
    txNumber: number,
  ): void {
    const sink = this.#sink;
    this.#write(sink.reserve(), kind, frame, status, atUs, filterHit, txNumber);
    sink.commit();
  }

  #write(
    at: number,
    kind: number,
    frame: WireFrame,
    status: number,
    atUs: number,
    filterHit: number,
    txNumber: number,
  ): void {
    const { view, channel } = this.#sink;
    const { bus, id, flags, dlc, data, offset, length } = frame;
    writeFrm2Frame(view, at, bus, kind, channel, id, flags, dlc, data, offset, length);
    setFrm2Status(view, at, status);
    setFrm2TxNumber(view, at, txNumber);
    setFrm2TimestampUs(view, at, this.unixUs(atUs));
    setFrm2PortFields(view, at, this.#nextSequence(), filterHit, frame.checksum);
  }

  #nextSequence(): number {
    const sequence = this.#hardwareSequence;
    this.#hardwareSequence = (sequence + 1) & 0xffff;
    return sequence;
  }
}
