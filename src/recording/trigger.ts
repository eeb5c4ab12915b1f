import type { ConditionRun } from '../condition/condition-run.ts';
import type { TraceBatch } from '../trace/trace-batch.ts';

const nsPerMs = 1e6;

/** `start`: the recording begins; `again`: the trigger comes while it is recorded after it. */
export type TriggerChange = 'start' | 'again' | 'end';

export interface TriggerOptions {
  readonly run: ConditionRun;
  /** Index of each condition in the run, or null. */
  readonly start: number | null;
  readonly stop: number | null;
  readonly postMs: number;
  readonly once: boolean;
}

/**
 * When to record, from the conditions. Without a stop condition `ending` follows on the start,
 * or `running` without end if `post_ms` is 0. At one moment, start counts before stop.
 *
 *     armed ──start──▶ running ──stop──▶ ending ──post_ms──▶ armed, or over
 *                         ▲                │                 if once, or without a start
 *                         └─────start──────┘
 */
export class Trigger {
  /** The latest start, during a recording too. */
  firedAtNs = 0;
  endNs = Number.POSITIVE_INFINITY;
  /** End of the last recording. */
  endedAtNs = Number.NEGATIVE_INFINITY;
  readonly #run: ConditionRun;
  readonly #start: number | null;
  readonly #stop: number | null;
  readonly #postNs: number;
  readonly #once: boolean;
  #phase: 'armed' | 'running' | 'ending' | 'over';

  constructor({ run, start, stop, postMs, once }: TriggerOptions) {
    this.#run = run;
    this.#start = start;
    this.#stop = stop;
    this.#postNs = postMs * nsPerMs;
    this.#once = once || start === null;
    this.#phase = start === null ? 'running' : 'armed';
  }

  get isRecording(): boolean {
    return this.#phase === 'running' || this.#phase === 'ending';
  }

  get isOver(): boolean {
    return this.#phase === 'over';
  }

  /** Lets time pass without events. Stops at the first change: call it until there is none. */
  advance(untilNs: number): TriggerChange | null {
    if (this.isOver) return null;
    for (;;) {
      if (this.#run.advance(Math.min(untilNs, this.endNs))) {
        const change = this.#fired();
        if (change !== null) return change;
      } else if (this.endNs < untilNs) {
        return this.#end();
      } else {
        return null;
      }
    }
  }

  /** Takes an event, up to whose time `advance` was called. */
  row(batch: TraceBatch, row: number): TriggerChange | null {
    return this.#run.row(batch, row) ? this.#fired() : null;
  }

  /** Events are missing: what held before can have changed. */
  gap(): void {
    this.#run.gap();
  }

  #fired(): TriggerChange | null {
    const isStart = this.#start !== null && this.#run.fired(this.#start);
    const change = isStart ? this.#started(this.#run.firedAtNs(this.#start as number)) : null;
    const isStop = this.#stop !== null && this.#run.fired(this.#stop);
    if (isStop && this.#phase === 'running') {
      this.#endAfter(this.#run.firedAtNs(this.#stop as number));
    }
    return change;
  }

  #started(atNs: number): TriggerChange | null {
    const before = this.#phase;
    if (before === 'running' || before === 'over') return null;
    this.firedAtNs = atNs;
    this.#phase = 'running';
    this.endNs = Number.POSITIVE_INFINITY;
    if (this.#stop === null && this.#postNs > 0) this.#endAfter(atNs);
    if (before === 'ending') return 'again';
    return 'start';
  }

  #endAfter(atNs: number): void {
    this.#phase = 'ending';
    this.endNs = atNs + this.#postNs;
  }

  #end(): TriggerChange {
    this.#phase = this.#once ? 'over' : 'armed';
    this.endedAtNs = this.endNs;
    this.endNs = Number.POSITIVE_INFINITY;
    return 'end';
  }
}
