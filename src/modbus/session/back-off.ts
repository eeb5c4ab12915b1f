const firstMs = 100;
const maxMs = 5000;

/** Delay before an unreachable endpoint is tried again. It grows with each failure. */
export class BackOff {
  #failures = 0;
  untilUs = Number.NEGATIVE_INFINITY;

  failed(nowUs: number): void {
    const delayMs = Math.min(maxMs, firstMs * 2 ** this.#failures);
    this.#failures += 1;
    this.untilUs = nowUs + delayMs * 1000;
  }

  succeeded(): void {
    this.#failures = 0;
    this.untilUs = Number.NEGATIVE_INFINITY;
  }
}
