import { RingQueue } from '../../base/ring-queue.ts';
import type { Lane } from './lane.ts';

export class BackpressureQueue {
  readonly #lanes = new RingQueue<Lane>();

  get size(): number {
    return this.#lanes.size;
  }

  add(lane: Lane): void {
    if (lane.wantsRoom || lane.isClosed || !lane.owner.room) return;
    lane.wantsRoom = true;
    this.#lanes.push(lane);
  }

  remove(lane: Lane): void {
    if (lane.wantsRoom) this.#lanes.remove(lane);
    lane.wantsRoom = false;
  }

  /** Removes and returns the first lane with room; the lanes before it move to the end. */
  take(hasRoom: (lane: Lane) => boolean): Lane | undefined {
    for (let left = this.#lanes.size; left > 0; left--) {
      const lane = this.#lanes.shift();
      if (!lane) return undefined;
      if (hasRoom(lane)) {
        lane.wantsRoom = false;
        return lane;
      }
      this.#lanes.push(lane);
    }
    return undefined;
  }
}
