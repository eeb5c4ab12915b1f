import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { Lane, LaneOwner } from '../../bench/outbox/lane.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { framesPerTurn, yields } from '../batch-send.ts';
import type { SendChannel } from '../send-channel.ts';
import type { ReplayCounts } from './replay-counts.ts';
import { type RowSender, rowSenderOf } from './row-sender.ts';

/** Events that wait for room, in order and in fixed memory. */
class EventBacklog {
  /** Waiting events from `head`; `timeNs` is unused. */
  readonly batch: TraceBatch;
  readonly #dueUs: Float64Array;
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    this.batch = new TraceBatch(capacity);
    this.#dueUs = new Float64Array(this.batch.capacity);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.batch.capacity;
  }

  get head(): number {
    return this.#head;
  }

  get headDueUs(): number {
    return this.#dueUs[this.#head] as number;
  }

  push(from: TraceBatch, row: number, dueUs: number): void {
    const { batch } = this;
    const to = (this.#head + this.#size) % batch.capacity;
    const length = from.length[row] as number;
    this.#dueUs[to] = dueUs;
    batch.id[to] = from.id[row] as number;
    batch.flags[to] = from.flags[row] as number;
    batch.bus[to] = from.bus[row] as number;
    batch.dlc[to] = from.dlc[row] as number;
    batch.length[to] = length;
    batch.detail[to] = from.detail[row] as number;
    const source = row * maxFdLength;
    const target = to * maxFdLength;
    for (let i = 0; i < length; i++) batch.payload[target + i] = from.payload[source + i] as number;
    this.#size += 1;
  }

  shift(): void {
    this.#head = (this.#head + 1) % this.batch.capacity;
    this.#size -= 1;
  }

  clear(): void {
    this.#size = 0;
  }
}

/** A channel with this many waiting events delays all others. */
export const backlogCapacity = 1024;

export interface ReplaySenderEvents {
  onRoom(): void;
  onClosed(channel: SendChannel): void;
}

export class ReplaySender implements LaneOwner {
  readonly #counts: ReplayCounts;
  readonly #scheduler: Scheduler;
  readonly #lane: Lane;
  readonly #sender: RowSender;
  readonly #backlog = new EventBacklog(backlogCapacity);
  readonly #events: ReplaySenderEvents;
  readonly #stopListening: () => void;
  /** Set after a `full` result: no attempt before room is reported. */
  #isBlocked = false;

  constructor(
    channel: SendChannel,
    counts: ReplayCounts,
    scheduler: Scheduler,
    events: ReplaySenderEvents,
  ) {
    this.#counts = counts;
    this.#scheduler = scheduler;
    this.#events = events;
    this.#lane = channel.outbox.open(this);
    this.#sender = rowSenderOf(channel.hardware, this.#lane);
    this.#stopListening = channel.onInterrupted((why) => {
      if (why === 'closed') events.onClosed(channel);
    });
  }

  /** Sends immediately; otherwise other lanes would use the room. */
  room(): void {
    this.#isBlocked = false;
    this.flush(framesPerTurn);
    this.#events.onRoom();
  }

  get isEmpty(): boolean {
    return this.#backlog.size === 0;
  }

  get isAnswering(): boolean {
    return this.#sender.isAnswering;
  }

  get isFull(): boolean {
    return this.#backlog.isFull;
  }

  get canContinue(): boolean {
    return !this.#isBlocked && this.#backlog.size > 0;
  }

  take(batch: TraceBatch, row: number, dueUs: number): void {
    if (this.#backlog.size > 0 || !this.#submit(batch, row, dueUs)) {
      this.#backlog.push(batch, row, dueUs);
    }
  }

  /** Sends at most `max` waiting events, fewer if a deadline is due; returns their number. */
  flush(max: number): number {
    const backlog = this.#backlog;
    let done = 0;
    while (done < max && this.canContinue) {
      if (!this.#submit(backlog.batch, backlog.head, backlog.headDueUs)) break;
      // Listeners called during a send can have stopped the replay.
      if (backlog.size === 0) break;
      backlog.shift();
      done += 1;
      if (yields(done, this.#scheduler)) break;
    }
    return done;
  }

  end(): void {
    this.#stopListening();
    this.#lane.close();
    this.#backlog.clear();
    this.#sender.end();
  }

  #submit(batch: TraceBatch, row: number, dueUs: number): boolean {
    const result = this.#sender.send(batch, row);
    if (result === 'full') {
      this.#isBlocked = true;
      return false;
    }
    if (result === 'accepted') this.#counts.send(dueUs);
    else this.#counts.skip(result);
    return true;
  }
}
