import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import { framesPerTurn } from '../batch-run.ts';
import type { CyclicTask } from './cyclic-task.ts';

/**
 * Cyclic tasks of one channel on the bench thread. Frames leave in due order; ties in the order
 * of their tasks.
 */
export class ChannelTasks {
  readonly #clock: Clock;
  readonly #timer: Task;
  readonly #tasks: CyclicTask[] = [];
  #dueUs = new Float64Array(0);

  constructor(clock: Clock, scheduler: Scheduler) {
    this.#clock = clock;
    this.#timer = scheduler.createTask('transmit task', (nowUs) => this.#run(nowUs));
  }

  /** Adds tasks together, so that their times are recorded once. */
  add(tasks: readonly CyclicTask[]): void {
    for (const task of tasks) this.#tasks.push(task);
    this.#note();
    const dueUs = this.#dueUs[this.#first()] ?? Number.POSITIVE_INFINITY;
    if (dueUs < this.#timer.dueUs) this.#timer.scheduleAt(dueUs);
  }

  remove(tasks: readonly CyclicTask[]): void {
    const removed = new Set(tasks);
    let kept = 0;
    for (const task of this.#tasks) if (!removed.has(task)) this.#tasks[kept++] = task;
    if (kept === this.#tasks.length) return;
    this.#tasks.length = kept;
    this.#note();
    if (this.#tasks.length === 0) this.#timer.cancel();
  }

  #note(): void {
    const tasks = this.#tasks;
    this.#dueUs = new Float64Array(tasks.length);
    for (let i = 0; i < tasks.length; i++) this.#dueUs[i] = (tasks[i] as CyclicTask).dueUs;
  }

  #run(nowUs: number): number {
    for (let left = framesPerTurn; left > 0; left--) {
      const place = this.#first();
      const task = this.#tasks[place];
      if (!task || (this.#dueUs[place] as number) > nowUs) break;
      // The first frame can use `nowUs`, since reading the clock allocates.
      this.#handOver(task, place, left === framesPerTurn ? nowUs : this.#clock.monotonicUs());
    }
    return this.#dueUs[this.#first()] ?? Number.POSITIVE_INFINITY;
  }

  #handOver(task: CyclicTask, place: number, nowUs: number): void {
    task.handOver(nowUs);
    if (task.isFinished) this.remove([task]);
    // Frame listeners may have ended tasks, this one too.
    else if (this.#tasks[place] === task) this.#dueUs[place] = task.dueUs;
    else this.#note();
  }

  /** Index of the task due first; -1 without tasks. */
  #first(): number {
    const dues = this.#dueUs;
    let first = -1;
    let firstUs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < dues.length; i++) {
      const dueUs = dues[i] as number;
      if (dueUs >= firstUs) continue;
      first = i;
      firstUs = dueUs;
    }
    return first;
  }
}
