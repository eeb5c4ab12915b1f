import type { Bounds, Cursor, Lost, Visitor } from '../../base/subscription.ts';
import { boundsAfter, type GroupSelection } from './group-selection.ts';
import type { LivePlan } from './live-plan.ts';
import type { PlanSet, SampleChoice } from './plan-set.ts';
import type { Sample } from './sample-record.ts';

class GroupCursor {
  readonly plan: LivePlan;
  readonly selection: GroupSelection;
  passed = 0;
  #next = 0;
  #head = 0;

  constructor(plan: LivePlan, selection: GroupSelection) {
    this.plan = plan;
    this.selection = selection;
  }

  get next(): number {
    return this.#next;
  }

  get head(): number {
    return this.#head;
  }

  get hasNews(): boolean {
    return this.#next < this.selection.group.frames;
  }

  get isOverrun(): boolean {
    return this.#next < this.selection.group.oldestFrame;
  }

  moveAfter(sequence: number): number {
    const count = this.selection.countUpTo(sequence);
    const skipped = count - this.passed;
    this.passed = count;
    this.#next = this.selection.group.firstFrameAfter(sequence);
    return skipped;
  }

  look(): void {
    const { group } = this.selection;
    this.#head =
      this.#next < group.frames ? group.sequenceOf(this.#next) : Number.POSITIVE_INFINITY;
  }

  advance(): void {
    this.#next++;
    this.look();
  }
}

/** Group cursors in a binary heap, ordered by the sequence of their next frame. */
class MergeHeap {
  readonly #cursors: GroupCursor[] = [];

  get top(): GroupCursor | undefined {
    return this.#cursors[0];
  }

  clear(): void {
    this.#cursors.length = 0;
  }

  add(cursor: GroupCursor): void {
    const cursors = this.#cursors;
    let at = cursors.push(cursor) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = cursors[parent] as GroupCursor;
      if (above.head <= cursor.head) break;
      cursors[at] = above;
      at = parent;
    }
    cursors[at] = cursor;
  }

  settle(end: number): void {
    const cursors = this.#cursors;
    let moving = cursors[0];
    if (moving === undefined) return;
    if (moving.head >= end) {
      moving = cursors.pop() as GroupCursor;
      if (cursors.length === 0) return;
    }
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= cursors.length) break;
      const right = cursors[child + 1];
      if (right !== undefined && right.head < (cursors[child] as GroupCursor).head) child++;
      const smaller = cursors[child] as GroupCursor;
      if (moving.head <= smaller.head) break;
      cursors[at] = smaller;
      at = child;
    }
    cursors[at] = moving;
  }
}

const cursorsFor = (choices: readonly SampleChoice[]): GroupCursor[] => {
  const signals = new Map<LivePlan, readonly string[] | null>();
  for (const { plan, signals: more } of choices) {
    const known = signals.get(plan);
    const isAll = known === null || more === null;
    signals.set(plan, isAll ? null : [...(known ?? []), ...more]);
  }
  return [...signals].flatMap(([plan, chosen]) =>
    plan.select(chosen).map((selection) => new GroupCursor(plan, selection)),
  );
};

/**
 * Reads signals of several plans in strict order of their sequences, starting live. The
 * selection is fixed: removed plans drop out, new ones are not added.
 */
export class SampleCursor implements Cursor<Sample, string> {
  readonly #set: PlanSet;
  readonly #heap = new MergeHeap();
  #cursors: readonly GroupCursor[];
  #position = 0;
  /** Nonzero when the samples before a loss are delivered and the loss is reported next. */
  #interruption = 0;
  #delivered = 0;

  constructor(set: PlanSet, choices: readonly SampleChoice[]) {
    this.#set = set;
    this.#cursors = cursorsFor(choices);
    this.seekLive();
  }

  get position(): number {
    return this.#position;
  }

  get isDone(): boolean {
    return this.#cursors.every(({ plan }) => plan.isRemoved);
  }

