// Combines percentiles of a task's latest 64 measurements from many responses.

/**
 * Bounds from many windows. Each reports three percentiles: measurements in between are at
 * least the lower one (`least`) and at most the upper one (`most`).
 */
export class WindowSamples {
  #least = [];
  #most = [];

  add({ window, p50, p95, p99 }) {
    const known = [0.5, 0.95, 0.99].map((share) => Math.ceil(share * window));
    const values = [p50, p95, p99];
    for (let rank = 1; rank <= window; rank++) {
      const next = known.findIndex((place) => place >= rank);
      const above = values[next] ?? p99;
      this.#most.push(above);
      this.#least.push(known[next] === rank ? above : (values[next - 1] ?? 0));
    }
  }

  get count() {
    return this.#most.length;
  }

  /** Lower and upper bound of a percentile. */
  between(share) {
    return [quantile(this.#least, share), quantile(this.#most, share)];
  }

  get worst() {
    return quantile(this.#most, 1);
  }
}

export const quantile = (samples, share) => {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
};
