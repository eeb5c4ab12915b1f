import type { Clock, Timer } from './clock.ts';

/** How far one clock is ahead of another, in microseconds. */
const measureLeadUs = (readUs: () => number, otherUs: () => number): number => {
  let leadUs = 0;
  let narrowest = Number.POSITIVE_INFINITY;
  // A thread that is interrupted between the readings would be off by that for good: of several
  // measurements the one that took the least time is the one that was not.
  for (let attempt = 0; attempt < 8; attempt++) {
    const before = otherUs();
    const reading = readUs();
    const after = otherUs();
    if (after - before >= narrowest) continue;
    narrowest = after - before;
    leadUs = reading - (before + after) / 2;
  }
  return leadUs;
};

/**
 * `performance.now` counts from the start of its own thread; `process.hrtime` is the machine's
 * monotonic clock in every thread. The difference is constant, so it is measured once here and the
 * hot path stays free of the array or BigInt that hrtime allocates.
 */
const measureOriginUs = (): number =>
  measureLeadUs(
    () => Number(process.hrtime.bigint()) / 1000,
    () => performance.now() * 1000,
  );

export class SystemClock implements Clock {
  readonly #originUs = measureOriginUs();
  readonly unixOffsetUs: number;

  /** Threads of one daemon pass on the first one's anchor, so that their stamps agree exactly. */
  constructor(unixOffsetUs?: number) {
    this.unixOffsetUs =
      unixOffsetUs ??
      measureLeadUs(
        () => Date.now() * 1000,
        () => this.monotonicUs(),
      );
  }

  monotonicUs(): number {
    return performance.now() * 1000 + this.#originUs;
  }

  unixUs(): number {
    return Math.floor(this.monotonicUs() + this.unixOffsetUs);
  }

  after(delayMs: number, callback: () => void): Timer {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  }
}
