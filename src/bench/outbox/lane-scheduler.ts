import { RingQueue } from '../../base/ring-queue.ts';
import type { Lane } from './lane.ts';

/**
 * Number of consecutive urgent frames before another lane is served, so that overload by tasks
 * blocks no lane.
 */
export const maxUrgentInARow = 16;

/** Round robin of lanes with waiting frames, urgent lanes first. */
export class LaneScheduler {
  readonly #urgent = new RingQueue<Lane>();
  readonly #others = new RingQueue<Lane>();
  #urgentInARow = 0;

  get size(): number {
    return this.#urgent.size + this.#others.size;
  }

  isNext(lane: Lane): boolean {
    return this.#urgent.size === 0 && (lane.isUrgent || this.#others.size === 0);
  }

  join(lane: Lane, goesFirst = false): void {
    if (lane.isReady) return;
    lane.isReady = true;
    const queue = lane.isUrgent ? this.#urgent : this.#others;
    if (goesFirst) queue.unshift(lane);
    else queue.push(lane);
  }

  /** Removes and returns the next lane, which must join again. */
  next(): Lane | undefined {
    const isUrgent =
      this.#urgent.size > 0 && (this.#urgentInARow < maxUrgentInARow || this.#others.size === 0);
    this.#urgentInARow = isUrgent ? this.#urgentInARow + 1 : 0;
    const lane = isUrgent ? this.#urgent.shift() : this.#others.shift();
    if (lane) lane.isReady = false;
    return lane;
  }
}
