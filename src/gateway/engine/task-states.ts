import {
  instanceStateTable,
  messageStateTable,
  taskStateTable,
  timingSampleTable,
  timingTable,
} from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import {
  type TaskCounter,
  type TimingGroup,
  taskCounterNames,
  timingGroups,
  timingWindow,
} from '../values/task-counters.ts';
import { isLoss, type TaskError, taskErrorNumber, taskErrorOf } from '../values/task-error.ts';

/** Maximum of a measurement, about an hour. */
export const maxUs = 0xffff_ffff;

const lastOfWindow = timingWindow - 1;

/** Numbers instead of names, because names would be looked up for each frame. */
const numbersOf = <Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> =>
  Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;

export const counter = numbersOf<TaskCounter>(taskCounterNames);
export const timing = numbersOf<TimingGroup>(timingGroups);

type InstanceCounter =
  | 'rejectedRemote'
  | 'rejectedShort'
  | 'rejectedE2e'
  | 'pollCoalesced'
  | 'pollMissed';

export class TaskStates {
  readonly #counters: Float64Array;
  readonly #rows: number;
  readonly #lastLatenessUs: Float64Array;
  readonly #maxLatenessUs: Float64Array;
  readonly #errors: Uint8Array;
  readonly #errorUs: Float64Array;
  readonly #refusals: Uint8Array;
  readonly #timingCounts: Float64Array;
  readonly #timingMaxima: Float64Array;
  readonly #samples: Uint32Array;
  readonly #failedChecks: Uint8Array;
  readonly #instance: ReturnType<typeof instanceStateTable.open>;
  readonly #unixOffsetUs: number;

  constructor({ state }: ProjectImage, unixOffsetUs: number) {
    const tasks = taskStateTable.open(state.tasks);
    const timings = timingTable.open(state.timings);
    const [first] = taskCounterNames;
    const { buffer, byteOffset } = tasks[first];
    this.#rows = tasks.count;
    this.#counters = new Float64Array(buffer, byteOffset, tasks.count * taskCounterNames.length);
    this.#lastLatenessUs = tasks.lastLatenessUs;
    this.#maxLatenessUs = tasks.maxLatenessUs;
    this.#errors = tasks.error;
    this.#errorUs = tasks.errorUs;
    this.#refusals = tasks.refusal;
    this.#timingCounts = timings.count;
    this.#timingMaxima = timings.max;
    this.#samples = timingSampleTable.open(state.timingSamples).us;
    this.#failedChecks = messageStateTable.open(state.messages).failed;
    this.#instance = instanceStateTable.open(state.instance);
    this.#unixOffsetUs = unixOffsetUs;
  }

  columns() {
    return {
      rows: this.#rows,
      counters: this.#counters,
      counts: this.#timingCounts,
      maxima: this.#timingMaxima,
      samples: this.#samples,
    };
  }

  /** `which` is one of `counter`. */
  count(task: number, which: number, by: number): void {
    const counters = this.#counters;
    const sum = which * this.#rows;
    const own = sum + task + 1;
    counters[own] = (counters[own] as number) + by;
    counters[sum] = (counters[sum] as number) + by;
  }

  countTotal(which: number, by: number): void {
    const counters = this.#counters;
    const sum = which * this.#rows;
    counters[sum] = (counters[sum] as number) + by;
  }

  get inFlight(): number {
    return this.#total(counter.pending) - this.#total(counter.unconfirmed);
  }

  lateness(task: number, us: number): void {
    const whole = Math.floor(us);
    const maxima = this.#maxLatenessUs;
    this.#lastLatenessUs[task + 1] = whole;
    if (whole > (maxima[task + 1] as number)) maxima[task + 1] = whole;
  }

  setError(task: number, error: TaskError | null, atUs: number): void {
    const had = this.#errors[task + 1] !== 0;
    if (error === null && !had) return;
    const { failedTasks } = this.#instance;
    const change = (error === null ? 0 : 1) - (had ? 1 : 0);
    failedTasks[0] = (failedTasks[0] as number) + change;
    this.#errors[task + 1] = taskErrorNumber(error);
    this.#errorUs[task + 1] = Math.floor(atUs) + this.#unixOffsetUs;
  }

  refused(task: number, error: TaskError, atUs: number): void {
    this.setError(task, error, atUs);
    this.#refusals[task + 1] = taskErrorNumber(error);
  }

  /** Clears the error only if the endpoint's loss caused it. */
  clearLoss(task: number): void {
    if (isLoss(taskErrorOf(this.#errors[task + 1] as number))) this.setError(task, null, 0);
  }

  /** `group` is one of `timing`. */
  measure(task: number, group: number, us: number): void {
    const row = task * timingGroups.length + group;
    const counts = this.#timingCounts;
    const maxima = this.#timingMaxima;
    const whole = Math.floor(us);
    const before = counts[row] as number;
    // The window is a power of two, because a remainder of doubles is slow.
    this.#samples[row * timingWindow + (before & lastOfWindow)] = Math.min(whole, maxUs);
    counts[row] = before + 1;
    if (whole > (maxima[row] as number)) maxima[row] = whole;
  }

  #total(which: number): number {
    return this.#counters[which * this.#rows] as number;
  }

  setFailedCheck(message: number, isFailing: boolean): void {
    const flag = isFailing ? 1 : 0;
    const change = flag - (this.#failedChecks[message] as number);
    if (change === 0) return;
    const { failedChecks } = this.#instance;
    this.#failedChecks[message] = flag;
    failedChecks[0] = (failedChecks[0] as number) + change;
  }

  countInstance(what: InstanceCounter, by = 1): void {
    const column = this.#instance[what];
    column[0] = (column[0] as number) + by;
  }
}
