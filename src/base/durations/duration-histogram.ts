/**
 * Whole microseconds, rounded up. Quantiles are upper bounds, at most 1/32 above the true value.
 */
export interface DurationSummary {
  readonly count: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  readonly maxUs: number;
}

const subBucketBits = 5;
const subBuckets = 1 << subBucketBits;
const max = 0x7fff_ffff;

/**
 * One bucket per microsecond below 32. Above that, each power of two has 32 buckets, so the
 * relative error is constant.
 */
const bucketOf = (us: number): number => {
  if (us < subBuckets) return us;
  const shift = 31 - Math.clz32(us) - subBucketBits;
  return shift * subBuckets + (us >>> shift);
};

const upperBoundOf = (bucket: number): number => {
  if (bucket < subBuckets) return bucket + 1;
  const shift = (bucket >>> subBucketBits) - 1;
  return (bucket - shift * subBuckets + 1) * 2 ** shift;
};

/** Counts durations in fixed memory; recording allocates nothing. */
export class DurationHistogram {
  readonly #buckets = new Uint32Array(bucketOf(max) + 1);
  #count = 0;
  #maxUs = 0;

  get count(): number {
    return this.#count;
  }

  get maxUs(): number {
    return this.#maxUs;
  }

  /** Negative durations count as 0. */
  record(durationUs: number): void {
    const bucket = bucketOf(Math.min(max, Math.max(0, Math.floor(durationUs))));
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1;
    this.#count++;
    if (durationUs > this.#maxUs) this.#maxUs = Math.ceil(durationUs);
  }

  add(other: DurationHistogram): void {
    if (other.#count === 0) return;
    for (let bucket = 0; bucket < this.#buckets.length; bucket++) {
      this.#buckets[bucket] =
        (this.#buckets[bucket] as number) + (other.#buckets[bucket] as number);
    }
    this.#count += other.#count;
    if (other.#maxUs > this.#maxUs) this.#maxUs = other.#maxUs;
  }

  /** The duration that this share of the samples (0 to 1) does not exceed; 0 without samples. */
  quantileUs(share: number): number {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (let bucket = 0; bucket < this.#buckets.length; bucket++) {
      seen += this.#buckets[bucket] as number;
      // The last bucket also has all longer durations.
      if (seen >= rank && bucket < this.#buckets.length - 1) {
        return Math.min(upperBoundOf(bucket), this.#maxUs);
      }
    }
    return this.#maxUs;
  }

  summary(): DurationSummary {
    return {
      count: this.#count,
      p50Us: this.quantileUs(0.5),
      p99Us: this.quantileUs(0.99),
      p999Us: this.quantileUs(0.999),
      maxUs: this.#maxUs,
    };
  }

  reset(): void {
    this.#buckets.fill(0);
    this.#count = 0;
    this.#maxUs = 0;
  }
}
