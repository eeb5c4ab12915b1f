// Percentiles of a task's latest 64 measurements, put together from many answers.

/**
 * What is known of many windows. Of the measurements of each, the ranks of three percentiles are told: those in
 * between are at least as large as the one below (`least`) and at most as large as the one above (`most`).
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

  /** Between which two numbers a percentile is. */
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
