import type { Clock } from '../clock/clock.ts';
import { BusbarError } from '../errors/busbar-error.ts';
import { RingQueue } from '../ring-queue.ts';
import type { Alarm } from './alarm.ts';
import { DeadlineHeap } from './deadline-heap.ts';
import { DurationHistogram, type DurationSummary } from './duration-histogram.ts';
import { LatenessWindow } from './lateness-window.ts';

/**
 * What a task does when its time has come. It may return its next deadline, and Infinity for none;
 * returning nothing leaves the task as the run itself left it. Runs once in a pass however late it
 * is, so it should deal with everything up to `nowUs`.
 */
export type TaskRun = (nowUs: number, dueUs: number) => number | undefined;

/** A piece of work with at most one deadline at a time. */
export interface Task {
  readonly name: string;
  /** Infinity while the task is not scheduled. */
  readonly dueUs: number;
  /** Sets or moves the deadline, in monotonic microseconds. Infinity cancels. */
  scheduleAt(atUs: number): void;
  /**
   * Runs the task soon, in place of its deadline: after everything that is due, in turn with other
   * tasks that resume. For bulk work in slices, each of which ends early where `isDeadlineDue`.
   */
  resume(): void;
  cancel(): void;
}

export interface SchedulerOptions {
  readonly clock: Clock;
  readonly alarm: Alarm;
  /** Told what a task threw. The task is then unscheduled, unless it rescheduled itself first. */
  readonly onError: (error: unknown, task: Task) => void;
}

/** The least time between two passes of a task, which asks for a time already gone or resumes. */
const passGapUs = 1;

/**
 * Runs tasks at absolute deadlines. All timed work of a thread shares one, so that it needs only one
 * alarm. Once tasks exist, scheduling and running them creates no objects.
 */
export class Scheduler {
  /** How late tasks were when they started to run. */
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
  /** When the task that is running began to: read from here, it makes no garbage as an argument would. */
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

  /** Infinity when nothing is scheduled. */
  get nextDeadlineUs(): number {
    return this.#heap.firstDeadline;
  }

  /** Whether a task waits whose deadline has come: bulk work should then return. */
  get isDeadlineDue(): boolean {
    return this.#heap.firstDeadline <= this.#clock.monotonicUs();
  }

  /** How many tasks are to run, at a deadline or soon. */
  get scheduledTasks(): number {
    return this.#heap.size + this.#resumed.size;
  }

  /** The same of the last minute. */
  lastMinuteLateness(): DurationSummary {
    return this.#lastMinute.summary(this.#clock.monotonicUs());
  }

  /** A new task, unscheduled. The name is for error reports. One made during a pass runs in a later one. */
  createTask(name: string, run: TaskRun): Task {
    return new ScheduledTask(name, run, this.#owner, this.#pass);
  }

  /**
   * Runs what is due by now, in the order of the deadlines, then one task that resumes. The alarm does
   * this by itself. Each task runs at most once, so that none can keep the thread from its other work.
   */
  runDue(): void {
    if (this.#inPass) return;
    this.#inPass = true;
    this.#pass++;
    this.#passUs = this.#clock.monotonicUs();
    this.#nowUs = this.#passUs;
    try {
      let task = this.#takeDue();
      // Most passes have one task, for which the time is still right: a reading makes garbage.
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

  /** One only: deadlines, and the rest of the event loop, come before the next. */
  #runResumed(): void {
    const task = this.#resumed.shift() as ScheduledTask;
    // It was cancelled or got a deadline instead: leaving the queue then would cost every deadline that is set.
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
    const hadItsTurn = this.#inPass && task.lastPass === this.#pass;
    task.dueUs = atUs;
    this.#heap.put(task, hadItsTurn ? Math.max(atUs, this.#passUs + passGapUs) : atUs);
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
   * A deadline that moved away leaves the alarm alone: ringing for nothing now and then costs less
   * than arming on every move, which time-outs make with each frame.
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
  readonly run: TaskRun;
  dueUs = Number.POSITIVE_INFINITY;
  heapIndex = -1;
  isResumed = false;
  lastPass: number;
  readonly #owner: TaskOwner;

  constructor(name: string, run: TaskRun, owner: TaskOwner, lastPass: number) {
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
