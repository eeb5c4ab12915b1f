/** Maximum requests of an instance, queued and in flight. */
export const maxRequests = 64;
/** Maximum requests of one callback. */
export const maxItems = 16;

/** Counts the requests of an instance. */
export class RequestRoom {
  #used = 0;

  /** Requests that one callback can stage. */
  get free(): number {
    return Math.min(maxItems, maxRequests - this.#used);
  }

  take(): void {
    this.#used += 1;
  }

  give(count: number): void {
    this.#used -= count;
  }
}
