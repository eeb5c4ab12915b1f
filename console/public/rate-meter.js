/** How often something happens in a second, measured over about a second. */
export class RateMeter {
  perSecond = 0;
  #count = 0;
  #at = performance.now();

  /** Takes how often it has happened so far. */
  measure(count, now) {
    const seconds = (now - this.#at) / 1000;
    if (seconds < 1) return;
    this.perSecond = Math.max(0, count - this.#count) / seconds;
    this.#count = count;
    this.#at = now;
  }

  /** The count begins anew. */
  reset() {
    this.#count = 0;
  }
}
