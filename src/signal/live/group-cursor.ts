import type { GroupSelection } from './group-selection.ts';
import type { LivePlan } from './live-plan.ts';

/** A stream's place in one group of a plan. */
export class GroupCursor {
  readonly plan: LivePlan;
  readonly selection: GroupSelection;
  /** Samples of the selection that were delivered or left out so far. */
  passed = 0;
  /** The frame to be read next. */
  #next = 0;
  #head = 0;

  constructor(plan: LivePlan, selection: GroupSelection) {
    this.plan = plan;
    this.selection = selection;
  }

  get next(): number {
    return this.#next;
  }

  /** The sequence of the next frame as of the last `look` or `advance`; infinite if there is none. */
  get head(): number {
    return this.#head;
  }

  get hasNews(): boolean {
    return this.#next < this.selection.group.frames;
  }

  /** Whether frames were pushed out that it has not read. */
  get isOverrun(): boolean {
    return this.#next < this.selection.group.oldestFrame;
  }

  /** Goes on behind a sequence; how many samples that leaves out. */
  moveAfter(sequence: number): number {
    const count = this.selection.countUpTo(sequence);
    const skipped = count - this.passed;
    this.passed = count;
    this.#next = this.selection.group.firstFrameAfter(sequence);
    return skipped;
  }

  /** Finds out whether there is a next frame, and which. */
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
