import type { SchedulePlan, SlotAction, SlotPlan, TablePlan } from './schedule-plan.ts';

const none = -1;

/**
 * Position of a running schedule, without clock and bus. `begin` starts the slot that is due and
 * returns its action; `dueUs` is then the end of that slot.
 *
 * ```
 *               collision in the slot before
 *   named table ─────────────────────────────▶ collision table
 *     ▲  ▲   ▲                                   │      │
 *     │  │   └──── last entry ran: next entry ───┘      │
 *     │  └──────── switch: first entry of the other ────┘
 *     └ switch: first entry
 * ```
 *
 * Slots start on a grid: each one at the end of the one before it, however late it was begun.
 */
export class ScheduleMachine {
  dueUs: number;
  missed = 0;
  cycles = 0;
  collisions = 0;
  readonly #plan: SchedulePlan;
  readonly #changed: Uint8Array;
  #table: number;
  #entry = 0;
  #next = none;
  #collided = none;
  /** Collision table of the event-triggered frame that was sent last. */
  #awaited = none;
  #returnTable = none;
  #returnEntry = 0;

  constructor(plan: SchedulePlan, table: number, startUs: number) {
    this.#plan = plan;
    this.#changed = new Uint8Array(plan.frames.length);
    this.#table = table;
    this.dueUs = startUs;
  }

  /** The table that was started or switched to last. */
  get table(): number {
    return this.#returnTable === none ? this.#table : this.#returnTable;
  }

  get nextTable(): number | null {
    return this.#next === none ? null : this.#next;
  }

  get collisionTable(): number | null {
    return this.#returnTable === none ? null : this.#table;
  }

  /** Takes effect at the next slot, and also ends the handling of a collision. */
  switchTo(table: number): void {
    this.#next = table;
  }

  /** A signal of the frame was set. */
  change(frame: number): void {
    this.#changed[frame] = 1;
  }

  hasChanged(frame: number): boolean {
    return this.#changed[frame] === 1;
  }

  /** The channel accepted the frame. */
  sent(frame: number): void {
    this.#changed[frame] = 0;
  }

  /** Several slaves responded to the last event-triggered frame. */
  collide(): void {
    if (this.#awaited === none) return;
    this.#collided = this.#awaited;
    this.#awaited = none;
    this.collisions += 1;
  }

  /** Starts the slot that is due, and skips those that are due as well. */
  begin(nowUs: number): SlotAction {
    const action = this.#step();
    this.#awaited = action.kind === 'event' ? action.collisionTable : none;
    if (this.dueUs <= nowUs) this.#skipUntil(nowUs);
    return action;
  }

  /** Index of the first frame that has changed since it was sent. */
  firstChanged(frames: readonly number[]): number {
    for (let i = 0; i < frames.length; i++) {
      const frame = frames[i] as number;
      if (this.#changed[frame] === 1) return frame;
    }
    return none;
  }

  #step(): SlotAction {
    this.#enter();
    const slot = this.#current.slots[this.#entry] as SlotPlan;
    this.dueUs += slot.lengthUs;
    this.#entry += 1;
    return slot.action;
  }

  /** Changes the table or starts it again, between two slots. */
  #enter(): void {
    if (this.#next !== none) this.#switch();
    else if (this.#collided !== none) this.#resolve();
    if (this.#isAtEnd && this.#returnTable !== none) {
      this.#table = this.#returnTable;
      this.#entry = this.#returnEntry;
      this.#returnTable = none;
    }
    if (!this.#isAtEnd) return;
    this.#entry = 0;
    this.cycles += 1;
  }

  #switch(): void {
    this.#table = this.#next;
    this.#entry = 0;
    this.#next = none;
    this.#collided = none;
    this.#returnTable = none;
  }

  /** A collision while another one is resolved keeps the way back. */
  #resolve(): void {
    const table = this.#collided;
    this.#collided = none;
    if (this.#plan.tables[table]?.slots.length === 0) return;
    if (this.#returnTable === none) {
      this.#returnTable = this.#table;
      this.#returnEntry = this.#entry;
    }
    this.#table = table;
    this.#entry = 0;
  }

  #skipUntil(nowUs: number): void {
    while (this.dueUs <= nowUs) {
      if (this.#isAtEnd && this.#isUndisturbed) this.#skipCycles(nowUs);
      if (this.dueUs > nowUs) return;
      this.#step();
      this.missed += 1;
    }
  }

  get #isAtEnd(): boolean {
    return this.#entry === this.#current.slots.length;
  }

  get #isUndisturbed(): boolean {
    return this.#returnTable === none && this.#next === none && this.#collided === none;
  }

  /** After a long stop of the process, slots are not skipped one by one. */
  #skipCycles(nowUs: number): void {
    const { slots } = this.#current;
    let cycleUs = 0;
    for (let i = 0; i < slots.length; i++) cycleUs += (slots[i] as SlotPlan).lengthUs;
    const passed = Math.floor((nowUs - this.dueUs) / cycleUs);
    this.dueUs += passed * cycleUs;
    this.missed += passed * slots.length;
    this.cycles += passed;
  }

  get #current(): TablePlan {
    return this.#plan.tables[this.#table] as TablePlan;
  }
}
