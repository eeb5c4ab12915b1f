/** How much of the past a trend holds, at one point a second. */
export const trendSeconds = 120;
/** A pause up to this long is bridged; a longer one stays a hole. */
const bridgedSeconds = 6;

/** What a figure has been lately: one point a second, NaN where it was not read. */
export class Trend {
  #points: readonly number[] = [];
  #second = 0;

  /** The newest last. */
  get values(): readonly number[] {
    return this.#points;
  }

  take(value: number, atMs: number): void {
    const second = Math.floor(atMs / 1000);
    const pause = this.#points.length === 0 ? trendSeconds : second - this.#second;
    this.#second = second;
    if (pause >= trendSeconds) this.#points = [value];
    else if (pause <= 0) this.#points = [...this.#points.slice(0, -1), value];
    else {
      const between = pause <= bridgedSeconds ? (this.#points.at(-1) ?? Number.NaN) : Number.NaN;
      const filler = Array.from({ length: pause - 1 }, () => between);
      this.#points = [...this.#points, ...filler, value].slice(-trendSeconds);
    }
  }
}
