import type { Clock } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import type { Lane } from '../bench/outbox/lane.ts';
import { Batch, type BatchParts } from './batch.ts';
import type { SendChannel } from './send-channel.ts';
import {
  abortedRead,
  failedRead,
  interruptedBy,
  noSlotFitted,
  queueStayedFull,
  ranTooLong,
  readStayedOpen,
  refusedBy,
} from './send-failures.ts';
import type { RoomWaiter, SendLane } from './send-lane.ts';
import type { Submission } from './submit.ts';

export interface SendTime {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

export const framesPerTurn = 64;

const framesPerLook = 8;

export const yields = (frames: number, scheduler: Scheduler): boolean =>
  frames % framesPerLook === 0 && scheduler.isDeadlineDue;

export interface BatchSendParts extends Omit<BatchParts, 'submission' | 'startUs'> {
  readonly time: SendTime;
  readonly channel: SendChannel;
  readonly sendLane: SendLane;
  readonly prepare: (lane: Lane) => Submission;
}

export class BatchSend implements RoomWaiter {
  readonly batch: Batch;
  isWaiting = false;
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly #sendLane: SendLane;
  readonly #timer: Task;
  readonly #outbox: SendChannel['outbox'];
  readonly #stopListening: () => void;
  #isServing = false;

  constructor({ time, channel, sendLane, prepare, ...parts }: BatchSendParts) {
    this.#clock = time.clock;
    this.#scheduler = time.scheduler;
    this.#timer = time.scheduler.createTask('message send', (nowUs) => this.#wake(nowUs));
    this.#sendLane = sendLane;
    this.#outbox = channel.outbox;
    const startUs = time.clock.monotonicUs();
    this.batch = new Batch({ ...parts, submission: prepare(sendLane.lane), startUs });
    if (this.batch.read) this.batch.read.onDone = () => this.#readDone();
    this.#stopListening = channel.onInterrupted((why) => this.end(interruptedBy(why)));
  }

  start(): void {
    this.#serve(this.#clock.monotonicUs());
  }

  room(): void {
    if (this.batch.state === 'ready') this.#serve(this.#clock.monotonicUs());
  }

  /** Accepted frames stay queued. */
  end(error: BusbarError): void {
    if (this.batch.isOver) return;
    this.batch.fail(error);
    this.#leave();
  }

  #leave(): void {
    this.#sendLane.leave(this);
    this.#timer.cancel();
    this.#stopListening();
  }

  #serve(nowUs: number): undefined {
    const { batch } = this;
    // A read response can arrive while frames are submitted.
    if (this.#isServing) return;
    this.#isServing = true;
    let left = framesPerTurn;
    try {
      while (left > 0 && batch.state === 'ready' && this.#submit(nowUs)) {
        left = yields(left - 1, this.#scheduler) ? 0 : left - 1;
      }
    } catch (thrown) {
      this.end(BusbarError.from(thrown));
    }
    this.#isServing = false;
    if (batch.isOver) return;
    if (left === 0 && batch.state === 'ready') this.#timer.resume();
    else if (batch.state === 'timed') this.#timer.scheduleAt(batch.dueUs);
    // Deadlines only move later, so a running timer can stay.
    else if (this.#timer.dueUs > batch.deadlineUs) this.#timer.scheduleAt(batch.deadlineUs);
  }

  #submit(nowUs: number): boolean {
    const { batch } = this;
    if (nowUs >= batch.endUs) {
      this.#abandon(nowUs);
      return false;
    }
    const result = batch.submit();
    if (batch.isOver) return false;
    if (result === 'full') {
      if (nowUs >= batch.deadlineUs) this.#abandon(nowUs);
      else this.#sendLane.wait(this);
      return false;
    }
    if (result !== 'accepted') {
      this.end(refusedBy(result, batch.field));
      return false;
    }
    if (batch.read) batch.state = 'reading';
    batch.accept(nowUs);
    // A progress listener can end the batch.
    if (!batch.isOver && !batch.read) this.#goOn(nowUs);
    return true;
  }

  #goOn(nowUs: number): void {
    const { batch } = this;
    if (batch.isComplete) {
      batch.finish();
      this.#leave();
      return;
    }
    batch.state = batch.dueUs > nowUs ? 'timed' : 'ready';
    batch.sinceUs = nowUs;
  }

  #wake(nowUs: number): number | undefined {
    const { batch } = this;
    if (batch.state === 'timed') {
      batch.state = 'ready';
      batch.sinceUs = nowUs;
    }
    if (batch.state === 'ready') return this.#serve(nowUs);
    if (nowUs < batch.deadlineUs) return batch.deadlineUs;
    return this.#abandon(nowUs);
  }

  #abandon(nowUs: number): undefined {
    const { maxDurationUs, pace, read, state, endUs } = this.batch;
    if (state === 'reading' && read?.outcome === 'aborted') this.end(abortedRead());
    else if (nowUs >= endUs) this.end(ranTooLong(maxDurationUs));
    else if (state === 'reading') this.end(readStayedOpen(pace.timeoutUs));
    else if (this.#outbox.hasGate) this.end(noSlotFitted(pace.timeoutUs));
    else this.end(queueStayedFull(pace.timeoutUs));
  }

  #readDone(): void {
    const { batch } = this;
    const { read } = batch;
    // The cause of an abort follows with the interruption, or never.
    if (batch.state !== 'reading' || !read || read.outcome === 'aborted') return;
    if (read.outcome !== 'answered') {
      this.end(failedRead(read));
      return;
    }
    const nowUs = this.#clock.monotonicUs();
    this.#goOn(nowUs);
    if (!batch.isOver) this.#serve(nowUs);
  }
}
