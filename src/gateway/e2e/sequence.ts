import type { CheckResult } from './check-result.ts';
import type { CounterRange } from './counter-range.ts';
import { Uint64 } from './uint64.ts';

/** Judges the order in which frames come, by their counters. */
export interface Sequence {
  /** A frame with the right checksum came. */
  accept(counter: Uint64): CheckResult;
  /** A frame came that tells nothing. */
  reject(): void;
  reset(): void;
}

/**
 * The rules of profiles 4 and later, and of free layouts: each frame is compared with the one
 * before it.
 *
 *     steps from the last counter     0          1    2 … most        more
 *     result                          repeated   ok   ok_some_lost    wrong_sequence
 */
export class CommonSequence implements Sequence {
  readonly #counters: CounterRange;
  readonly #mostSteps: Uint64;
  readonly #last = new Uint64();
  readonly #steps = new Uint64();
  #hasLast = false;

  constructor(counters: CounterRange, mostSteps: number) {
    this.#counters = counters;
    this.#mostSteps = Uint64.of(mostSteps);
  }

  accept(counter: Uint64): CheckResult {
    const steps = this.#steps;
    this.#counters.distance(this.#last, counter, steps);
    this.#last.copy(counter);
    if (!this.#hasLast) {
      this.#hasLast = true;
      return 'initial';
    }
    if (this.#mostSteps.isBelow(steps)) return 'wrong_sequence';
    if (steps.high !== 0) return 'ok_some_lost';
    if (steps.low === 0) return 'repeated';
    return steps.low === 1 ? 'ok' : 'ok_some_lost';
  }

  reject(): void {
    // A broken frame says nothing about the counters of others.
  }

  reset(): void {
    this.#hasLast = false;
  }
}
