import type { E2eCodec } from '../project/tables/codecs.ts';
import type { CheckResult } from './check-result.ts';
import { type CheckState, LastFrameState, WindowState } from './check-state.ts';
import { FrameChecksum } from './frame-checksum.ts';
import type { FrameChecker } from './frame-protection.ts';
import type { E2eLayout } from './layout.ts';
import { Profile1Sequence } from './profile1-sequence.ts';
import type { ConstantField } from './protection.ts';
import { CommonSequence, type Sequence } from './sequence.ts';
import { Uint64 } from './uint64.ts';

/** What of a codec says how strict a check is. */
export type CheckOptions = Pick<
  E2eCodec,
  'max_delta_counter' | 'max_no_new_or_repeated' | 'sync_counter_init' | 'window'
>;

const sequenceOf = (layout: E2eLayout, options: CheckOptions): Sequence => {
  const { max_delta_counter: mostSteps } = options;
  if (layout.sequence === 'common') return new CommonSequence(layout.counters, mostSteps);
  const largestCounter = Number(layout.largestCounter);
  return new Profile1Sequence({
    largestCounter,
    mostSteps,
    // More are not counted, so that without a limit none is ever too many.
    mostRepeated: options.max_no_new_or_repeated ?? largestCounter,
    framesToSync: options.sync_counter_init ?? 0,
  });
};

/** Checks the frames of one sender. */
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

  /** Whether what was received last can be trusted. */
  get isValid(): boolean {
    return this.#state.isValid;
  }

  /** Checks a frame that came; its bytes stay as they are. */
  check(bytes: Uint8Array, at: number): CheckResult {
    const result = this.#judge(bytes, at);
    this.#state.add(result);
    return result;
  }

  /** Begins anew: whatever comes first is the first frame. */
  reset(): void {
    this.#sequence.reset();
    this.#state.reset();
  }

  #judge(bytes: Uint8Array, at: number): CheckResult {
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
