/** Beyond this the clocks have moved against each other; below it is only the way of the answer. */
const toleranceUs = 50_000;

/** What time it is for the service, between its answers and after it is gone. */
export class ServiceClock {
  #aheadUs: number | null = null;

  /** Takes what the service said at a local time. */
  take(serviceUs: number, localMs: number): void {
    const aheadUs = serviceUs - localMs * 1000;
    if (this.#aheadUs === null || Math.abs(aheadUs - this.#aheadUs) > toleranceUs) {
      this.#aheadUs = aheadUs;
    }
  }

  nowUs(localMs: number): number {
    return localMs * 1000 + (this.#aheadUs ?? 0);
  }
}
