import { maxFdLength } from '../../frame/dlc.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';

/** Events that wait for room in the queue of their channel, in their order and in fixed memory. */
export class EventBacklog {
  /** The waiting events; the first is at `head`, and their `timeNs` is not used. */
  readonly batch: TraceBatch;
  readonly #dueUs: Float64Array;
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    this.batch = new TraceBatch(capacity);
    this.#dueUs = new Float64Array(this.batch.capacity);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.batch.capacity;
  }

  get head(): number {
    return this.#head;
  }

  get headDueUs(): number {
    return this.#dueUs[this.#head] as number;
  }

  /** Copies an event to the end of a backlog that is not full. */
  push(from: TraceBatch, row: number, dueUs: number): void {
    const { batch } = this;
    const to = (this.#head + this.#size) % batch.capacity;
    const length = from.length[row] as number;
    this.#dueUs[to] = dueUs;
    batch.id[to] = from.id[row] as number;
    batch.flags[to] = from.flags[row] as number;
    batch.bus[to] = from.bus[row] as number;
    batch.dlc[to] = from.dlc[row] as number;
    batch.length[to] = length;
    batch.detail[to] = from.detail[row] as number;
    const source = row * maxFdLength;
    const target = to * maxFdLength;
    for (let i = 0; i < length; i++) batch.payload[target + i] = from.payload[source + i] as number;
    this.#size += 1;
  }

  /** Removes the first event. */
  shift(): void {
    this.#head = (this.#head + 1) % this.batch.capacity;
    this.#size -= 1;
  }

  clear(): void {
    this.#size = 0;
  }
}
