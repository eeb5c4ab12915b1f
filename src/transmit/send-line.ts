import type { Clock } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import type { Batch } from './batch.ts';
import { BatchQueue } from './batch-queue.ts';
import type { SendChannel } from './send-channel.ts';
import {
  abortedRead,
  failedRead,
  interruptedBy,
  queueStayedFull,
  ranTooLong,
  readStayedOpen,
  refusedBy,
} from './send-failures.ts';

export interface SendTime {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** Frames handed to a channel at a stretch, so that the thread is never held for long. */
export const framesPerTurn = 64;

/**
 * Everything that is being sent on one channel. Batches whose next frame is due stand in line; the
 * first hands over one frame and goes to the back, so that they interleave and a full queue serves
 * them in the order in which they came.
 */
export class SendLine {
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly #channel: SendChannel;
  readonly #timers = new Map<Batch, Task>();
  readonly #ready = new BatchQueue();
  readonly #turnTask: Task;
  #stopListening: (() => void) | undefined;
  #serving = false;
  /** The channel's queue is full: nobody tries before the next outcome. */
  #blocked = false;
  #outcomes = 0;

  constructor({ clock, scheduler }: SendTime, channel: SendChannel) {
    this.#clock = clock;
    this.#scheduler = scheduler;
    this.#channel = channel;
    this.#turnTask = scheduler.createTask('message send', (nowUs) => this.#turn(nowUs));
  }

  /** Begins with the batch: its first frame goes at once, unless others are waiting. */
  add(batch: Batch): void {
    const timer = this.#scheduler.createTask('message batch', (nowUs) => this.#wake(batch, nowUs));
    this.#timers.set(batch, timer);
    if (batch.read) batch.read.onDone = () => this.#readDone(batch);
    this.#ready.push(batch);
    // Before the first frame: what becomes of it may be told while it is handed over.
    this.#stopListening ??= this.#listen();
    this.#turn(this.#clock.monotonicUs());
  }

  /** Ends a batch early. What was accepted is on its way and stays there. */
  end(batch: Batch, error: BusbarError): void {
    if (batch.isOver) return;
    batch.fail(error);
    this.#forget(batch);
  }

  #turn(nowUs: number): undefined {
    // Sending can report outcomes, and whoever hears of them may send: the loop will see to it.
    if (this.#serving) return;
    this.#serving = true;
    this.#blocked = false;
    for (let left = framesPerTurn; left > 0 && !this.#blocked; left--) {
      const batch = this.#ready.first;
      if (!batch) break;
      this.#serve(batch, nowUs);
    }
    this.#serving = false;
    this.#rest(nowUs);
  }

  /** Sees to it that whatever has to come next will find us. */
  #rest(nowUs: number): void {
    if (!this.#ready.first) {
      this.#blocked = false;
      this.#turnTask.cancel();
    } else if (this.#blocked) {
      this.#watchDeadlines();
    } else {
      this.#turnTask.scheduleAt(nowUs);
    }
    if (this.#timers.size === 0) {
      this.#stopListening?.();
      this.#stopListening = undefined;
    } else {
      this.#stopListening ??= this.#listen();
    }
  }

  #listen(): () => void {
    const stopOutcomes = this.#channel.onOutcome(() => this.#outcome());
    const stopInterruptions = this.#channel.onInterrupted((why) => {
      for (const batch of [...this.#timers.keys()]) this.end(batch, interruptedBy(why));
    });
    return () => {
      stopOutcomes();
      stopInterruptions();
    };
  }

  #serve(batch: Batch, nowUs: number): void {
    try {
      this.#submit(batch, nowUs);
    } catch (thrown) {
      this.end(batch, BusbarError.from(thrown));
    }
  }

  #submit(batch: Batch, nowUs: number): void {
    if (nowUs >= batch.endUs) {
      this.#giveUp(batch, nowUs);
      return;
    }
    const outcomesBefore = this.#outcomes;
    const result = batch.submit();
    if (batch.isOver) return;
    if (result === 'full') {
      if (this.#outcomes !== outcomesBefore) return;
      if (nowUs >= batch.deadlineUs) this.#giveUp(batch, nowUs);
      else this.#blocked = true;
      return;
    }
    if (result !== 'accepted') {
      this.end(batch, refusedBy(result, batch.field));
      return;
    }
    this.#ready.remove(batch);
    if (batch.read) batch.state = 'reading';
    batch.accept(nowUs);
    // Whoever hears of the progress may end the batch.
    if (batch.isOver) return;
    if (batch.read) this.#timerOf(batch)?.scheduleAt(batch.deadlineUs);
    else this.#goOn(batch, nowUs);
  }

  /** Sees to the next frame of a batch, if there is one. */
  #goOn(batch: Batch, nowUs: number): void {
    if (batch.isComplete) {
      batch.finish();
      this.#forget(batch);
    } else if (batch.dueUs > nowUs) {
      batch.state = 'timed';
      this.#timerOf(batch)?.scheduleAt(batch.dueUs);
    } else {
      this.#lineUp(batch, nowUs);
    }
  }

  #lineUp(batch: Batch, nowUs: number): void {
    batch.state = 'ready';
    batch.sinceUs = nowUs;
    this.#ready.push(batch);
  }

  /** The timer of a batch: its next frame is due, or its present one may be late. */
  #wake(batch: Batch, nowUs: number): number | undefined {
    if (batch.state === 'timed') {
      this.#lineUp(batch, nowUs);
      return this.#turn(nowUs);
    }
    if (nowUs < batch.deadlineUs) return batch.deadlineUs;
    return this.#giveUp(batch, nowUs);
  }

  #giveUp(batch: Batch, nowUs: number): undefined {
    const { maxDurationUs, pace, read, state } = batch;
    if (state === 'reading' && read?.outcome === 'aborted') this.end(batch, abortedRead());
    else if (nowUs >= batch.endUs) this.end(batch, ranTooLong(maxDurationUs));
    else if (state === 'reading') this.end(batch, readStayedOpen(pace.timeoutUs));
    else this.end(batch, queueStayedFull(pace.timeoutUs));
  }

  #outcome(): void {
    this.#outcomes += 1;
    if (!this.#blocked || this.#serving) return;
    this.#blocked = false;
    // Outcomes come in bunches; one turn then uses all the room they made.
    this.#turnTask.scheduleAt(this.#clock.monotonicUs());
  }

  #readDone(batch: Batch): void {
    this.#outcome();
    const { read } = batch;
    // Who aborted it comes to light only with the interruption that follows, or never.
    if (batch.state !== 'reading' || !read || read.outcome === 'aborted') return;
    if (read.outcome !== 'answered') {
      this.end(batch, failedRead(read));
      return;
    }
    const nowUs = this.#clock.monotonicUs();
    this.#goOn(batch, nowUs);
    if (!this.#serving) this.#rest(nowUs);
  }

  /** A deadline only ever moves away, so a timer that is set can stay: it will look again. */
  #watchDeadlines(): void {
    for (let batch = this.#ready.first; batch; batch = batch.next) {
      const timer = this.#timerOf(batch);
      if (timer && timer.dueUs > batch.deadlineUs) timer.scheduleAt(batch.deadlineUs);
    }
  }

  #timerOf(batch: Batch): Task | undefined {
    return this.#timers.get(batch);
  }

  #forget(batch: Batch): void {
    this.#ready.remove(batch);
    this.#timerOf(batch)?.cancel();
    this.#timers.delete(batch);
    if (!this.#serving) this.#rest(this.#clock.monotonicUs());
  }
}
