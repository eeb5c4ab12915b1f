interface ClockLeadParts {
  readonly readUs: () => number;
  readonly referenceUs: () => number;
  /** Resolution of the clock, if it truncates. */
  readonly resolutionUs?: number;
}

/** A narrower bracket is useless because Unix times have no finer resolution. */
const finestUs = 1;

/**
 * Offset between two clocks that run at the same rate. Each reading between two readings of the
 * reference brackets the offset. An interrupted thread gives a wide bracket, never a wrong one. The
 * intersection of all brackets only narrows. A reading outside it means that the clock was set.
 */
export class ClockLead {
  #lowUs = Number.NEGATIVE_INFINITY;
  #highUs = Number.POSITIVE_INFINITY;
  readonly #readUs: () => number;
  readonly #referenceUs: () => number;
  readonly #resolutionUs: number;

  constructor({ readUs, referenceUs, resolutionUs = 0 }: ClockLeadParts) {
    this.#readUs = readUs;
    this.#referenceUs = referenceUs;
    this.#resolutionUs = resolutionUs;
  }

  get us(): number {
    return this.#lowUs + this.bracketUs / 2;
  }

  /** Twice the maximum error of the lead; Infinity before the first reading. */
  get bracketUs(): number {
    return this.#highUs - this.#lowUs;
  }

  /**
   * Reads at least once, and again while that narrows the bracket. After the clock was set, it
   * reads twice as often.
   */
  measure(readings: number): void {
    let left = readings;
    let wasSet = false;
    do {
      if (this.#read() && !wasSet) {
        wasSet = true;
        left += readings;
      }
      left -= 1;
    } while (left > 0 && this.bracketUs > finestUs);
  }

  #read(): boolean {
    const beforeUs = this.#referenceUs();
    const readingUs = this.#readUs();
    const afterUs = this.#referenceUs();
    const lowUs = readingUs - afterUs;
    const highUs = readingUs + this.#resolutionUs - beforeUs;
    const isSet = lowUs > this.#highUs + finestUs || highUs < this.#lowUs - finestUs;
    this.#lowUs = isSet ? lowUs : Math.max(lowUs, this.#lowUs);
    this.#highUs = isSet ? highUs : Math.min(highUs, this.#highUs);
    if (this.#lowUs > this.#highUs) this.#lowUs = this.#highUs;
    return isSet;
  }
}
