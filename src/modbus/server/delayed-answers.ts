interface DelayedAnswer {
  /** Whatever its owner sends it by. */
  readonly bytes: Uint8Array;
  readonly dueUs: number;
}

/**
 * Answers of units that are slow on purpose, in the order of their requests. A slow unit does one
 * thing after the other: what is asked meanwhile waits for it, and takes its own time after that.
 */
export class DelayedAnswers {
  readonly #answers: DelayedAnswer[] = [];
  heldBytes = 0;

  get isEmpty(): boolean {
    return this.#answers.length === 0;
  }

  /** When to take the next; infinite where there is none. */
  get nextDueUs(): number {
    return this.#answers[0]?.dueUs ?? Number.POSITIVE_INFINITY;
  }

  add(bytes: Uint8Array, delayUs: number, nowUs: number): void {
    const lastDueUs = this.#answers.at(-1)?.dueUs ?? nowUs;
    this.#answers.push({ bytes, dueUs: Math.max(lastDueUs, nowUs) + delayUs });
    this.heldBytes += bytes.length;
  }

  /** The next answer that is due, if one is. */
  take(nowUs: number): Uint8Array | undefined {
    if (nowUs < this.nextDueUs) return undefined;
    const { bytes } = this.#answers.shift() as DelayedAnswer;
    this.heldBytes -= bytes.length;
    return bytes;
  }
}
