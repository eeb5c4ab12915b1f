import { DurationHistogram, type DurationSummary } from './duration-histogram.ts';

const sliceCount = 12;
const sliceUs = 5_000_000;

/**
 * How late things ran in the last minute. The minute is made of slices of five seconds, each with a
 * histogram that is used again a minute later: recording allocates nothing. The oldest slice leaves
 * as a whole, so that what is counted is between 55 and 60 seconds old at most.
 */
export class LatenessWindow {
  readonly #slices = Array.from({ length: sliceCount }, () => new DurationHistogram());
  readonly #sum = new DurationHistogram();
  #current = this.#slices[0] as DurationHistogram;
  #slice = 0;
  #sliceEndUs = Number.NEGATIVE_INFINITY;

  record(latenessUs: number, nowUs: number): void {
    if (nowUs >= this.#sliceEndUs) this.#moveTo(nowUs);
    this.#current.record(latenessUs);
  }

  summary(nowUs: number): DurationSummary {
    if (nowUs >= this.#sliceEndUs) this.#moveTo(nowUs);
    this.#sum.reset();
    for (const slice of this.#slices) this.#sum.add(slice);
    return this.#sum.summary();
  }

  /** Moves to the slice of this time and clears those it passes. */
  #moveTo(nowUs: number): void {
    const slice = Math.floor(nowUs / sliceUs);
    const passed = Math.min(sliceCount, slice - this.#slice);
    for (let step = 0; step < passed; step++) this.#slices[(slice - step) % sliceCount]?.reset();
    this.#slice = slice;
    this.#sliceEndUs = (slice + 1) * sliceUs;
    this.#current = this.#slices[slice % sliceCount] as DurationHistogram;
  }
}
