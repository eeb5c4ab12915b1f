import type { Lane, LaneOwner } from '../bench/outbox/lane.ts';
import type { SendChannel } from './send-channel.ts';

/** What waits until the channel has room for its next frame. */
export interface RoomWaiter {
  room(): void;
}

/**
 * The one lane of all requests to send on a channel. Frames of requests go out in the order in which
 * they were accepted: a caller that sends again after an answer does not overtake itself. Requests
 * that wait for room get it in turn.
 */
export class SendLane implements LaneOwner {
  readonly lane: Lane;
  #waiters = new Set<RoomWaiter>();

  constructor(channel: SendChannel) {
    this.lane = channel.outbox.open(this);
  }

  /** Tells the waiter once there is room, after those that have waited longer. */
  wait(waiter: RoomWaiter): void {
    this.#waiters.add(waiter);
  }

  leave(waiter: RoomWaiter): void {
    this.#waiters.delete(waiter);
  }

  room(): void {
    for (let waiter = this.#first; waiter; waiter = this.#first) {
      const before = this.lane.pending;
      this.#waiters.delete(waiter);
      waiter.room();
      if (!this.lane.wantsRoom) continue;
      // One that got nothing keeps its place; one that did goes on behind the others.
      const isRefused = this.lane.pending === before && this.#waiters.has(waiter);
      if (isRefused) this.#waiters = new Set([waiter, ...this.#waiters]);
      return;
    }
  }

  get #first(): RoomWaiter | undefined {
    const [first] = this.#waiters;
    return first;
  }
}
