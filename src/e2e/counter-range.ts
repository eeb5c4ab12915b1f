import { Uint64 } from './uint64.ts';

/** Counters up to this limit are added and divided exactly as doubles. */
const maxExact = 2n ** 52n;

/** Values of a counter: 0 to the maximum, then 0 again. */
export class CounterRange {
  readonly #max: Uint64;
  readonly #counts: bigint;
  readonly #exactCounts: number | undefined;

  constructor(max: bigint) {
    this.#max = Uint64.of(max);
    this.#counts = max + 1n;
    this.#exactCounts = this.#counts <= maxExact ? Number(this.#counts) : undefined;
  }

  includes(count: Uint64): boolean {
    return !this.#max.isBelow(count);
  }

  increment(count: Uint64): void {
    if (count.equals(this.#max)) count.set(0, 0);
    else count.increment();
  }

  distance(from: Uint64, to: Uint64, steps: Uint64): void {
    steps.copy(to);
    if (to.isBelow(from)) {
      steps.add(this.#max);
      steps.increment();
    }
    steps.subtract(from);
  }

  move(count: Uint64, steps: number | bigint): void {
    const counts = this.#exactCounts;
    if (counts !== undefined && typeof steps === 'number' && this.includes(count)) {
      count.setValue((((count.toNumber() + (steps % counts)) % counts) + counts) % counts);
    } else {
      const moved = (count.toBigInt() + BigInt(steps)) % this.#counts;
      count.setValue(moved < 0n ? moved + this.#counts : moved);
    }
  }
}
