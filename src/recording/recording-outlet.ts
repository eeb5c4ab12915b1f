import type { Clock, Timer } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Outlet } from '../broker/outlet.ts';
import type { Staging } from '../broker/staging.ts';
import type { WindowBounds } from '../broker/window.ts';
import { frm2Channel, frm2EventId } from '../frame/frm2-codec.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import { gapRemark } from '../trace/trace-gap.ts';
import type { TraceFile } from './trace-file.ts';

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

/** Events that go to the file in one piece at most. */
const batchEvents = 512;
/** FRM2 has two bytes for a channel. */
const slotCount = 65_536;
/** Events that wait for older ones at most; then the oldest of them are written. */
const mostHeld = 65_536;
/** How much later than another channel's an event may come and still stand at its time. */
const holdBackNs = 200e6;
/** An event is written after two to three of these at the latest. */
const tickMs = 100;

export interface RecordingOutletOptions {
  readonly clock: Clock;
  readonly trace: TraceFile;
  readonly startUnixUs: number;
  /** What the file calls the channel in a slot. */
  readonly numberOf: (slot: number) => number;
  /** Nothing more will be taken; undefined if the file takes no more. */
  readonly onFailed: (defect: BusbarError | undefined) => void;
  /** Nothing more will come. */
  readonly onEnd: () => void;
}

/**
 * Puts events into a trace in the order of their times. Each channel comes in order, but one may be
 * behind another, so that events are held back for a moment: until there are some that are newer by
 * that much, or until the moment has passed.
 */
export class RecordingOutlet implements Outlet {
  readonly kind = 'logging';
  isReady = true;
  /** Places where events are missing, and how many. */
  gaps = 0;
  missed = 0;
  readonly #options: RecordingOutletOptions;
  readonly #held = new HeldEvents(mostHeld);
  readonly #batch = new TraceBatch(batchEvents);
  readonly #seen = new Uint8Array(slotCount);
  #lastTimeNs = 0;
  #lastEventId = Number.POSITIVE_INFINITY;
  #isFailed = false;
  #tick: Timer | undefined;
  /** The newest time there was at the last tick, and at the one before. */
  #lastTickNs = Number.NEGATIVE_INFINITY;
  #tickBeforeNs = Number.NEGATIVE_INFINITY;

  constructor(options: RecordingOutletOptions) {
    this.#options = options;
  }

  /** Takes nothing that is newer than this event. */
  endAfter(eventId: number): void {
    this.#lastEventId = eventId;
  }

  hasSeen(slot: number): boolean {
    return this.#seen[slot] === 1;
  }

  record({ view }: Staging, offset: number): boolean {
    if (frm2EventId(view, offset) > this.#lastEventId) this.isReady = false;
    if (this.#held.isFull) this.#moveOldest();
    if (!this.isReady) return false;
    const slot = frm2Channel(view, offset);
    const { startUnixUs, numberOf } = this.#options;
    this.#lastTimeNs = this.#held.add(view, offset, startUnixUs, numberOf(slot));
    this.#seen[slot] = 1;
    return true;
  }

  gap(_bounds: WindowBounds, missed: number | null): void {
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

  /** Holds nothing back any longer. */
  writeAll(): void {
    this.#writeUpTo(Number.POSITIVE_INFINITY);
  }

  /** Lets go of what is held and of the clock. */
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

  /** A writer that throws is a failure of the recording, not of the hub that delivers the events. */
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
