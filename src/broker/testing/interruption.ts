/** The atomic operations between which another thread may act. */
const operations = [
  'load',
  'store',
  'add',
  'and',
  'or',
  'exchange',
  'compareExchange',
  'notify',
] as const;

type Operation = (...args: unknown[]) => unknown;

/**
 * Runs another action before one step of a function, or before several consecutive steps, as if
 * another thread had run at that point. There is a step before and after every atomic operation,
 * since plain reads and writes are in between.
 */
export class Interruption {
  happened = false;
  readonly #from: number;
  readonly #to: number;
  readonly #act: () => void;
  #steps = 0;
  #isActing = false;

  constructor(step: number, act: () => void, times = 1) {
    this.#from = step;
    this.#to = step + times;
    this.#act = act;
  }

  during(run: () => void): void {
    const atomics = Atomics as unknown as Record<string, Operation>;
    const originals = operations.map((name) => [name, atomics[name] as Operation] as const);
    for (const [name, original] of originals) {
      atomics[name] = (...args) => {
        this.#step();
        const result = original(...args);
        this.#step();
        return result;
      };
    }
    try {
      run();
    } finally {
      for (const [name, original] of originals) atomics[name] = original;
    }
  }

  #step(): void {
    if (this.#isActing) return;
    const step = this.#steps++;
    if (step < this.#from || step >= this.#to) return;
    this.happened = true;
    this.#isActing = true;
    this.#act();
    this.#isActing = false;
  }
}
