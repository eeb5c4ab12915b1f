import { startCounter } from './counter.ts';

/** The bench thread and one thread per SocketCAN interface write. */
export const maxWriters = 16;
/** Each reader thread has one bit in the wake masks, regardless of its number of cursors. */
export const maxReaders = 32;

/** Words per cache line. Words written by different threads are on separate lines. */
const line = 16;

export const nextIdAt = 0;
/** Number of writers ever used. Scans stop there. */
const writersAt = line;
const closedFloorAt = writersAt / 2 + 1;
const pendingAt = 2 * line;
const wakeMaskAt = pendingAt + maxWriters * line;
const bellAt = wakeMaskAt + maxWriters * line;
const totalWords = bellAt + maxReaders * line;

/**
 * Control words shared by all threads of a daemon. Each thread wraps the buffer in a `BrokerMemory`.
 * Ring counters are in the ring's own memory.
 *
 * - `nextIdAt`: next event id, from 1
 * - `writersAt`: number of writers used
 * - `closedFloorAt`: newest event id lost with a closed channel
 * - `pendingAt`: per writer, low half of a lower bound of the ids being written; 0 while idle
 * - `wakeMaskAt`: per writer, one bit for each reader that sleeps until it publishes
 * - `bellAt`: per reader, a word that changes with every wake-up
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

  /** Newest event id lost with a closed channel. Only the broker's owner sets it. */
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
