/** A silent unit may use at most a twentieth of the link's time. */
const longestInTimeouts = 20;
const longestUs = 30_000_000;
const growth = 4;

/**
 * Delay before polls ask a silent unit again: longer with each miss, but none after the first
 * miss of a unit that answered.
 */
export class UnitBackOff {
  misses = 0;
  /** No poll before this monotonic time. */
  untilUs = Number.NEGATIVE_INFINITY;
  hasAnswered = false;

  answered(): void {
    this.hasAnswered = true;
    this.misses = 0;
    this.untilUs = Number.NEGATIVE_INFINITY;
  }

  missed(nowUs: number, timeoutUs: number): void {
    this.misses += 1;
    const steps = this.hasAnswered ? this.misses - 1 : this.misses;
    if (steps === 0) return;
    const factor = Math.min(longestInTimeouts, growth ** steps);
    this.untilUs = nowUs + Math.min(longestUs, factor * timeoutUs);
  }
}
