import type { E2eSettings } from './codec-fields.ts';

/** Result of a check. Every result except `error` implies a correct checksum. */
export type CheckResult =
  | 'ok'
  /** Frames were lost before this one, but no more than allowed. */
  | 'ok_some_lost'
  /** The first frame: no earlier counter to compare with. */
  | 'initial'
  /** In order, but the receiver is still resynchronizing after an error. */
  | 'sync'
  | 'repeated'
  | 'wrong_sequence'
  /** Wrong checksum, data id or length, or a counter outside its range. */
  | 'error';

export const isGood = (result: CheckResult): boolean =>
  result === 'ok' || result === 'ok_some_lost' || result === 'initial';

export interface CheckState {
  readonly isValid: boolean;
  add(result: CheckResult): void;
  reset(): void;
}

/** The last good or failed frame decides. Repeated and wrong-sequence frames do not count. */
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

/** A window of frames decides: enough good frames, and not too many failed ones. */
export class WindowState implements CheckState {
  readonly #minOk: number;
  readonly #maxError: number;
  readonly #kinds: Uint8Array;
  #next = 0;
  #good = 0;
  #broken = 0;

  constructor({ size, min_ok, max_error }: NonNullable<E2eSettings['window']>) {
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
