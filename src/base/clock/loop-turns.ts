import { BusbarError } from '../errors/busbar-error.ts';

/**
 * Lets pieces of work run one in each turn of the event loop, in the order they came: sockets and
 * timers are served in between, however much work is waiting.
 */
export class LoopTurns {
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

  /** Resolves when it is the caller's turn; rejects if the caller has left by then. */
  async next(signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => this.take(resolve));
    if (signal?.aborted) throw new BusbarError('operation_cancelled');
  }

  readonly #run = (): void => {
    const [work] = this.#waiting;
    try {
      // It stays in line while it runs, so that what it adds waits for the next turn of the loop.
      work?.();
    } finally {
      this.#waiting.shift();
      if (this.#waiting.length > 0) this.#nextTurn(this.#run);
    }
  };
}
