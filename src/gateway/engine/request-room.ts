/** Maximum requests of an instance, queued and in flight. */
export const maxRequests = 64;
export const maxItems = 16;

export class RequestRoom {
  #used = 0;

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
