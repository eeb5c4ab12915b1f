import type { CheckResult } from './check-result.ts';
import type { Sequence } from './sequence.ts';
import type { Uint64 } from './uint64.ts';

export interface Profile1Rules {
  readonly largestCounter: number;
  /** Most steps between two good counters, if no frame was lost or broken between them. */
  readonly mostSteps: number;
  /** Repeated frames in a row, beyond which the receiver resynchronises. */
  readonly mostRepeated: number;
  /** Frames in order that resynchronising takes. */
  readonly framesToSync: number;
}

/**
 * The rules of profiles 1 and 2. A frame is compared with the last one that was in order. Each
 * frame that comes widens the gap that is allowed by one step, and one in order closes it again.
 * After a wrong sequence or too many repeated frames the receiver resynchronises.
 *
 *     steps from the last counter     0          1    2 … allowed     more
 *     result                          repeated   ok   ok_some_lost    wrong_sequence
 *     while it resynchronises         repeated   sync sync            wrong_sequence
 */
export class Profile1Sequence implements Sequence {
  readonly #rules: Profile1Rules;
  #last = -1;
  #allowedSteps = 0;
  #repeated = 0;
  #syncFrames = 0;

  constructor(rules: Profile1Rules) {
    this.#rules = rules;
    this.reset();
  }

  accept({ low: counter }: Uint64): CheckResult {
    const { largestCounter, framesToSync } = this.#rules;
    this.#widen();
    if (this.#last < 0) {
      this.#follow(counter);
      return 'initial';
    }
    const difference = counter - this.#last;
    const steps = difference < 0 ? difference + largestCounter + 1 : difference;
    if (steps === 0) {
      this.#repeated = Math.min(this.#repeated + 1, largestCounter);
      return 'repeated';
    }
    if (steps > this.#allowedSteps) {
      this.#repeated = 0;
      this.#syncFrames = framesToSync;
      // Without resynchronising, the sender is still expected where it was.
      if (framesToSync > 0) this.#follow(counter);
      return 'wrong_sequence';
    }
    this.#follow(counter);
    return this.#judgeOrdered(steps);
  }

  #judgeOrdered(steps: number): CheckResult {
    const { mostRepeated, framesToSync } = this.#rules;
    const hadTooMany = this.#repeated > mostRepeated;
    this.#repeated = 0;
    if (hadTooMany) {
      this.#syncFrames = framesToSync;
      return 'sync';
    }
    if (this.#syncFrames > 0) {
      this.#syncFrames -= 1;
      return 'sync';
    }
    return steps === 1 ? 'ok' : 'ok_some_lost';
  }

  reject(): void {
    this.#widen();
  }

  reset(): void {
    this.#last = -1;
    this.#allowedSteps = this.#rules.mostSteps;
    this.#repeated = 0;
    this.#syncFrames = 0;
  }

  #widen(): void {
    this.#allowedSteps = Math.min(this.#allowedSteps + 1, this.#rules.largestCounter);
  }

  #follow(counter: number): void {
    this.#last = counter;
    this.#allowedSteps = this.#rules.mostSteps;
  }
}
