import { isGood } from '../e2e/check-state.ts';
import type { FrameChecker } from '../e2e/protection.ts';
import type { RoundTime } from './round-time.ts';

/** The check of a received message, or of a PDU in it. */
export class InputCheck {
  /**
   * Frames arrive that cannot be believed: the check is not valid, or it rejects them and the last good one is too
   * old.
   */
  isFailing = false;
  /** The last frame, or the time that has passed, has changed what bindings are worth. */
  hasTurned = false;
  readonly #checker: FrameChecker;
  readonly #at: number;
  /** 0: values never grow old, and frames count as arriving for ever. */
  readonly #staleUs: number;
  readonly #time: RoundTime;
  #hasFailed = false;
  #hasPassed = false;
  /** When the latest frame came; NaN if none has come for too long. */
  #frameUs = Number.NaN;
  #isRejecting = false;
  /** When the latest good frame came. */
  #goodUs = Number.NaN;

  constructor(checker: FrameChecker, at: number, staleUs: number, time: RoundTime) {
    this.#checker = checker;
    this.#at = at;
    this.#staleUs = staleUs;
    this.#time = time;
  }

  /** What it covers can be believed. */
  get isValid(): boolean {
    return this.#checker.isValid;
  }

  /** Frames have come, and none of them was good. */
  get hasOnlyFailed(): boolean {
    return this.#hasFailed && !this.#hasPassed;
  }

  /** When time alone may change it; Infinity if it cannot. */
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

  /** No frames can arrive. */
  silence(): void {
    this.#frameUs = Number.NaN;
    this.isFailing = false;
  }

  /** Whether a frame is good. */
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
    this.#judge(observedUs);
    this.hasTurned =
      wasFailing !== this.isFailing || wasValid !== this.isValid || hadPassed !== this.#hasPassed;
    return isPassed;
  }

  /** Time has passed. */
  age(): void {
    const { nowUs } = this.#time;
    const wasFailing = this.isFailing;
    if (nowUs >= this.#frameUs + this.#staleUs) this.#frameUs = Number.NaN;
    this.#judge(nowUs);
    this.hasTurned = wasFailing !== this.isFailing;
  }

  #judge(nowUs: number): void {
    const isArriving = !Number.isNaN(this.#frameUs);
    const isOld = this.#staleUs > 0 && nowUs >= this.#goodUs + this.#staleUs;
    this.isFailing = isArriving && (!this.isValid || (this.#isRejecting && isOld));
  }
}
