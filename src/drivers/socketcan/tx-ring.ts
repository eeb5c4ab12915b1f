import type { PortReporter } from '../port-reporter.ts';
import { RawFrames, rawSlotBytes } from './raw-frame.ts';
import { headerBytes, pointMessage, vectorBytes } from './raw-socket.ts';

export class TxOutcomes {
  readonly #tx: TxRing;
  readonly #reporter: PortReporter;
  readonly #nowUs: () => number;

  constructor(tx: TxRing, reporter: PortReporter, nowUs: () => number) {
    this.#tx = tx;
    this.#reporter = reporter;
    this.#nowUs = nowUs;
  }

  /** Refused frames complete after the frames before them. */
  settleRefused(): void {
    while (this.#tx.isFirstRefused) {
      this.#tx.drop(1);
      this.#reporter.failed(1, 0, this.#nowUs());
    }
  }

  /** The first waiting frames will never be sent. */
  refuse(frames: number): void {
    for (let i = 0; i < frames; i++) this.#tx.refuse();
    this.settleRefused();
  }

  /** The first frames in the kernel get no echo. Their outcome is unknown. */
  forget(frames: number): void {
    for (let left = frames; left > 0 && this.#tx.given > 0; left--) {
      const wasRefused = this.#tx.isFirstRefused;
      this.#tx.drop(1);
      if (wasRefused) {
        this.#reporter.failed(1, 0, this.#nowUs());
      } else {
        this.#reporter.readSettled();
        this.#reporter.sink.outcomesDropped();
      }
    }
  }

  forgetGiven(): void {
    this.forget(this.#tx.given);
  }

  failGiven(): void {
    const { given } = this.#tx;
    this.#tx.drop(given);
    this.#reporter.failed(given, 0, this.#nowUs());
  }

  failAll(): void {
    this.#reporter.failed(this.#tx.clear(), 0, this.#nowUs());
  }
}

/**
 * Accepted frames without an outcome, in memory that `sendmmsg` reads directly:
 *
 *     head                 unsent                 end
 *      | in the kernel       | waiting              |
 *
 * The kernel echoes sent frames in order, so outcomes start at the head.
 */
export class TxRing {
  readonly capacity: number;
  readonly frames: RawFrames;
  readonly #address: bigint;
  readonly #view: DataView;
  readonly #vectorsAt: number;
  readonly #used: Uint8Array;
  readonly #isRefused: Uint8Array;
  #head = 0;
  #size = 0;
  #given = 0;

  constructor(addressOf: (buffer: ArrayBuffer) => bigint, capacity: number) {
    this.capacity = capacity;
    this.#vectorsAt = capacity * headerBytes;
    const framesAt = this.#vectorsAt + capacity * vectorBytes;
    const buffer = new ArrayBuffer(framesAt + capacity * rawSlotBytes);
    this.#view = new DataView(buffer);
    this.#address = addressOf(buffer);
    this.frames = new RawFrames(buffer, framesAt, capacity);
    this.#used = new Uint8Array(capacity);
    this.#isRefused = new Uint8Array(capacity);
    for (let slot = 0; slot < capacity; slot++) {
      const vectorAt = this.#vectorsAt + slot * vectorBytes;
      const slotAt = framesAt + slot * rawSlotBytes;
      pointMessage(this.#view, this.#address, slot * headerBytes, vectorAt, slotAt);
    }
  }

  get size(): number {
    return this.#size;
  }

  get given(): number {
    return this.#given;
  }

  get waiting(): number {
    return this.#size - this.#given;
  }

  push(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): boolean {
    if (this.#size === this.capacity) return false;
    const slot = (this.#head + this.#size) % this.capacity;
    const used = this.frames.write(slot, id, flags, dlc, data, offset, length);
    this.#used[slot] = used;
    this.#isRefused[slot] = 0;
    this.#view.setUint32(this.#vectorsAt + slot * vectorBytes + 8, used, true);
    this.#size += 1;
    return true;
  }

  get runAddress(): bigint {
    return this.#address + BigInt(this.#firstWaiting() * headerBytes);
  }

  get runLength(): number {
    return Math.min(this.waiting, this.capacity - this.#firstWaiting());
  }

  taken(count: number): void {
    this.#given += count;
  }

  refuse(): void {
    this.#isRefused[this.#firstWaiting()] = 1;
    this.#given += 1;
  }

  get isFirstRefused(): boolean {
    return this.#given > 0 && this.#isRefused[this.#head] === 1;
  }

  /** Number of frames in the kernel before an equal one; -1 if none. */
  search(frames: RawFrames, slot: number, used: number): number {
    for (let skipped = 0; skipped < this.#given; skipped++) {
      const own = (this.#head + skipped) % this.capacity;
      if (this.#used[own] !== used || this.#isRefused[own] === 1) continue;
      if (this.frames.equals(own, frames, slot, used)) return skipped;
    }
    return -1;
  }

  drop(count: number): void {
    this.#head = (this.#head + count) % this.capacity;
    this.#size -= count;
    this.#given -= count;
  }

  clear(): number {
    const size = this.#size;
    this.#head = (this.#head + size) % this.capacity;
    this.#size = 0;
    this.#given = 0;
    return size;
  }

  #firstWaiting(): number {
    return (this.#head + this.#given) % this.capacity;
  }
}
