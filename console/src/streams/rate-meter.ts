/** How far back a rate looks. */
const spanMs = 1000;

/** How fast a count grows. */
export class RateMeter {
  readonly #samples: { count: number; ms: number }[] = [];

  /** Takes the count as it is now and answers its growth a second, over about the last second. */
  measure(count: number, ms: number): number {
    const samples = this.#samples;
    // A count that was set back says nothing about its growth.
    if (count < (samples.at(-1)?.count ?? 0)) samples.length = 0;
    samples.push({ count, ms });
    while (samples.length > 2 && ms - (samples[1]?.ms ?? ms) >= spanMs) samples.shift();
    const [first] = samples;
    return first && ms > first.ms ? ((count - first.count) * 1000) / (ms - first.ms) : 0;
  }
}
