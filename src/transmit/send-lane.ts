import { RingQueue } from '../base/ring-queue.ts';
import type { Lane, LaneOwner } from '../bench/outbox/lane.ts';
import type { SendChannel } from './send-channel.ts';

/** What waits until the channel has room for its next frame. */
export interface RoomWaiter {
  /** It stands among those that wait; kept by the lane. */
  isWaiting: boolean;
  room(): void;
}

/**
 * The one lane of all requests to send on a channel. Frames of requests go out in the order in which
 * they were accepted: a caller that sends again after an answer does not overtake itself. Requests
 * that wait for room get it in turn.
 */
export class SendLane implements LaneOwner {
  readonly lane: Lane;
  readonly #waiters = new RingQueue<RoomWaiter>();
  /** The waiter that is just being told of room, and what the lane had before. */
  #offered: RoomWaiter | undefined;
  #pendingBefore = 0;

  constructor(channel: SendChannel) {
    this.lane = channel.outbox.open(this);
  }

  /** Tells the waiter once there is room, after those that have waited longer. */
  wait(waiter: RoomWaiter): void {
    if (waiter.isWaiting) return;
    waiter.isWaiting = true;
    // One that was told of room and got none keeps its place.
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
