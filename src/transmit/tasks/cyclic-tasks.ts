import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Channel } from '../../bench/channel.ts';
import { framesPerTurn } from '../batch-send.ts';
import { CyclicTask, type CyclicTaskParts } from './cyclic-task.ts';
import type { TaskWork } from './task-work.ts';

/**
 * Cyclic tasks of one channel on the bench thread. Frames are sent in due order; ties in task
 * order.
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

  add(task: CyclicTask): void {
    if (this.#tasks.includes(task)) return;
    this.#tasks.push(task);
    this.#note();
    if (task.dueUs < this.#timer.dueUs) this.#timer.scheduleAt(task.dueUs);
  }

  remove(task: CyclicTask): void {
    const index = this.#tasks.indexOf(task);
    if (index < 0) return;
    this.#tasks.splice(index, 1);
    this.#note();
    if (this.#tasks.length === 0) this.#timer.cancel();
  }

  /** Call after a change of a task's due time or state. */
  update(task: CyclicTask): void {
    if (task.isPaused || task.isFinished) {
      this.remove(task);
      return;
    }
    this.add(task);
    this.#note();
    if (task.dueUs < this.#timer.dueUs) this.#timer.scheduleAt(task.dueUs);
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
      // The first frame can use `nowUs`, because reading the clock allocates.
      this.#handOver(task, place, left === framesPerTurn ? nowUs : this.#clock.monotonicUs());
    }
    return this.#dueUs[this.#first()] ?? Number.POSITIVE_INFINITY;
  }

  #handOver(task: CyclicTask, place: number, nowUs: number): void {
    task.handOver(nowUs);
    if (task.isFinished) this.remove(task);
    // Frame listeners can have ended tasks, including this one.
    else if (this.#tasks[place] === task) this.#dueUs[place] = task.dueUs;
    else this.#note();
  }

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

/**
 * All cyclic tasks of the bench thread. Those of one channel share a timer, so that frames are
 * sent in due order.
 */
export class CyclicTasks {
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly #byChannel = new WeakMap<Channel, ChannelTasks>();

  constructor(clock: Clock, scheduler: Scheduler) {
    this.#clock = clock;
    this.#scheduler = scheduler;
  }

  /** The first frame is due after `offsetUs`. */
  start(
    channel: Channel,
    parts: Omit<CyclicTaskParts, 'lane' | 'startUs'>,
    offsetUs = 0,
  ): TaskWork {
    const lane = channel.outbox.open({}, { isUrgent: true });
    const startUs = this.#clock.monotonicUs() + offsetUs;
    const task = new CyclicTask({ ...parts, lane, startUs });
    const tasks = this.#tasksOf(channel);
    tasks.add(task);
    return {
      get data() {
        return task.data;
      },
      get periodUs() {
        return task.periodUs;
      },
      progress: () => task.progress(),
      change: (change) => {
        task.change(change, this.#clock.monotonicUs());
        tasks.update(task);
      },
      stop: () => {
        tasks.remove(task);
        lane.close();
      },
    };
  }

  #tasksOf(channel: Channel): ChannelTasks {
    const known = this.#byChannel.get(channel);
    if (known) return known;
    const tasks = new ChannelTasks(this.#clock, this.#scheduler);
    this.#byChannel.set(channel, tasks);
    return tasks;
  }
}
