import { RingQueue } from '../../base/ring-queue.ts';
import type { Lane } from './lane.ts';

/**
 * Frames of urgent lanes in a row before another lane has its turn. Tasks that ask for more than the
 * bus can carry would keep all others from it for ever.
 */
export const mostUrgentInARow = 16;

/** The lanes with frames that wait, in the order of their turns: urgent ones first. */
export class LaneTurns {
  readonly #urgent = new RingQueue<Lane>();
  readonly #others = new RingQueue<Lane>();
  #urgentInARow = 0;

  get size(): number {
    return this.#urgent.size + this.#others.size;
  }

  /** Whether nothing goes before a new frame of the lane. */
  isNext(lane: Lane): boolean {
    return this.#urgent.size === 0 && (lane.isUrgent || this.#others.size === 0);
  }

  /** Gives the lane a turn, if it does not wait for one. */
  join(lane: Lane, goesFirst = false): void {
    if (lane.isReady) return;
    lane.isReady = true;
    const queue = lane.isUrgent ? this.#urgent : this.#others;
    if (goesFirst) queue.unshift(lane);
    else queue.push(lane);
  }

  /** The lane whose turn it is. It has to join again for another one. */
  next(): Lane | undefined {
    const isUrgent =
      this.#urgent.size > 0 && (this.#urgentInARow < mostUrgentInARow || this.#others.size === 0);
    this.#urgentInARow = isUrgent ? this.#urgentInARow + 1 : 0;
    const lane = isUrgent ? this.#urgent.shift() : this.#others.shift();
    if (lane) lane.isReady = false;
    return lane;
  }
}
