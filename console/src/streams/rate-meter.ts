const spanMs = 1000;

export class RateMeter {
  readonly #samples: { count: number; ms: number }[] = [];

  measure(count: number, ms: number): number {
    const samples = this.#samples;
    // A counter that was reset has no rate.
    if (count < (samples.at(-1)?.count ?? 0)) samples.length = 0;
    samples.push({ count, ms });
    while (samples.length > 2 && ms - (samples[1]?.ms ?? ms) >= spanMs) samples.shift();
    const [first] = samples;
    return first && ms > first.ms ? ((count - first.count) * 1000) / (ms - first.ms) : 0;
  }
}
