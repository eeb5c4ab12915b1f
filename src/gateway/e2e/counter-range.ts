import { Uint64 } from './uint64.ts';

/** Largest number of counts that are added and divided as doubles without rounding. */
const mostExact = 2n ** 52n;

/** The counts of a counter, from 0 to the largest one, behind which it begins anew. */
export class CounterRange {
  readonly #largest: Uint64;
  readonly #counts: bigint;
  readonly #exactCounts: number | undefined;

  constructor(largest: bigint) {
    this.#largest = Uint64.of(largest);
    this.#counts = largest + 1n;
    this.#exactCounts = this.#counts <= mostExact ? Number(this.#counts) : undefined;
  }

  includes(count: Uint64): boolean {
    return !this.#largest.isBelow(count);
  }

  increment(count: Uint64): void {
    if (count.equals(this.#largest)) count.set(0, 0);
    else count.increment();
  }

  /** Steps that the counter takes from one count to another. */
  distance(from: Uint64, to: Uint64, steps: Uint64): void {
    steps.copy(to);
    if (to.isBelow(from)) {
      steps.add(this.#largest);
      steps.increment();
    }
    steps.subtract(from);
  }

  /** Moves a count forwards or backwards by any number of steps. */
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
