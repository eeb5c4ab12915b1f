/** Maximum requests of an instance, queued and in flight. */
export const mostRequests = 64;
/** Maximum requests of one callback. */
export const mostItems = 16;

/** Counts the requests of an instance. */
export class RequestRoom {
  #used = 0;

  /** Requests that one callback can stage. */
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