  get hasBacklog(): boolean {
    if (this.#set.newestSequence <= this.#position) return false;
    return (
      this.#set.interruptedAt > this.#position || this.#cursors.some((cursor) => cursor.hasNews)
    );
  }

  /** True while `skipLost` has not skipped all lost samples. */
  get hasLost(): boolean {
    if (this.#interruption > 0) return true;
    for (const cursor of this.#cursors) {
      // Overwritten frames can lack the selected signals.
      if (cursor.isOverrun && cursor.selection.newestLost() > this.#position) return true;
    }
    return false;
  }

  seekLive(): void {
    this.#moveTo(this.#set.newestSequence);
  }

  /**
   * Continues after a sequence; 0 for the oldest available sample. Returns whether the sequence
   * has expired; the cursor is then before the oldest sample, too.
   */
  seek(after: number): boolean {
    const lost = this.#newestLost();
    const newest = this.#set.newestSequence;
    const expired = after > newest || (after > 0 && after < lost);
    if (after > 0 && !expired) {
      this.#moveTo(after);
      return false;
    }
    const { oldestAvailable, newestAvailable } = this.#boundsAfter(lost);
    this.#moveTo(oldestAvailable <= newestAvailable ? oldestAvailable - 1 : newest);
    return expired;
  }

  /** Availability of the selected signals: all samples since the newest lost one. */
  bounds(): Bounds {
    return this.#boundsAfter(this.#newestLost());
  }

  /**
   * Moves all signals past the newest sample that any signal has lost. The following samples
   * are complete.
   */
  skipLost(): Lost {
    const from = this.#position;
    const { interruptedAt } = this.#set;
    const bounds = this.#boundsAfter(Math.max(this.#newestLost(), this.#interruption));
    this.#position = Math.max(from, bounds.oldestAvailable - 1);
    let missed = 0;
    for (const cursor of this.#cursors) missed += cursor.moveAfter(this.#position);
    const comesPast = from < interruptedAt && interruptedAt <= this.#position;
    const isUncounted = this.#interruption > 0 || comesPast;
    this.#interruption = 0;
    return { bounds, missed: isUncounted ? null : missed };
  }

  /**
   * Delivers the next samples, up to a limit, and returns their number. Stops before a gap and
   * continues after `skipLost`.
   */
  pass(visitor: Visitor<Sample, string>, limit = Number.POSITIVE_INFINITY): number {
    if (this.hasLost) return 0;
    const { interruptedAt, newestSequence } = this.#set;
    const isInterrupted = interruptedAt > this.#position;
    const end = isInterrupted ? interruptedAt : Number.POSITIVE_INFINITY;
    const heap = this.#gather(end);
    this.#delivered = 0;
    for (let cursor = heap.top; cursor !== undefined; cursor = heap.top) {
      if (!this.#giveFrame(cursor, visitor, limit)) return this.#delivered;
      cursor.advance();
      heap.settle(end);
    }
    if (isInterrupted) this.#interruption = interruptedAt;
    else this.#position = Math.max(this.#position, newestSequence);
    return this.#delivered;
  }

  forgetRemoved(): void {
    this.#cursors = this.#cursors.filter(({ plan }) => !plan.isRemoved);
  }

  #gather(end: number): MergeHeap {
    this.#heap.clear();
    for (const cursor of this.#cursors) {
      if (cursor.plan.isRemoved) continue;
      if (cursor.isOverrun) cursor.moveAfter(this.#position);
      cursor.look();
      if (cursor.head < end) this.#heap.add(cursor);
    }
    return this.#heap;
  }

  #giveFrame(cursor: GroupCursor, visitor: Visitor<Sample, string>, limit: number): boolean {
    const { group, places } = cursor.selection;
    const { next, head } = cursor;
    for (const place of places) {
      if (head + place <= this.#position) continue;
      const sample = group.reader.sampleAt(next, place);
      if (sample === null) continue;
      if (this.#delivered >= limit) return false;
      this.#position = head + place;
      this.#delivered++;
      cursor.passed++;
      if (!visitor.item(sample, cursor.plan.planId)) return false;
    }
    return true;
  }

  #moveTo(position: number): void {
    this.#position = position;
    this.#interruption = 0;
    for (const cursor of this.#cursors) cursor.moveAfter(position);
  }

  #newestLost(): number {
    let newest = 0;
    for (const { selection } of this.#cursors) newest = Math.max(newest, selection.newestLost());
    return newest;
  }

  #boundsAfter(lost: number): Bounds {
    const selections: GroupSelection[] = this.#cursors.map(({ selection }) => selection);
    return boundsAfter(selections, lost);
  }
}
