const firstMs = 100;
const longestMs = 5000;

/** How long to leave an endpoint alone that could not be reached: longer with each failure. */
export class BackOff {
  #failures = 0;
  /** Nothing should be tried before this monotonic microsecond. */
  untilUs = Number.NEGATIVE_INFINITY;

  failed(nowUs: number): void {
    const delayMs = Math.min(longestMs, firstMs * 2 ** this.#failures);
    this.#failures += 1;
    this.untilUs = nowUs + delayMs * 1000;
  }

  succeeded(): void {
    this.#failures = 0;
    this.untilUs = Number.NEGATIVE_INFINITY;
  }
}
