import { generateCounts, type TaskCounts } from './generated/generate-counts.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import type { RoundTime, SignalStates } from './signal-states.ts';
import type { SnapshotMember } from './task-snapshot.ts';
import { counter, type TaskStates, timing } from './task-states.ts';
export interface CountContext {
  readonly states: TaskStates;
  readonly signals: SignalStates;
  readonly time: RoundTime;
  readonly hot: HotParts;
}

export class FrameCounts implements TaskCounts, HotPart {
  readonly #task: number;
  readonly #bindings: readonly SnapshotMember[];
  readonly #states: TaskStates;
  readonly #signals: SignalStates;
  readonly #time: RoundTime;
  readonly #runs: RunCounter;
  #quickAccepted: (() => void) | null = null;
  #quickSent: (() => void) | null = null;

  constructor(
    task: number,
    bindings: readonly SnapshotMember[],
    { states, signals, time, hot }: CountContext,
  ) {
    this.#task = task;
    this.#bindings = bindings;
    this.#states = states;
    this.#signals = signals;
    this.#time = time;
    this.#runs = hot.counterOf(this);
  }

  generate(): void {
    // With multiplexing, the bindings differ from frame to frame.
    if (this.#bindings.some(({ selector }) => selector !== null)) return;
    const sources = this.#bindings.map(({ signal }) => signal);
    const quick = generateCounts(this.#task, sources, this.#states, this.#signals, this.#time);
    this.#quickAccepted = quick?.accepted ?? null;
    this.#quickSent = quick?.sent ?? null;
  }

  accepted(): void {
    const quick = this.#quickAccepted;
    if (quick === null) this.#accepted();
    else quick();
  }

  sent(): void {
    const quick = this.#quickSent;
    if (quick === null) this.#settled(counter.sent);
    else quick();
  }

  failed(): void {
    this.#settled(counter.failed);
  }

  #accepted(): void {
    this.#runs.count();
    const states = this.#states;
    const task = this.#task;
    const { acceptedUs, nowUs } = this.#time;
    states.count(task, counter.accepted, 1);
    states.count(task, counter.pending, 1);
    states.measure(task, timing.tick_to_submit_us, acceptedUs - nowUs);
    const earliestUs = this.#earliestUs();
    if (Number.isNaN(earliestUs)) return;
    states.measure(task, timing.source_age_at_submit_us, Math.max(0, acceptedUs - earliestUs));
  }

  #settled(outcome: number): void {
    const states = this.#states;
    const task = this.#task;
    const { settledUs, submittedUs } = this.#time;
    states.count(task, counter.pending, -1);
    states.count(task, outcome, 1);
    states.measure(task, timing.completion_wait_us, Math.max(0, settledUs - submittedUs));
  }

  #earliestUs(): number {
    const signals = this.#signals;
    const bindings = this.#bindings;
    let earliestUs = Number.NaN;
    for (let index = 0; index < bindings.length; index++) {
      const { isActive, signal } = bindings[index] as SnapshotMember;
      if (!isActive || !signals.isValid(signal)) continue;
      const observedUs = signals.observedUs[signal] as number;
      if (!Number.isNaN(observedUs) && !(observedUs >= earliestUs)) earliestUs = observedUs;
    }
    return earliestUs;
  }
}
