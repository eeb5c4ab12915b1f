import type { Clock } from '../clock/clock.ts';
import { DurationHistogram, type DurationSummary } from '../durations/duration-histogram.ts';
import { BusbarError } from '../errors/busbar-error.ts';
import { RingQueue } from '../ring-queue.ts';
import { DeadlineHeap } from './deadline-heap.ts';

export interface Alarm {
  /**
   * Called when an armed time is reached, never from inside `arm`. The alarm is then disarmed.
   * It can ring early if the system clock is slightly ahead or the time is out of its range.
   * The owner reads the clock and arms it again.
   */
  onRing: (() => void) | undefined;
  arm(atUs: number): void;
}

const sliceCount = 12;

const sliceUs = 5_000_000;

/**
 * Lateness statistics of the last minute, in slices of five seconds. Each slice has a histogram
 * that is reused a minute later, so recording allocates nothing. The oldest slice is dropped as
 * a whole, so the window covers 55 to 60 seconds.
 */
export class LatenessWindow {
  readonly #slices = Array.from({ length: sliceCount }, () => new DurationHistogram());
  readonly #sum = new DurationHistogram();
  #current = this.#slices[0] as DurationHistogram;
  #slice = 0;
  #sliceEndUs = Number.NEGATIVE_INFINITY;

  record(latenessUs: number, nowUs: number): void {
    if (nowUs >= this.#sliceEndUs) this.#moveTo(nowUs);
    this.#current.record(latenessUs);
  }

