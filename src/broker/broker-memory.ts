import { startCounter } from './counter.ts';

/** Threads that may publish: the bench thread and one for each SocketCAN interface read. */
export const maxWriters = 16;
/** Threads that may read: each has one bit in the wake masks, however many cursors it keeps. */
export const maxReaders = 32;

/** Words of one cache line: what different threads write lies on different lines. */
const line = 16;

/** The next event id to hand out, a counter. */
export const nextIdAt = 0;
/** How many writers were ever in use: the others need not be looked at. */
const writersAt = line;
const closedFloorAt = writersAt / 2 + 1;
const pendingAt = 2 * line;
const wakeMaskAt = pendingAt + maxWriters * line;
const bellAt = wakeMaskAt + maxWriters * line;
const totalWords = bellAt + maxReaders * line;

/**
 * The control words that all threads of a daemon share. The buffer goes to other threads as it is;
 * each makes its own `BrokerMemory` around it.
 *
 * - at `nextIdAt` the next event id, from 1;
 * - at `writersAt` how many writers were in use, and at `closedFloorAt` the newest id that went away with a channel;
 * - from `pendingAt` on, for each writer the low half of an id not above those it is writing, 0 while idle;
 * - from `wakeMaskAt` on, for each writer one bit for each reader that sleeps until it publishes;
 * - from `bellAt` on, for each reader a word that changes whenever it is woken.
 *
 * The words of a ring lie in the ring's own memory and go away with it.
 */
export class BrokerMemory {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly #wide: BigInt64Array;

  /** Without a buffer: fresh words. With one: the same words, seen from another thread. */
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

  /** Writers with a number below this may be at work. */
  get writers(): number {
    return Atomics.load(this.words, writersAt);
  }

  /** The newest event id that went away with a closed channel. Only the owner of the broker sets it. */
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
