import { TraceBatch } from '../trace/trace-batch.ts';

/** A file numbers its channels with two bytes. */
const channelCount = 65_536;

/**
 * Events that wait to be put in the order of their times, in fixed memory. Those of one channel keep
 * the order in which they came: one whose time lies before its predecessor's counts as equally old.
 */
export class HeldEvents {
  readonly #rows: TraceBatch;
  /** By row: what it is ordered by, and how many came before it, which decides between equals. */
  readonly #orderNs: Float64Array;
  readonly #arrival: Float64Array;
  /** A heap of rows in use with the oldest on top; behind it the rows that are free. */
  readonly #heap: Uint32Array;
  readonly #channelNs = new Float64Array(channelCount).fill(Number.NEGATIVE_INFINITY);
  #size = 0;
  #arrivals = 0;
  #newestNs = Number.NEGATIVE_INFINITY;

  constructor(capacity: number) {
    this.#rows = new TraceBatch(capacity);
    this.#orderNs = new Float64Array(this.#rows.capacity);
    this.#arrival = new Float64Array(this.#rows.capacity);
    this.#heap = Uint32Array.from({ length: this.#rows.capacity }, (_, row) => row);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.#rows.capacity;
  }

  /** The time of the oldest; only where there is one. */
  get oldestNs(): number {
    return this.#orderNs[this.#heap[0] as number] as number;
  }

  /** The latest time that any event had so far. */
  get newestNs(): number {
    return this.#newestNs;
  }

  /** Takes the FRM2 record at an offset, where there is room for one, and answers its time. */
  add(record: DataView, at: number, startUnixUs: number, channel: number): number {
    const rows = this.#rows;
    const row = this.#heap[this.#size] as number;
    rows.count = row;
    rows.appendFrm2(record, at, startUnixUs, channel);
    const timeNs = rows.timeNs[row] as number;
    const orderNs = Math.max(timeNs, this.#channelNs[channel] as number);
    this.#channelNs[channel] = orderNs;
    if (orderNs > this.#newestNs) this.#newestNs = orderNs;
    this.#orderNs[row] = orderNs;
    this.#arrival[row] = this.#arrivals++;
    this.#rise(this.#size++, row);
    return timeNs;
  }

  /** Puts the oldest at the end of a batch instead. */
  moveOldest(to: TraceBatch): void {
    const heap = this.#heap;
    const row = heap[0] as number;
    const last = heap[--this.#size] as number;
    heap[this.#size] = row;
    if (this.#size > 0) this.#sink(last);
    to.appendRow(this.#rows, row);
  }

  clear(): void {
    this.#size = 0;
  }

  #isBefore(row: number, other: number): boolean {
    const apartNs = (this.#orderNs[row] as number) - (this.#orderNs[other] as number);
    if (apartNs !== 0) return apartNs < 0;
    return (this.#arrival[row] as number) < (this.#arrival[other] as number);
  }

  /** Finds the place of a row, from the end of the heap upwards. */
  #rise(end: number, row: number): void {
    const heap = this.#heap;
    let at = end;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as number;
      if (!this.#isBefore(row, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = row;
  }

  /** Finds the place of a row, from the top of the heap downwards. */
  #sink(row: number): void {
    const heap = this.#heap;
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      const right = child + 1;
      const isRight =
        right < this.#size && this.#isBefore(heap[right] as number, heap[child] as number);
      const below = heap[isRight ? right : child] as number;
      if (!this.#isBefore(below, row)) break;
      heap[at] = below;
      at = isRight ? right : child;
    }
    heap[at] = row;
  }
}
