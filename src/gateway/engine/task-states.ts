import {
  instanceStateTable,
  taskStateTable,
  timingSampleTable,
  timingTable,
} from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import {
  type TaskCounter,
  type TimingGroup,
  timingGroups,
  timingWindow,
} from '../values/task-counters.ts';
import { type TaskError, taskErrorNumber } from '../values/task-error.ts';

/** Longest time that a measurement can say, a bit more than an hour. */
const longestUs = 0xffff_ffff;

const totals = 0;

/** Counters and measurements of tasks, in the shared tables. */
export class TaskStates {
  readonly #tasks: ReturnType<typeof taskStateTable.open>;
  readonly #timings: ReturnType<typeof timingTable.open>;
  readonly #samples: ReturnType<typeof timingSampleTable.open>;
  readonly #instance: ReturnType<typeof instanceStateTable.open>;
  readonly #unixOffsetUs: number;

  constructor({ state }: ProjectImage, unixOffsetUs: number) {
    this.#tasks = taskStateTable.open(state.tasks);
    this.#timings = timingTable.open(state.timings);
    this.#samples = timingSampleTable.open(state.timingSamples);
    this.#instance = instanceStateTable.open(state.instance);
    this.#unixOffsetUs = unixOffsetUs;
  }

  count(task: number, counter: TaskCounter, by: number): void {
    const column = this.#tasks[counter] as Float64Array;
    column[task + 1] = (column[task + 1] as number) + by;
    column[totals] = (column[totals] as number) + by;
  }

  get(task: number, counter: TaskCounter): number {
    return (this.#tasks[counter] as Float64Array)[task + 1] as number;
  }

  lateness(task: number, us: number): void {
    const { lastLatenessUs, maxLatenessUs } = this.#tasks;
    const whole = Math.floor(us);
    lastLatenessUs[task + 1] = whole;
    if (whole > (maxLatenessUs[task + 1] as number)) maxLatenessUs[task + 1] = whole;
  }

  /** Null clears it. */
  setError(task: number, error: TaskError | null, atUs: number): void {
    const { error: errors, errorUs } = this.#tasks;
    const had = errors[task + 1] !== 0;
    const { failedTasks } = this.#instance;
    const change = (error === null ? 0 : 1) - (had ? 1 : 0);
    if (change !== 0) failedTasks[0] = (failedTasks[0] as number) + change;
    errors[task + 1] = taskErrorNumber(error);
    errorUs[task + 1] = Math.floor(atUs) + this.#unixOffsetUs;
  }

  measure(task: number, group: TimingGroup, us: number): void {
    const row = task * timingGroups.length + timingGroups.indexOf(group);
    const { count, max } = this.#timings;
    const whole = Math.floor(us);
    const before = count[row] as number;
    this.#samples.us[row * timingWindow + (before % timingWindow)] = Math.min(whole, longestUs);
    count[row] = before + 1;
    if (whole > (max[row] as number)) max[row] = whole;
  }

  reject(why: 'rejectedRemote' | 'rejectedShort' | 'rejectedE2e'): void {
    const column = this.#instance[why];
    column[0] = (column[0] as number) + 1;
  }
}
