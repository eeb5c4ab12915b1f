import { isGood } from '../e2e/check-result.ts';
import type { FrameChecker } from '../e2e/frame-protection.ts';

/** The check of a received message, or of a PDU in it. */
export class InputCheck {
  readonly #checker: FrameChecker;
  readonly #at: number;
  #hasFailed = false;
  #hasPassed = false;
  #hasTurned = false;

  constructor(checker: FrameChecker, at: number) {
    this.#checker = checker;
    this.#at = at;
  }

  /** What it covers can be believed. */
  get isValid(): boolean {
    return this.#checker.isValid;
  }

  /** Frames have come, and none of them was good. */
  get hasOnlyFailed(): boolean {
    return this.#hasFailed && !this.#hasPassed;
  }

  /** The last frame, a good one, has changed what others are worth. */
  get hasTurned(): boolean {
    return this.#hasTurned;
  }

  reset(): void {
    this.#checker.reset();
    this.#hasFailed = false;
    this.#hasPassed = false;
  }

  /** Whether a frame is good. */
  accepts(bytes: Uint8Array, at: number): boolean {
    const wasValid = this.isValid;
    const result = this.#checker.check(bytes, at + this.#at);
    const isPassed = isGood(result);
    this.#hasTurned = isPassed && (!this.#hasPassed || wasValid !== this.isValid);
    if (isPassed) this.#hasPassed = true;
    else this.#hasFailed = true;
    return isPassed;
  }
}
