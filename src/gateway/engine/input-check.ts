import { isGood } from '../../e2e/check-state.ts';
import type { FrameChecker } from '../../e2e/protection.ts';
import type { RoundTime } from './signal-states.ts';

export class InputCheck {
  /**
   * True if frames arrive but fail: the check is invalid, or it rejects them and the last good
   * frame is stale.
   */
  isFailing = false;
  /** True if the last frame or elapsed time changed the quality of bindings. */
  hasTurned = false;
  readonly #checker: FrameChecker;
  readonly #at: number;
  readonly #staleUs: number;
  readonly #time: RoundTime;
  #hasFailed = false;
  #hasPassed = false;
  #frameUs = Number.NaN;
  #isRejecting = false;
  #goodUs = Number.NaN;

  constructor(checker: FrameChecker, at: number, staleUs: number, time: RoundTime) {
    this.#checker = checker;
    this.#at = at;
    this.#staleUs = staleUs;
    this.#time = time;
  }

  get isValid(): boolean {
    return this.#checker.isValid;
  }

  get hasOnlyFailed(): boolean {
    return this.#hasFailed && !this.#hasPassed;
  }

  /** When elapsed time may change the result; Infinity for never. */
  get nextUs(): number {
    if (this.#staleUs === 0 || Number.isNaN(this.#frameUs)) return Number.POSITIVE_INFINITY;
    if (this.isFailing) return this.#frameUs + this.#staleUs;
    return this.#isRejecting ? this.#goodUs + this.#staleUs : Number.POSITIVE_INFINITY;
  }

  reset(): void {
    this.#checker.reset();
    this.#hasFailed = false;
    this.#hasPassed = false;
    this.#isRejecting = false;
    this.#goodUs = Number.NaN;
    this.silence();
  }

  silence(): void {
    this.#frameUs = Number.NaN;
    this.isFailing = false;
  }

  accepts(bytes: Uint8Array, at: number): boolean {
    const wasFailing = this.isFailing;
    const wasValid = this.isValid;
    const hadPassed = this.#hasPassed;
    const { observedUs } = this.#time;
    const isPassed = isGood(this.#checker.check(bytes, at + this.#at));
    this.#frameUs = observedUs;
    this.#isRejecting = !isPassed;
    if (isPassed) {
      this.#hasPassed = true;
      this.#goodUs = observedUs;
    } else this.#hasFailed = true;
    this.#setQuality(observedUs);
    this.hasTurned =
      wasFailing !== this.isFailing || wasValid !== this.isValid || hadPassed !== this.#hasPassed;
    return isPassed;
  }

  age(): void {
    const { nowUs } = this.#time;
    const wasFailing = this.isFailing;
    if (nowUs >= this.#frameUs + this.#staleUs) this.#frameUs = Number.NaN;
    this.#setQuality(nowUs);
    this.hasTurned = wasFailing !== this.isFailing;
  }

  #setQuality(nowUs: number): void {
    const isArriving = !Number.isNaN(this.#frameUs);
    const isOld = this.#staleUs > 0 && nowUs >= this.#goodUs + this.#staleUs;
    this.isFailing = isArriving && (!this.isValid || (this.#isRejecting && isOld));
  }
}
