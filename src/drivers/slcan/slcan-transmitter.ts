import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import { canFrameUs } from '../../frame/can-bits.ts';
import { CanQueue, noRoom } from '../../frame/can-queue.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { WireFrame } from '../port-reporter.ts';
import { maxFrameTextLength, putFrame } from './frame-text.ts';
import { txQueueLength } from './slcan-settings.ts';

/** Longer than the slowest line needs. */
const stuckUs = 10_000_000;

interface TimedOutcomesOptions {
  readonly scheduler: Scheduler;
  readonly transmitter: SlcanTransmitter;
  readonly complete: (atUs: number) => void;
  readonly onSettled: () => void;
  readonly onStuck: () => void;
}

/**
 * Outcomes for a silent device. A frame counts as sent once its bytes have left and its bus
 * time has passed.
 */
export class TimedOutcomes {
  readonly #options: TimedOutcomesOptions;
  readonly #task: Task;
  #line: FrameLine | undefined;
  #bufferedBytes = 0;
  #stuckAtUs = Number.POSITIVE_INFINITY;

  constructor(options: TimedOutcomesOptions) {
    this.#options = options;
    this.#task = options.scheduler.createTask('slcan sent', (nowUs) => this.#take(nowUs));
  }

  wrote(line: FrameLine, nowUs: number): void {
    this.#line = line;
    this.#watch(line, nowUs);
    this.#task.scheduleAt(this.#nextUs(line));
  }

  drained(nowUs: number): void {
    const line = this.#line;
    if (!line) return;
    this.#options.transmitter.drained(nowUs);
    this.#watch(line, nowUs);
    this.#task.scheduleAt(this.#nextUs(line));
  }

  stop(): void {
    this.#task.cancel();
    this.#line = undefined;
    this.#bufferedBytes = 0;
    this.#stuckAtUs = Number.POSITIVE_INFINITY;
  }

  #take(nowUs: number): number {
    const line = this.#line;
    if (!line) return Number.POSITIVE_INFINITY;
    const { transmitter, complete, onSettled, onStuck } = this.#options;
    while (transmitter.dueUs <= nowUs && transmitter.hasLeft(line)) complete(transmitter.dueUs);
    onSettled();
    this.#watch(line, nowUs);
    if (nowUs >= this.#stuckAtUs) {
      onStuck();
      return Number.POSITIVE_INFINITY;
    }
    return this.#nextUs(line);
  }

  #nextUs(line: FrameLine): number {
    const { transmitter } = this.#options;
    return transmitter.hasLeft(line) ? transmitter.dueUs : this.#stuckAtUs;
  }

  /** Any byte that leaves restarts the timeout. */
  #watch({ bufferedBytes }: FrameLine, nowUs: number): void {
    if (bufferedBytes === 0) this.#stuckAtUs = Number.POSITIVE_INFINITY;
    else if (bufferedBytes !== this.#bufferedBytes) this.#stuckAtUs = nowUs + stuckUs;
    this.#bufferedBytes = bufferedBytes;
  }
}

/** Frames in the device. Lawicel has room for 32, the smallest CANable for more than 16. */
export const txWindow = 16;

export interface FrameLine {
  readonly bufferedBytes: number;
  write(bytes: Uint8Array, answers: number): void;
}

class SentFrame implements WireFrame {
  bus: number = busCode.can;
  id = 0;
  flags = 0;
  dlc = 0;
  readonly checksum = 0;
  readonly data: Uint8Array;
  offset = 0;
  length = 0;

  constructor(data: Uint8Array) {
    this.data = data;
  }
}

export interface Pace {
  readonly bitrate: number;
  readonly dataBitrate?: number;
  /** Transmission time of a character; 0 for USB. */
  readonly characterUs: number;
}

/**
 * Frames without an outcome: waiting for the port, or written to it. For a silent device a
 * frame counts as sent when its bytes have left and its bus time has passed.
 */
