import type { E2eCodec } from '../project/tables/codecs.ts';

/** What became of a frame that was checked; all but `error` had the right checksum. */
export type CheckResult =
  | 'ok'
  /** Some frames are missing before it, no more than allowed. */
  | 'ok_some_lost'
  /** The first one: there is nothing to compare its counter with. */
  | 'initial'
  /** In order, but the receiver still resynchronises after something was wrong. */
  | 'sync'
  | 'repeated'
  | 'wrong_sequence'
  /** Checksum, data id, length or a counter that there is not. */
  | 'error';

/** Whether a frame with this result may be used. */
export const isGood = (result: CheckResult): boolean =>
  result === 'ok' || result === 'ok_some_lost' || result === 'initial';

/** Whether a sender can be trusted, by the results of its last frames. */
export interface CheckState {
  readonly isValid: boolean;
  add(result: CheckResult): void;
  reset(): void;
}

/** The last frame that was good or broken decides; repeated ones and those out of order do not. */
export class LastFrameState implements CheckState {
  #isValid = false;

  get isValid(): boolean {
    return this.#isValid;
  }

  add(result: CheckResult): void {
    if (isGood(result)) this.#isValid = true;
    else if (result === 'error') this.#isValid = false;
  }

  reset(): void {
    this.#isValid = false;
  }
}

const neither = 0;
const good = 1;
const broken = 2;

const kindOf = (result: CheckResult): number => {
  if (isGood(result)) return good;
  return result === 'error' ? broken : neither;
};

/** The last frames decide together: enough good ones, and not too many broken ones. */
export class WindowState implements CheckState {
  readonly #minOk: number;
  readonly #maxError: number;
  /** What the last frames were, in a ring; places that were never used count as neither. */
  readonly #kinds: Uint8Array;
  #next = 0;
  #good = 0;
  #broken = 0;

  constructor({ size, min_ok, max_error }: NonNullable<E2eCodec['window']>) {
    this.#minOk = min_ok;
    this.#maxError = max_error;
    this.#kinds = new Uint8Array(size);
  }

  get isValid(): boolean {
    return this.#good >= this.#minOk && this.#broken <= this.#maxError;
  }

  add(result: CheckResult): void {
    const kinds = this.#kinds;
    this.#count(kinds[this.#next] as number, -1);
    const kind = kindOf(result);
    kinds[this.#next] = kind;
    this.#count(kind, 1);
    this.#next = this.#next + 1 === kinds.length ? 0 : this.#next + 1;
  }

  reset(): void {
    this.#kinds.fill(neither);
    this.#next = 0;
    this.#good = 0;
    this.#broken = 0;
  }

  #count(kind: number, by: number): void {
    if (kind === good) this.#good += by;
    else if (kind === broken) this.#broken += by;
  }
}