  summary(nowUs: number): DurationSummary {
    if (nowUs >= this.#sliceEndUs) this.#moveTo(nowUs);
    this.#sum.reset();
    for (const slice of this.#slices) this.#sum.add(slice);
    return this.#sum.summary();
  }

  #moveTo(nowUs: number): void {
    const slice = Math.floor(nowUs / sliceUs);
    const passed = Math.min(sliceCount, slice - this.#slice);
    for (let step = 0; step < passed; step++) this.#slices[(slice - step) % sliceCount]?.reset();
    this.#slice = slice;
    this.#sliceEndUs = (slice + 1) * sliceUs;
    this.#current = this.#slices[slice % sliceCount] as DurationHistogram;
  }
}

/**
 * Runs a task at its deadline. Returns the next deadline, Infinity for none, or undefined to
 * keep a deadline set during the call. A task runs once per pass regardless of its lateness, so
 * it should process everything up to `nowUs`.
 */
export type TaskCallback = (nowUs: number, dueUs: number) => number | undefined;

export interface Task {
  readonly name: string;
  readonly dueUs: number;
  scheduleAt(atUs: number): void;
  /**
   * Runs the task soon, after everything that is due, in turn with other resumed tasks. For
   * bulk work in slices, which should return early if `isDeadlineDue`.
   */
  resume(): void;
  cancel(): void;
}

export interface SchedulerOptions {
  readonly clock: Clock;
  readonly alarm: Alarm;
  /** Receives errors thrown by tasks. The task is unscheduled unless it rescheduled itself. */
  readonly onError: (error: unknown, task: Task) => void;
}

const passGapUs = 1;

/**
 * Runs tasks at absolute deadlines. All timed work of a thread shares one scheduler and one
 * alarm. Scheduling and running allocate nothing.
 */
export class Scheduler {
  readonly lateness = new DurationHistogram();
  readonly #lastMinute = new LatenessWindow();
  readonly #clock: Clock;
  readonly #alarm: Alarm;
  readonly #onError: SchedulerOptions['onError'];
  readonly #heap = new DeadlineHeap<ScheduledTask>();
  readonly #resumed = new RingQueue<ScheduledTask>();
  readonly #owner: TaskOwner;
  #armedUs = Number.POSITIVE_INFINITY;
  #pass = 0;
  #passUs = Number.NEGATIVE_INFINITY;
  /** Start time of the running task. A field, since passing a number allocates. */
  #nowUs = Number.NEGATIVE_INFINITY;
  #inPass = false;

  constructor({ clock, alarm, onError }: SchedulerOptions) {
    this.#clock = clock;
    this.#alarm = alarm;
    this.#onError = onError;
    this.#owner = {
      schedule: (task, atUs) => this.#schedule(task, atUs),
      resume: (task) => this.#resume(task),
      cancel: (task) => this.#cancel(task),
    };
    alarm.onRing = () => {
      this.#armedUs = Number.POSITIVE_INFINITY;
      this.runDue();
    };
  }

  get nextDeadlineUs(): number {
    return this.#heap.firstDeadline;
  }

  get isDeadlineDue(): boolean {
    return this.#heap.firstDeadline <= this.#clock.monotonicUs();
  }

  get scheduledTasks(): number {
    return this.#heap.size + this.#resumed.size;
  }

  lastMinuteLateness(): DurationSummary {
    return this.#lastMinute.summary(this.#clock.monotonicUs());
  }

  /**
   * Creates an unscheduled task. The name appears in error reports. A task created during a
   * pass runs in a later one.
   */
  createTask(name: string, run: TaskCallback): Task {
    return new ScheduledTask(name, run, this.#owner, this.#pass);
  }

  /**
   * Runs due tasks in order, then one resumed task. Each runs at most once per pass, so none
   * blocks the thread.
   */
  runDue(): void {
    if (this.#inPass) return;
    this.#inPass = true;
    this.#pass++;
    this.#passUs = this.#clock.monotonicUs();
    this.#nowUs = this.#passUs;
    try {
      let task = this.#takeDue();
      // Most passes run one task, which can use this time. Reading the clock allocates.
      if (task) this.#runDueTask(task);
      for (task = this.#takeDue(); task; task = this.#takeDue()) {
        this.#nowUs = this.#clock.monotonicUs();
        this.#runDueTask(task);
      }
      if (this.#resumed.size > 0) this.#runResumed();
    } finally {
      this.#inPass = false;
      this.#armNext();
    }
  }

  #takeDue(): ScheduledTask | undefined {
    if (this.#heap.firstDeadline > this.#passUs) return undefined;
    const task = this.#heap.first;
    if (task) this.#heap.remove(task);
    return task;
  }

  #runDueTask(task: ScheduledTask): void {
    const latenessUs = this.#nowUs - task.dueUs;
    this.lateness.record(latenessUs);
    this.#lastMinute.record(latenessUs, this.#nowUs);
    this.#run(task);
  }

  /** Only one per pass: deadlines and the event loop come first. */
  #runResumed(): void {
    const task = this.#resumed.shift() as ScheduledTask;
    // The task was cancelled or rescheduled. Removing it from the queue then would slow down
    // every deadline.
    if (!task.isResumed) return;
    if (task.lastPass === this.#pass) {
      this.#resumed.push(task);
      return;
    }
    task.isResumed = false;
    this.#nowUs = this.#clock.monotonicUs();
    this.#run(task);
  }

  #run(task: ScheduledTask): void {
    const { dueUs } = task;
    const nowUs = this.#nowUs;
    task.dueUs = Number.POSITIVE_INFINITY;
    task.lastPass = this.#pass;
    try {
      const nextUs = task.run(nowUs, dueUs);
      if (nextUs !== undefined) this.#schedule(task, nextUs);
    } catch (error) {
      this.#onError(error, task);
    }
  }

  #schedule(task: ScheduledTask, atUs: number): void {
    if (atUs === Number.POSITIVE_INFINITY) {
      this.#cancel(task);
      return;
    }
    if (!Number.isFinite(atUs)) {
      throw new BusbarError('internal_error', {
        message: 'A deadline is not a number',
        details: { task: task.name },
      });
    }
    task.isResumed = false;
    const wasServed = this.#inPass && task.lastPass === this.#pass;
    task.dueUs = atUs;
    this.#heap.put(task, wasServed ? Math.max(atUs, this.#passUs + passGapUs) : atUs);
    if (!this.#inPass) this.#armNext();
  }

  #resume(task: ScheduledTask): void {
    if (task.isResumed) return;
    this.#heap.remove(task);
    task.isResumed = true;
    task.dueUs = this.#clock.monotonicUs();
    this.#resumed.push(task);
    if (!this.#inPass) this.#armNext();
  }

  #cancel(task: ScheduledTask): void {
    task.isResumed = false;
    task.dueUs = Number.POSITIVE_INFINITY;
    this.#heap.remove(task);
  }

  /**
   * A deadline that moved later does not re-arm the alarm: a spurious ring costs less than
   * arming per frame.
   */
  #armNext(): void {
    const resumeUs = this.#resumed.size > 0 ? this.#passUs + passGapUs : Number.POSITIVE_INFINITY;
    const nextUs = Math.min(this.#heap.firstDeadline, resumeUs);
    if (nextUs >= this.#armedUs) return;
    this.#armedUs = nextUs;
    this.#alarm.arm(nextUs);
  }
}

interface TaskOwner {
  schedule(task: ScheduledTask, atUs: number): void;
  resume(task: ScheduledTask): void;
  cancel(task: ScheduledTask): void;
}

class ScheduledTask implements Task {
  readonly name: string;
  readonly run: TaskCallback;
  dueUs = Number.POSITIVE_INFINITY;
  heapIndex = -1;
  isResumed = false;
  lastPass: number;
  readonly #owner: TaskOwner;

  constructor(name: string, run: TaskCallback, owner: TaskOwner, lastPass: number) {
    this.name = name;
    this.run = run;
    this.#owner = owner;
    this.lastPass = lastPass;
  }

  scheduleAt(atUs: number): void {
    this.#owner.schedule(this, atUs);
  }

  resume(): void {
    this.#owner.resume(this);
  }

  cancel(): void {
    this.#owner.cancel(this);
  }
}
