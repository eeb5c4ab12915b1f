import { startCounter } from './counter.ts';

/** Writer threads: the bench thread and one for each SocketCAN interface. */
export const maxWriters = 16;
/** Reader threads. Each has one bit in the wake masks, regardless of its number of cursors. */
export const maxReaders = 32;

/** Words of a cache line. Words written by different threads are on different lines. */
const line = 16;

export const nextIdAt = 0;
/** Number of writers ever used; scans stop there. */
const writersAt = line;
const closedFloorAt = writersAt / 2 + 1;
const pendingAt = 2 * line;
const wakeMaskAt = pendingAt + maxWriters * line;
const bellAt = wakeMaskAt + maxWriters * line;
const totalWords = bellAt + maxReaders * line;

/**
 * Control words that all threads of a daemon share; each thread wraps the buffer in its own
 * `BrokerMemory`.
 *
 * - at `nextIdAt` the next event id, from 1;
 * - at `writersAt` the number of writers used, and at `closedFloorAt` the newest id lost with a
 *   closed channel;
 * - from `pendingAt` on, for each writer the low half of a lower bound of the ids it is writing,
 *   0 while idle;
 * - from `wakeMaskAt` on, for each writer one bit for each reader that sleeps until it publishes;
 * - from `bellAt` on, for each reader a word that changes with every wake-up.
 *
 * The words of a ring are in the ring's own memory.
 */
export class BrokerMemory {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly #wide: BigInt64Array;

  constructor(buffer?: SharedArrayBuffer) {
    this.buffer = buffer ?? new SharedArrayBuffer(totalWords * Int32Array.BYTES_PER_ELEMENT);
    this.words = new Int32Array(this.buffer);
    this.#wide = new BigInt64Array(this.buffer);
    if (!buffer) startCounter(this.words, nextIdAt, 1);
  }

  pendingOf(writer: number): number {
    return pendingAt + writer * line;
  }

  wakeMaskOf(writer: number): number {
    return wakeMaskAt + writer * line;
  }

  bellOf(reader: number): number {
    return bellAt + reader * line;
  }

  get writers(): number {
    return Atomics.load(this.words, writersAt);
  }

  /** Newest event id lost with a closed channel. Set only by the owner of the broker. */
  get closedFloor(): number {
    return Number(Atomics.load(this.#wide, closedFloorAt));
  }

  admitWriters(count: number): void {
    if (count > this.writers) Atomics.store(this.words, writersAt, count);
  }

  raiseClosedFloor(eventId: number): void {
    if (eventId > this.closedFloor) Atomics.store(this.#wide, closedFloorAt, BigInt(eventId));
  }
}
