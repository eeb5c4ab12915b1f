import { BusbarError } from '../errors/busbar-error.ts';

/**
 * Runs one piece of work per event loop iteration, in order. Sockets and timers are served in
 * between.
 */
export class YieldQueue {
  readonly #nextTurn: (work: () => void) => void;
  readonly #waiting: (() => void)[] = [];

  constructor(nextTurn: (work: () => void) => void = setImmediate) {
    this.#nextTurn = nextTurn;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  take(work: () => void): void {
    this.#waiting.push(work);
    if (this.#waiting.length === 1) this.#nextTurn(this.#run);
  }

  async next(signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => this.take(resolve));
    if (signal?.aborted) throw new BusbarError('operation_cancelled');
  }

  readonly #run = (): void => {
    const [work] = this.#waiting;
    try {
      // The entry stays queued while it runs, so work that it adds waits for the next
      // iteration.
      work?.();
    } finally {
      this.#waiting.shift();
      if (this.#waiting.length > 0) this.#nextTurn(this.#run);
    }
  };
}
