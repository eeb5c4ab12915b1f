import { StringPool } from '../memory/string-pool.ts';
import {
  type TaskCounter,
  type TimingGroup,
  taskCounterNames,
  timingGroups,
  timingWindow,
} from '../values/task-counters.ts';
import { type TaskError, taskErrorMessages, taskErrorOf } from '../values/task-error.ts';
import { StateReader } from './image-state.ts';
import {
  instanceStateTable,
  messageStateTable,
  messageTable,
  taskStateTable,
  timingSampleTable,
  timingTable,
} from './image-tables.ts';
import { maxFailedChecks } from './image-values.ts';
import type { ProjectImage } from './project-image.ts';

const nearestRank = (sorted: Uint32Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;

/** Summarizes a group. Percentiles cover the latest measurements only. */
const summaryOf = (count: number, max: number, latest: Uint32Array) => {
  const sorted = latest.slice(0, Math.min(count, timingWindow)).sort();
  return {
    count,
    max,
    window: sorted.length,
    p50: nearestRank(sorted, 0.5),
    p95: nearestRank(sorted, 0.95),
    p99: nearestRank(sorted, 0.99),
  };
};

const rowOfTotals = 0;

type Counters = Record<TaskCounter, number>;

export class TaskPage {
  readonly first: number;
  readonly count: number;
  readonly #tasks: ReturnType<typeof taskStateTable.open>;
  readonly #timings: ReturnType<typeof timingTable.open>;
  readonly #samples: ReturnType<typeof timingSampleTable.open>;
  readonly #instance: ReturnType<typeof instanceStateTable.open>;
  readonly #messages: ReturnType<typeof messageStateTable.open>;
  readonly #image: ProjectImage;

  constructor(image: ProjectImage, first: number, count: number) {
    this.first = first;
    this.count = count;
    const { state } = image;
    const tasks = taskStateTable.open(state.tasks);
    const timings = timingTable.open(state.timings);
    const samples = timingSampleTable.open(state.timingSamples);
    const instance = instanceStateTable.open(state.instance);
    const messages = messageStateTable.open(state.messages);
    const groups = timingGroups.length;
    this.#image = image;
    this.#messages = messageStateTable.create(messages.count).columns;
    this.#tasks = taskStateTable.create(count + 1).columns;
    this.#timings = timingTable.create(count * groups).columns;
    this.#samples = timingSampleTable.create(count * groups * timingWindow).columns;
    this.#instance = instanceStateTable.create(1).columns;
    new StateReader(image).read(() => {
      taskStateTable.copyRows(tasks, rowOfTotals, this.#tasks, rowOfTotals, 1);
      taskStateTable.copyRows(tasks, first + 1, this.#tasks, 1, count);
      timingTable.copyRows(timings, first * groups, this.#timings, 0, count * groups);
      const perTask = groups * timingWindow;
      timingSampleTable.copyRows(samples, first * perTask, this.#samples, 0, count * perTask);
      instanceStateTable.copyRows(instance, 0, this.#instance, 0, 1);
      messageStateTable.copyRows(messages, 0, this.#messages, 0, messages.count);
    });
  }

  get totals(): Counters {
    return this.#counters(rowOfTotals);
  }

  get failedTasks(): number {
    return this.#instance.failedTasks[0] ?? 0;
  }

  get failedChecks(): number {
    return this.#instance.failedChecks[0] ?? 0;
  }

  get failedCheckMessages(): string[] {
    const { failed } = this.#messages;
    const { id } = messageTable.open(this.#image.messages);
    const strings = new StringPool(this.#image.strings);
    const ids: string[] = [];
    for (let at = failed.indexOf(1); at >= 0; at = failed.indexOf(1, at + 1)) {
      if (ids.length === maxFailedChecks) break;
      ids.push(strings.at(id[at] ?? 0) ?? '');
    }
    return ids;
  }

  get rejectedFrames() {
    const { rejectedRemote, rejectedShort, rejectedE2e } = this.#instance;
    return {
      remote: rejectedRemote[0] ?? 0,
      short: rejectedShort[0] ?? 0,
      e2e: rejectedE2e[0] ?? 0,
    };
  }

  get polls() {
    const { pollCoalesced, pollMissed } = this.#instance;
    return { poll_coalesced: pollCoalesced[0] ?? 0, poll_missed: pollMissed[0] ?? 0 };
  }

  task(place: number) {
    const row = place + 1;
    return {
      error: this.#errorOf(row),
      ...this.#counters(row),
      last_lateness_us: this.#tasks.lastLatenessUs[row] ?? 0,
      max_lateness_us: this.#tasks.maxLatenessUs[row] ?? 0,
      ...this.#timingsOf(place),
    };
  }

  refusal(place: number): TaskError | null {
    return taskErrorOf(this.#tasks.refusal[place + 1] ?? 0);
  }

  #counters(row: number): Counters {
    const entries = taskCounterNames.map((name) => [name, this.#tasks[name][row] ?? 0]);
    return Object.fromEntries(entries) as Counters;
  }

  #errorOf(row: number) {
    const code = taskErrorOf(this.#tasks.error[row] ?? 0);
    if (code === null) return null;
    return { code, message: taskErrorMessages[code], timestamp_us: this.#tasks.errorUs[row] ?? 0 };
  }

  #timingsOf(place: number): Record<TimingGroup, ReturnType<typeof summaryOf>> {
    const entries = timingGroups.map((group, index) => {
      const row = place * timingGroups.length + index;
      const first = row * timingWindow;
      const latest = this.#samples.us.subarray(first, first + timingWindow);
      return [group, summaryOf(this.#timings.count[row] ?? 0, this.#timings.max[row] ?? 0, latest)];
    });
    return Object.fromEntries(entries) as Record<TimingGroup, ReturnType<typeof summaryOf>>;
  }
}
