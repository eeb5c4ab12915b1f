interface Lateness {
  /** It will not answer any more after that. */
  untilUs: number;
  /** Requests that were given up and may still be answered. */
  requests: number;
  /** Probes that it has not answered. */
  probes: number;
}

/**
 * Units on a serial line that may still answer a request which was given up. Their frames do not tell
 * what they answer, so that it could be taken for the answer to another.
 */
export class LateUnits {
  readonly #units = new Map<number, Lateness>();

  /** A request to that unit was given up. */
  expect(unit: number, untilUs: number): void {
    const known = this.#units.get(unit);
    if (known === undefined) {
      this.#units.set(unit, { untilUs, requests: 1, probes: 0 });
      return;
    }
    known.untilUs = Math.max(known.untilUs, untilUs);
    known.requests += 1;
  }

  has(unit: number, nowUs: number): boolean {
    const known = this.#units.get(unit);
    if (known === undefined) return false;
    if (known.untilUs > nowUs) return true;
    this.#units.delete(unit);
    return false;
  }

  /** An answer of that unit came, though late. */
  heard(unit: number): void {
    const known = this.#units.get(unit);
    if (known === undefined) return;
    known.requests -= 1;
    if (known.requests <= 0) this.#units.delete(unit);
  }

  probed(unit: number): void {
    const known = this.#units.get(unit);
    if (known !== undefined) known.probes += 1;
  }

  /** A probe was refused, the oldest that had no answer. True if that was the only one. */
  refused(unit: number): boolean {
    const known = this.#units.get(unit);
    if (known === undefined) return true;
    known.probes -= 1;
    return known.probes === 0;
  }

  /** That unit has nothing left to say. */
  forget(unit: number): void {
    this.#units.delete(unit);
  }
}
