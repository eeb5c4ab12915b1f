import type { Clock, Timer } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Bounds, ConsumerKind } from '../base/subscription.ts';
import type { EventSink } from '../broker/reader-hub.ts';
import type { Staging } from '../broker/staging.ts';
import { frm2Channel, frm2EventId } from '../frame/frm2-codec.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import type { RowTarget, SortedRows } from './file-series.ts';
import { HeldEvents } from './held-events.ts';

const batchEvents = 512;
const slotCount = 65_536;
const maxHeld = 65_536;
/** Maximum delay between channels that is still sorted. */
const holdBackNs = 200e6;
const tickMs = 50;
/** An event is written after at most one tick more, so within 250 ms. */
const heldTicks = holdBackNs / 1e6 / tickMs;

export interface RecordingSinkOptions {
  readonly kind: ConsumerKind;
  readonly clock: Clock;
  readonly target: RowTarget;
  readonly startUnixUs: number;
  readonly numberOf: (slot: number) => number;
  /** Called when rows have been refused, or with the error of a defect. */
  readonly onBlocked: (defect: BusbarError | undefined) => void;
  readonly onEnd: () => void;
}

interface Gap {
  readonly timeNs: number;
  missed: number | null;
}

const sumOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other;

/**
 * Passes events on in time order. Each channel is in order, but channels can lag. Events are held
 * until newer ones arrive or the holding time has passed. While the target is blocked the sink is
 * not ready, and the cursor waits in the rings.
 */
export class RecordingSink implements EventSink, SortedRows {
  readonly kind: ConsumerKind;
  gaps = 0;
  missed = 0;
  readonly batch = new TraceBatch(batchEvents);
  readonly ids = new Float64Array(this.batch.capacity);
  readonly #options: RecordingSinkOptions;
  readonly #held = new HeldEvents(maxHeld);
  readonly #seen = new Uint8Array(slotCount);
  /** Newest times at the latest ticks, the oldest first. */
  readonly #tickNs = new Float64Array(heldTicks).fill(Number.NEGATIVE_INFINITY);
  #lastTimeNs = 0;
  #lastEventId = Number.POSITIVE_INFINITY;
  #newestId = 0;
  /** First row of the batch that the target has not accepted. */
  #from = 0;
  #gap: Gap | null = null;
  #isOver = false;
  #isBlocked = false;
  #isClosed = false;
  #tick: Timer | undefined;

  constructor(options: RecordingSinkOptions) {
    this.kind = options.kind;
    this.#options = options;
  }

  get isReady(): boolean {
    return !this.#isBlocked && !this.#isOver && !this.#isClosed;
  }

  /** Events that were read, but not accepted. */
  get waiting(): number {
    return this.#held.size + this.batch.count - this.#from;
  }

  /** Time of the oldest event that was not passed on; infinity if all were. */
  get oldestNs(): number {
    return this.#held.size > 0 ? this.#held.oldestNs : Number.POSITIVE_INFINITY;
  }

  /** Ids of the events that follow a row of the batch, as far as they were read. */
  idsFrom(row: number): Set<number> {
    return new Set([...this.ids.subarray(row, this.batch.count), ...this.#held.ids()]);
  }

  /** Id of the newest event that was read. */
  get newestId(): number {
    return this.#newestId;
  }

  endAfter(eventId: number): void {
    this.#lastEventId = eventId;
  }

  hasSeen(slot: number): boolean {
    return this.#seen[slot] === 1;
  }

  nextId(): number {
    return this.#held.smallestId();
  }

  item({ view }: Staging, offset: number): boolean {
    const id = frm2EventId(view, offset);
    if (id > this.#lastEventId) this.#isOver = true;
    if (!this.isReady) return false;
    if (this.#held.isFull) this.#moveOldest();
    const slot = frm2Channel(view, offset);
    const { startUnixUs, numberOf } = this.#options;
    this.#lastTimeNs = this.#held.add(view, offset, startUnixUs, numberOf(slot));
    this.#newestId = id;
    this.#seen[slot] = 1;
    return this.isReady;
  }

  gap(_bounds: Bounds, missed: number | null): void {
    if (this.#isOver || this.#isClosed) return;
    this.gaps += 1;
    this.missed += missed ?? 0;
    if (!this.#gap) this.#gap = { timeNs: this.#lastTimeNs, missed };
    else this.#gap.missed = sumOf(this.#gap.missed, missed);
    this.writeAll();
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

  /** The target accepts rows again. */
  resume(): void {
    if (this.#isClosed) return;
    this.#isBlocked = false;
    this.flush();
  }

  close(): void {
    this.#isClosed = true;
    this.#held.clear();
    this.#tick?.cancel();
    this.#tick = undefined;
  }

  #awaitTick(): void {
    if (this.#tick || this.#held.size === 0) return;
    this.#tick = this.#options.clock.after(tickMs, () => {
      this.#tick = undefined;
      const marks = this.#tickNs;
      this.#writeUpTo(marks[0] as number);
      marks.copyWithin(0, 1);
      marks[heldTicks - 1] = this.#held.newestNs;
      this.#awaitTick();
    });
  }

  #writeUpTo(timeNs: number): void {
    if (this.#isBlocked || this.#isClosed) return;
    // Rows that were refused are first.
    this.#store();
    const held = this.#held;
    // Everything held is older than the gap.
    const limitNs = this.#gap ? Number.POSITIVE_INFINITY : timeNs;
    while (held.size > 0 && held.oldestNs <= limitNs && !this.#isBlocked) this.#moveOldest();
    this.#store();
    if (this.#gap) this.#storeGap(this.#gap);
  }

  #moveOldest(): void {
    this.#held.moveOldest(this.batch, this.ids);
    if (this.batch.isFull) this.#store();
  }

  #store(): void {
    const { batch } = this;
    if (batch.count > 0 && !this.#isBlocked) {
      this.#attempt((target) => {
        this.#from = target.write(this, this.#from, batch.count);
      });
    }
    if (this.#from < batch.count) return;
    batch.clear();
    this.#from = 0;
  }

  #storeGap({ timeNs, missed }: Gap): void {
    if (this.#isBlocked) return;
    this.#attempt((target) => {
      if (target.gap(timeNs, missed)) this.#gap = null;
    });
  }

  /** A writer error fails the recording, not the hub. */
  #attempt(act: (target: RowTarget) => void): void {
    const { target, onBlocked } = this.#options;
    try {
      act(target);
      if (!target.isBlocked) return;
      this.#isBlocked = true;
      onBlocked(undefined);
    } catch (thrown) {
      this.#isBlocked = true;
      onBlocked(BusbarError.from(thrown));
    }
  }
}
