interface ClockLeadParts {
  readonly readUs: () => number;
  readonly referenceUs: () => number;
  /** Step of the clock, if it truncates. */
  readonly resolutionUs?: number;
}

/** Below this a better bracket is pointless, since Unix times are no more exact. */
const finestUs = 1;

/**
 * Offset of a clock from another one that runs at the same rate. Each reading between two
 * readings of the reference gives a bracket around the offset: wide if the thread was
 * interrupted, never wrong. The intersection of the brackets only gets narrower. A reading
 * outside it means that the clock was set.
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

  /** Maximum error of the lead, times two; Infinity before the first reading. */
  get bracketUs(): number {
    return this.#highUs - this.#lowUs;
  }

  /**
   * Takes at least one reading, and more while they may help; twice as many after the clock was
   * set.
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
    // Rounding error.
    if (this.#lowUs > this.#highUs) this.#lowUs = this.#highUs;
    return isSet;
  }
}
