import { BusbarError } from '../base/errors/busbar-error.ts';
import type { ChannelChoice, ReaderHub } from '../broker/reader-hub.ts';
import { wholeRing } from '../broker/ring-cursor.ts';
import { frm2Channel, frm2EventId, frm2TimestampUs } from '../frame/frm2-codec.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import type { RowTarget, SortedRows } from './file-series.ts';
import { HeldEvents } from './held-events.ts';

const batchEvents = 512;
const pageEvents = 4096;
const maxHeld = 4 * pageEvents;
/** Maximum delay between channels that is still sorted. */
const holdBackNs = 200e6;

export interface PreTriggerOptions {
  readonly hub: Pick<ReaderHub, 'readHistory'>;
  readonly channels: ChannelChoice;
  readonly startUnixUs: number;
  readonly numberOf: (slot: number) => number;
  /** Events before this time are too old. */
  readonly fromNs: number;
  /** Events up to this time are in an earlier file. */
  readonly afterNs: number;
  /** The newest event that was read. */
  readonly newestId: number;
  /** Events up to it that come later, with the trigger. */
  readonly later: ReadonlySet<number>;
}

/** Events before a trigger, read from the rings as far as these hold them, in order of time. */
export class PreTrigger implements SortedRows {
  readonly batch = new TraceBatch(batchEvents);
  readonly ids = new Float64Array(this.batch.capacity);
  /** Events were overwritten while they were read. */
  gaps = 0;
  readonly #options: PreTriggerOptions;
  readonly #held = new HeldEvents(maxHeld);
  readonly #laterId: number;
  #from = 0;
  #firstNs: number | null = null;
  #lastNs = 0;
  #isWhole = false;
  #hasGap = false;
  #after = 0;
  #isRead = false;

  constructor(options: PreTriggerOptions) {
    this.#options = options;
    this.#laterId = [...options.later].reduce(
      (least, id) => Math.min(least, id),
      options.newestId + 1,
    );
  }

  /** Time since which no event is missing, or that of the trigger itself. */
  sinceNs(triggerNs: number): number {
    const { fromNs, afterNs } = this.#options;
    return this.#isWhole ? Math.max(fromNs, afterNs) : (this.#firstNs ?? triggerNs);
  }

  nextId(): number {
    return Math.min(this.#held.smallestId(), this.#laterId);
  }

  /** Returns whether the target accepted all; otherwise it continues at the next call. */
  write(target: RowTarget): boolean {
    for (;;) {
      if (!this.#store(target)) return false;
      if (this.#move()) continue;
      if (this.#hasGap) {
        if (!target.gap(this.#lastNs, null)) return false;
        this.#hasGap = false;
        this.#firstNs = null;
      }
      if (this.#isRead) return true;
      this.#read();
    }
  }

  #store(target: RowTarget): boolean {
    const { batch } = this;
    if (this.#from < batch.count) this.#from = target.write(this, this.#from, batch.count);
    if (this.#from < batch.count) return false;
    batch.clear();
    this.#from = 0;
    return true;
  }

  /** Returns whether the batch has rows. */
  #move(): boolean {
    const held = this.#held;
    const { batch } = this;
    const isLast = this.#isRead || this.#hasGap;
    const limitNs = isLast ? Number.POSITIVE_INFINITY : held.newestNs - holdBackNs;
    while (held.size > 0 && !batch.isFull) {
      if (held.oldestNs > limitNs && held.size <= maxHeld - pageEvents) break;
      held.moveOldest(batch, this.ids);
      this.#lastNs = batch.timeNs[batch.count - 1] as number;
      this.#firstNs ??= this.#lastNs;
    }
    return batch.count > 0;
  }

  #read(): void {
    const { hub, channels, newestId } = this.#options;
    try {
      const { position } = hub.readHistory({
        channels,
        after: this.#after,
        limit: pageEvents,
        capacity: wholeRing,
        visitor: ({ view }, at) => this.#take(view, at),
      });
      if (position <= this.#after || position >= newestId) this.#isRead = true;
      this.#after = position;
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const oldest = error.details.oldest_available;
      if (error.code !== 'cursor_expired' || typeof oldest !== 'number') throw thrown;
      this.gaps += 1;
      this.#hasGap = true;
      this.#isWhole = false;
      this.#after = oldest - 1;
    }
  }

  #take(view: DataView, at: number): boolean {
    const { newestId, later, fromNs, afterNs, startUnixUs, numberOf } = this.#options;
    const id = frm2EventId(view, at);
    if (id > newestId) {
      this.#isRead = true;
      return false;
    }
    const timeNs = (frm2TimestampUs(view, at) - startUnixUs) * 1000;
    if (timeNs < fromNs || timeNs <= afterNs) this.#isWhole = true;
    else if (!later.has(id)) {
      this.#held.add(view, at, startUnixUs, numberOf(frm2Channel(view, at)));
    }
    return true;
  }
}
