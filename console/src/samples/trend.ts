export const trendPoints = 60;
/**
 * Faster samples share a point with their range: 60 single samples would cover half a second,
 * and skipping some would hide peaks.
 */
const pointUs = 250_000;
export const pointMs = pointUs / 1000;

interface TrendPoint {
  readonly low: number;
  readonly high: number;
}

export class Trend {
  readonly #lows = new Float64Array(trendPoints);
  readonly #highs = new Float64Array(trendPoints);
  #begun = 0;
  #taken = 0;
  #pointAt = Number.NEGATIVE_INFINITY;

  get length(): number {
    return Math.min(this.#begun, trendPoints);
  }

  /** Number of values so far. */
  get taken(): number {
    return this.#taken;
  }

  take(value: number, us: number): void {
    if (!Number.isFinite(value)) return;
    this.#taken += 1;
    const isSamePoint = us >= this.#pointAt && us - this.#pointAt < pointUs;
    if (!isSamePoint) {
      this.#pointAt = us;
      this.#begun += 1;
    }
    const at = (this.#begun - 1) % trendPoints;
    this.#lows[at] = isSamePoint ? Math.min(this.#lows[at] ?? value, value) : value;
    this.#highs[at] = isSamePoint ? Math.max(this.#highs[at] ?? value, value) : value;
  }

  pointAt(index: number): TrendPoint {
    const at = (this.#begun - this.length + index) % trendPoints;
    return { low: this.#lows[at] ?? 0, high: this.#highs[at] ?? 0 };
  }
}
