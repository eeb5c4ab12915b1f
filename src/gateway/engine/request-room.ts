/** Requests that an instance may have queued and under way, all of its tasks together. */
export const mostRequests = 64;
/** Requests of one callback. */
export const mostItems = 16;

/** How many requests of an instance there are. */
export class RequestRoom {
  #used = 0;

  /** Requests that one callback can stage now. */
  get free(): number {
    return Math.min(mostItems, mostRequests - this.#used);
  }

  take(): void {
    this.#used += 1;
  }

  give(count: number): void {
    this.#used -= count;
  }
}
