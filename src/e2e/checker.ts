import { type CheckResult, type CheckState, LastFrameState, WindowState } from './check-state.ts';
import type { E2eSettings } from './codec-fields.ts';
import { FrameChecksum } from './frame-checksum.ts';
import type { CounterRange, E2eLayout } from './layout.ts';
import type { ConstantField, FrameChecker } from './protection.ts';
import { Uint64 } from './uint64.ts';
export interface Sequence {
  accept(counter: Uint64): CheckResult;
  /** Called for a frame with a wrong checksum. */
  reject(): void;
  reset(): void;
}

/**
 * Rules of profiles 4 and later, and of free layouts: each frame is compared with the previous one.
 *
 *     steps from the last counter     0          1    2 … max         more
 *     result                          repeated   ok   ok_some_lost    wrong_sequence
 */
export class CommonSequence implements Sequence {
  readonly #counters: CounterRange;
  readonly #maxSteps: Uint64;
  readonly #last = new Uint64();
  readonly #steps = new Uint64();
  #hasLast = false;

  constructor(counters: CounterRange, maxSteps: number) {
    this.#counters = counters;
    this.#maxSteps = Uint64.of(maxSteps);
  }

  accept(counter: Uint64): CheckResult {
    const steps = this.#steps;
    this.#counters.distance(this.#last, counter, steps);
    this.#last.copy(counter);
    if (!this.#hasLast) {
      this.#hasLast = true;
      return 'initial';
    }
    if (this.#maxSteps.isBelow(steps)) return 'wrong_sequence';
    if (steps.high !== 0) return 'ok_some_lost';
    if (steps.low === 0) return 'repeated';
    return steps.low === 1 ? 'ok' : 'ok_some_lost';
  }

  reject(): void {}

  reset(): void {
    this.#hasLast = false;
  }
}

export interface Profile1Rules {
  readonly maxCounter: number;
  readonly maxSteps: number;
  /** Repeated frames in a row after which the receiver resynchronizes. */
  readonly maxRepeated: number;
  readonly framesToSync: number;
}

/**
 * Rules of profiles 1 and 2. A frame is compared with the last one that was in order. Each other
 * frame widens the allowed gap by one step; a frame in order resets it. After a wrong sequence or
 * too many repeated frames the receiver resynchronizes.
 *
 *     steps from the last counter     0          1    2 … allowed     more
 *     result                          repeated   ok   ok_some_lost    wrong_sequence
 *     while resynchronizing           repeated   sync sync            wrong_sequence
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
    const { maxCounter, framesToSync } = this.#rules;
    this.#widen();
    if (this.#last < 0) {
      this.#follow(counter);
      return 'initial';
    }
    const difference = counter - this.#last;
    const steps = difference < 0 ? difference + maxCounter + 1 : difference;
    if (steps === 0) {
      this.#repeated = Math.min(this.#repeated + 1, maxCounter);
      return 'repeated';
    }
    if (steps > this.#allowedSteps) {
      this.#repeated = 0;
      this.#syncFrames = framesToSync;
      // Without resynchronizing, the expected counter does not change.
      if (framesToSync > 0) this.#follow(counter);
      return 'wrong_sequence';
    }
    this.#follow(counter);
    return this.#judgeOrdered(steps);
  }

  #judgeOrdered(steps: number): CheckResult {
    const { maxRepeated, framesToSync } = this.#rules;
    const hadTooMany = this.#repeated > maxRepeated;
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
    this.#allowedSteps = this.#rules.maxSteps;
    this.#repeated = 0;
    this.#syncFrames = 0;
  }

  #widen(): void {
    this.#allowedSteps = Math.min(this.#allowedSteps + 1, this.#rules.maxCounter);
  }

  #follow(counter: number): void {
    this.#last = counter;
    this.#allowedSteps = this.#rules.maxSteps;
  }
}

export type CheckOptions = Pick<
  E2eSettings,
  'max_delta_counter' | 'max_no_new_or_repeated' | 'sync_counter_init' | 'window'
>;

const sequenceOf = (layout: E2eLayout, options: CheckOptions): Sequence => {
  const { max_delta_counter: maxSteps } = options;
  if (layout.sequence === 'common') return new CommonSequence(layout.counters, maxSteps);
  const maxCounter = Number(layout.maxCounter);
  return new Profile1Sequence({
    maxCounter,
    maxSteps,
    // Without a limit, no number of repetitions is too many.
    maxRepeated: options.max_no_new_or_repeated ?? maxCounter,
    framesToSync: options.sync_counter_init ?? 0,
  });
};

export class Checker implements FrameChecker {
  readonly #layout: E2eLayout;
  readonly #checksum: FrameChecksum;
  readonly #sequence: Sequence;
  readonly #state: CheckState;
  readonly #counter = new Uint64();
  readonly #value = new Uint64();

  constructor(layout: E2eLayout, options: CheckOptions) {
    this.#layout = layout;
    this.#checksum = new FrameChecksum(layout);
    this.#sequence = sequenceOf(layout, options);
    this.#state = options.window ? new WindowState(options.window) : new LastFrameState();
  }

  get isValid(): boolean {
    return this.#state.isValid;
  }

  check(bytes: Uint8Array, at: number): CheckResult {
    const result = this.#setQuality(bytes, at);
    this.#state.add(result);
    return result;
  }

  reset(): void {
    this.#sequence.reset();
    this.#state.reset();
  }

  #setQuality(bytes: Uint8Array, at: number): CheckResult {
    if (this.#isIntact(bytes, at)) return this.#sequence.accept(this.#counter);
    this.#sequence.reject();
    return 'error';
  }

  #isIntact(bytes: Uint8Array, at: number): boolean {
    const { counter, counters, checksum, constants } = this.#layout;
    const value = this.#value;
    for (let index = 0; index < constants.length; index += 1) {
      const constant = constants[index] as ConstantField;
      constant.field.read(bytes, at, value);
      if (!value.equals(constant.value)) return false;
    }
    checksum.read(bytes, at, value);
    if (!value.equals(this.#checksum.compute(bytes, at))) return false;
    counter.read(bytes, at, this.#counter);
    return counters.includes(this.#counter);
  }
}
