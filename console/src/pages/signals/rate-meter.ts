/** How often something happens in a second, measured over about a second. */
export class RateMeter {
  perSecond = 0;
  #count = 0;
  #atMs: number | null = null;

  /** Takes how often it has happened so far, at a time in milliseconds. */
  measure(count: number, nowMs: number): void {
    if (this.#atMs === null) {
      this.#atMs = nowMs;
      this.#count = count;
    }
    const seconds = (nowMs - this.#atMs) / 1000;
    if (seconds < 1) return;
    this.perSecond = Math.max(0, count - this.#count) / seconds;
    this.#count = count;
    this.#atMs = nowMs;
  }
}