export class SlcanTransmitter {
  readonly #waiting = new CanQueue(txQueueLength);
  readonly #written = new CanQueue(txWindow);
  readonly #dueUs = new Float64Array(this.#written.slots);
  readonly #busUs = new Float64Array(this.#written.slots);
  readonly #endAt = new Uint32Array(this.#written.slots);
  readonly #sent = new SentFrame(this.#written.data);
  readonly #bytes = new Uint8Array(txWindow * maxFrameTextLength);
  #lineFreeUs = 0;
  #busFreeUs = 0;
  /** Frames of the last write. Only these can still be buffered. */
  #lastFrames = 0;
  #lastBytes = 0;

  get pending(): number {
    return this.#waiting.size + this.#written.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get written(): number {
    return this.#written.size;
  }

  push(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): boolean {
    return this.#waiting.push(id, flags, dlc, data, offset, length) !== noRoom;
  }

  /** Writes as many frames as the device has room for. `answers`: each is acknowledged. */
  flush(line: FrameLine, answers: boolean, pace: Pace, nowUs: number): void {
    // The buffer belongs to the port until drained.
    if (line.bufferedBytes > 0) return;
    const from = this.#waiting;
    const to = this.#written;
    let end = 0;
    let frames = 0;
    while (from.size > 0 && to.size < txWindow) {
      const { headId: id, headFlags: flags, headDlc: dlc, headOffset, headLength: length } = from;
      const slot = to.push(id, flags, dlc, from.data, headOffset, length);
      const start = end;
      end = putFrame(this.#bytes, end, id, flags, dlc, from.data, headOffset, length);
      this.#lineFreeUs = Math.max(this.#lineFreeUs, nowUs) + (end - start) * pace.characterUs;
      const busUs = this.#headUs(pace);
      this.#busFreeUs = Math.max(this.#busFreeUs, this.#lineFreeUs) + busUs;
      this.#busUs[slot] = busUs;
      this.#dueUs[slot] = this.#busFreeUs;
      this.#endAt[slot] = end;
      from.pop();
      frames += 1;
    }
    if (frames === 0) return;
    this.#lastFrames = frames;
    this.#lastBytes = end;
    line.write(this.#bytes.subarray(0, end), answers ? frames : 0);
  }

  hasLeft({ bufferedBytes }: FrameLine): boolean {
    const { size, headSlot } = this.#written;
    if (bufferedBytes === 0 || size === 0 || size > this.#lastFrames) return true;
    return bufferedBytes <= this.#lastBytes - (this.#endAt[headSlot] as number);
  }

  drained(nowUs: number): void {
    const { size, headSlot, slots } = this.#written;
    let freeUs = nowUs;
    for (let i = Math.max(0, size - this.#lastFrames); i < size; i++) {
      const slot = (headSlot + i) % slots;
      freeUs = Math.max(this.#dueUs[slot] as number, freeUs + (this.#busUs[slot] as number));
      this.#dueUs[slot] = freeUs;
    }
    this.#busFreeUs = Math.max(this.#busFreeUs, freeUs);
  }

  get dueUs(): number {
    return this.#written.size === 0
      ? Number.POSITIVE_INFINITY
      : (this.#dueUs[this.#written.headSlot] as number);
  }

  take(): WireFrame {
    const { headId, headFlags, headDlc, headOffset, headLength } = this.#written;
    const sent = this.#sent;
    sent.bus = (headFlags & frameFlag.fd) === 0 ? busCode.can : busCode.canfd;
    sent.id = headId;
    sent.flags = headFlags;
    sent.dlc = headDlc;
    sent.offset = headOffset;
    sent.length = headLength;
    this.#written.pop();
    return sent;
  }

  dropWritten(): number {
    this.#lineFreeUs = 0;
    this.#busFreeUs = 0;
    this.#lastFrames = 0;
    return this.#written.clear();
  }

  dropWaiting(frames: number): void {
    for (let i = 0; i < frames; i++) this.#waiting.pop();
  }

  #headUs({ bitrate, dataBitrate = bitrate }: Pace): number {
    const { headId, headFlags, headDlc, headOffset, data } = this.#waiting;
    return canFrameUs(headFlags, headId, headDlc, data, headOffset, bitrate, dataBitrate);
  }
}
