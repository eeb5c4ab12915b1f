import type { Clock, Timer } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Bounds } from '../base/subscription.ts';
import type { EventSink } from '../broker/reader-hub.ts';
import type { Staging } from '../broker/staging.ts';
import { frm2Channel, frm2EventId } from '../frame/frm2-codec.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import { gapRemark } from '../trace/trace-gap.ts';
import type { TraceFile } from './trace-file.ts';

const channelCount = 65_536;

/** Events waiting to be sorted by time, in fixed memory. Events of one channel keep their order. */
export class HeldEvents {
  readonly #rows: TraceBatch;
  readonly #orderNs: Float64Array;
  readonly #arrival: Float64Array;
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
    this.#rise(this.#size++, row);
    return timeNs;
  }

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

const batchEvents = 512;
const slotCount = 65_536;
const maxHeld = 65_536;
/** Maximum delay between channels that is still sorted. */
const holdBackNs = 200e6;
/** An event is written after at most three ticks. */
const tickMs = 100;

export interface RecordingSinkOptions {
  readonly clock: Clock;
  readonly trace: TraceFile;
  readonly startUnixUs: number;
  readonly numberOf: (slot: number) => number;
  /** Called when nothing more is accepted; without an error if the file is full. */
  readonly onFailed: (defect: BusbarError | undefined) => void;
  readonly onEnd: () => void;
}

/**
 * Writes events to a trace in time order. Each channel is in order, but channels can lag.
 * Events are held until newer ones arrive or the holding time has passed.
 */
export class RecordingSink implements EventSink {
  readonly kind = 'logging';
  isReady = true;
  gaps = 0;
  missed = 0;
  readonly #options: RecordingSinkOptions;
  readonly #held = new HeldEvents(maxHeld);
  readonly #batch = new TraceBatch(batchEvents);
  readonly #seen = new Uint8Array(slotCount);
  #lastTimeNs = 0;
  #lastEventId = Number.POSITIVE_INFINITY;
  #isFailed = false;
  #tick: Timer | undefined;
  #lastTickNs = Number.NEGATIVE_INFINITY;
  #tickBeforeNs = Number.NEGATIVE_INFINITY;

  constructor(options: RecordingSinkOptions) {
    this.#options = options;
  }

  endAfter(eventId: number): void {
    this.#lastEventId = eventId;
  }

  hasSeen(slot: number): boolean {
    return this.#seen[slot] === 1;
  }

  item({ view }: Staging, offset: number): boolean {
    if (frm2EventId(view, offset) > this.#lastEventId) this.isReady = false;
    if (this.#held.isFull) this.#moveOldest();
    if (!this.isReady) return false;
    const slot = frm2Channel(view, offset);
    const { startUnixUs, numberOf } = this.#options;
    this.#lastTimeNs = this.#held.add(view, offset, startUnixUs, numberOf(slot));
    this.#seen[slot] = 1;
    return true;
  }

  gap(_bounds: Bounds, missed: number | null): void {
    if (!this.isReady) return;
    this.gaps += 1;
    this.missed += missed ?? 0;
    const text = gapRemark(missed);
    this.writeAll();
    if (this.isReady) this.#attempt(() => this.#options.trace.note(this.#lastTimeNs, text));
  }

  flush(): void {
    this.#writeUpTo(this.#held.newestNs - holdBackNs);
    this.#awaitTick();
  }

  end(): void {
    this.writeAll();
    this.#options.onEnd();
  }

  writeAll(): void {
    this.#writeUpTo(Number.POSITIVE_INFINITY);
  }

  close(): void {
    this.#held.clear();
    this.#tick?.cancel();
    this.#tick = undefined;
  }

  #awaitTick(): void {
    if (this.#tick || this.#held.size === 0) return;
    this.#tick = this.#options.clock.after(tickMs, () => {
      this.#tick = undefined;
      this.#writeUpTo(this.#tickBeforeNs);
      this.#tickBeforeNs = this.#lastTickNs;
      this.#lastTickNs = this.#held.newestNs;
      this.#awaitTick();
    });
  }

  #writeUpTo(timeNs: number): void {
    const held = this.#held;
    while (held.size > 0 && held.oldestNs <= timeNs) this.#moveOldest();
    this.#store();
  }

  #moveOldest(): void {
    this.#held.moveOldest(this.#batch);
    if (this.#batch.isFull) this.#store();
  }

  #store(): void {
    const batch = this.#batch;
    if (batch.count === 0) return;
    if (!this.#isFailed) this.#attempt(() => this.#options.trace.write(batch));
    batch.clear();
  }

  /** A writer error fails the recording, not the hub. */
  #attempt(write: () => boolean): void {
    try {
      if (write()) return;
      this.#fail(undefined);
    } catch (thrown) {
      this.#fail(BusbarError.from(thrown));
    }
  }

  #fail(defect: BusbarError | undefined): void {
    this.isReady = false;
    this.#isFailed = true;
    this.#options.onFailed(defect);
  }
}
