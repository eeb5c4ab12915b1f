import { frm2EventId } from '../frame/frm2-codec.ts';
import { TraceBatch } from '../trace/trace-batch.ts';

const channelCount = 65_536;

/** Events waiting to be sorted by time, in fixed memory. Events of one channel keep their order. */
export class HeldEvents {
  readonly #rows: TraceBatch;
  readonly #orderNs: Float64Array;
  readonly #arrival: Float64Array;
  readonly #ids: Float64Array;
  /** Heap of used rows with the oldest on top, followed by free rows. */
  readonly #heap: Uint32Array;
  readonly #channelNs = new Float64Array(channelCount).fill(Number.NEGATIVE_INFINITY);
  #size = 0;
  #arrivals = 0;
  #newestNs = Number.NEGATIVE_INFINITY;

  constructor(capacity: number) {
    this.#rows = new TraceBatch(capacity);
    this.#orderNs = new Float64Array(this.#rows.capacity);
    this.#arrival = new Float64Array(this.#rows.capacity);
    this.#ids = new Float64Array(this.#rows.capacity);
    this.#heap = Uint32Array.from({ length: this.#rows.capacity }, (_, row) => row);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.#rows.capacity;
  }

  get oldestNs(): number {
    return this.#orderNs[this.#heap[0] as number] as number;
  }

  get newestNs(): number {
    return this.#newestNs;
  }

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
    this.#ids[row] = frm2EventId(record, at);
    this.#rise(this.#size++, row);
    return timeNs;
  }

  /** Smallest event id, or infinity. */
  smallestId(): number {
    let smallest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.#size; index++) {
      const id = this.#ids[this.#heap[index] as number] as number;
      if (id < smallest) smallest = id;
    }
    return smallest;
  }

  ids(): number[] {
    return Array.from(this.#heap.subarray(0, this.#size), (row) => this.#ids[row] as number);
  }

  moveOldest(to: TraceBatch, ids: Float64Array): void {
    const heap = this.#heap;
    const row = heap[0] as number;
    const last = heap[--this.#size] as number;
    heap[this.#size] = row;
    if (this.#size > 0) this.#sink(last);
    ids[to.count] = this.#ids[row] as number;
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
