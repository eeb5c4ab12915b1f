/** A unit that does not answer takes the link for this share of the time at the most: one twentieth. */
const longestInTimeouts = 20;
const longestUs = 30_000_000;
const growth = 4;

/**
 * How long polls leave a unit alone that does not answer, so that it takes little of the link from
 * the others: longer with each time, but not after a single miss of a unit that answered before.
 */
export class UnitBackOff {
  /** Requests in a row that it did not answer. */
  misses = 0;
  /** Polls should not ask it before this monotonic microsecond. */
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
