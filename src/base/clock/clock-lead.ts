interface ClockLeadParts {
  readonly readUs: () => number;
  /** The clock that the other is compared with. */
  readonly referenceUs: () => number;
  /** The length of its steps, for a clock that cuts off what is less. */
  readonly resolutionUs?: number;
}

/** Narrower brackets than this are not worth a reading, and Unix times are not more exact. */
const finestUs = 1;

/**
 * How far a clock is ahead of another that counts as fast. Each reading between two of the reference is
 * a bracket around the lead, wide where the thread was interrupted, but never wrong. So the lead is in
 * all of them: the bracket only gets narrower. One beside it shows that the clock was set.
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

  /** The lead is off by half of this at most; Infinity before the first reading. */
  get bracketUs(): number {
    return this.#highUs - this.#lowUs;
  }

  /** Takes at least one reading, and more while they may help; twice as many where the clock was set. */
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

  /** Whether the clock was set since the last reading. */
  #read(): boolean {
    const beforeUs = this.#referenceUs();
    const readingUs = this.#readUs();
    const afterUs = this.#referenceUs();
    const lowUs = readingUs - afterUs;
    const highUs = readingUs + this.#resolutionUs - beforeUs;
    const isSet = lowUs > this.#highUs + finestUs || highUs < this.#lowUs - finestUs;
    this.#lowUs = isSet ? lowUs : Math.max(lowUs, this.#lowUs);
    this.#highUs = isSet ? highUs : Math.min(highUs, this.#highUs);
    // Rounded the wrong way.
    if (this.#lowUs > this.#highUs) this.#lowUs = this.#highUs;
    return isSet;
  }
}
