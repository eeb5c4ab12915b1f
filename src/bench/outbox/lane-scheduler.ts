import { RingQueue } from '../../base/ring-queue.ts';
import type { Lane } from './lane.ts';

/**
 * Urgent frames in a row before another lane gets a turn, so that overload by tasks keeps
 * no lane waiting.
 */
export const maxUrgentInARow = 16;

/** Lanes with waiting frames, in turn, urgent ones first. */
export class LaneScheduler {
  readonly #urgent = new RingQueue<Lane>();
  readonly #others = new RingQueue<Lane>();
  #urgentInARow = 0;

  get size(): number {
    return this.#urgent.size + this.#others.size;
  }

  /** Whether a new frame of the lane would be next. */
  isNext(lane: Lane): boolean {
    return this.#urgent.size === 0 && (lane.isUrgent || this.#others.size === 0);
  }

  /** Queues the lane for a turn. */
  join(lane: Lane, goesFirst = false): void {
    if (lane.isReady) return;
    lane.isReady = true;
    const queue = lane.isUrgent ? this.#urgent : this.#others;
    if (goesFirst) queue.unshift(lane);
    else queue.push(lane);
  }

  /** The lane whose turn it is; it must join again. */
  next(): Lane | undefined {
    const isUrgent =
      this.#urgent.size > 0 && (this.#urgentInARow < maxUrgentInARow || this.#others.size === 0);
    this.#urgentInARow = isUrgent ? this.#urgentInARow + 1 : 0;
    const lane = isUrgent ? this.#urgent.shift() : this.#others.shift();
    if (lane) lane.isReady = false;
    return lane;
  }
}
