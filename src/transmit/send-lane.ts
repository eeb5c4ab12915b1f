import { RingQueue } from '../base/ring-queue.ts';
import type { Lane, LaneOwner } from '../bench/outbox/lane.ts';
import type { SendChannel } from './send-channel.ts';

export interface RoomWaiter {
  isWaiting: boolean;
  room(): void;
}

/**
 * The one lane of all send requests of a channel. Frames are sent in order of acceptance, so
 * requests of one caller keep their order. Waiting requests get room in turn.
 */
export class SendLane implements LaneOwner {
  readonly lane: Lane;
  readonly #waiters = new RingQueue<RoomWaiter>();
  #offered: RoomWaiter | undefined;
  #pendingBefore = 0;

  constructor(channel: SendChannel) {
    this.lane = channel.outbox.open(this);
  }

  wait(waiter: RoomWaiter): void {
    if (waiter.isWaiting) return;
    waiter.isWaiting = true;
    // A waiter that got no room keeps its position.
    const isRefused = waiter === this.#offered && this.lane.pending === this.#pendingBefore;
    if (isRefused) this.#waiters.unshift(waiter);
    else this.#waiters.push(waiter);
  }

  leave(waiter: RoomWaiter): void {
    if (!waiter.isWaiting) return;
    waiter.isWaiting = false;
    this.#waiters.remove(waiter);
  }

  room(): void {
    for (let waiter = this.#waiters.shift(); waiter; waiter = this.#waiters.shift()) {
      waiter.isWaiting = false;
      this.#offered = waiter;
      this.#pendingBefore = this.lane.pending;
      waiter.room();
      this.#offered = undefined;
      if (this.lane.wantsRoom) return;
    }
  }
}
