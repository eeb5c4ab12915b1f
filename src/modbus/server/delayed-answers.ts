interface DelayedAnswer {
  readonly bytes: Uint8Array;
  readonly dueUs: number;
}

/**
 * Responses of units with an injected delay, in request order. A slow unit processes one
 * request at a time: later ones wait, then take their own time.
 */
export class DelayedAnswers {
  readonly #answers: DelayedAnswer[] = [];
  heldBytes = 0;

  get isEmpty(): boolean {
    return this.#answers.length === 0;
  }

  get nextDueUs(): number {
    return this.#answers[0]?.dueUs ?? Number.POSITIVE_INFINITY;
  }

  add(bytes: Uint8Array, delayUs: number, nowUs: number): void {
    const lastDueUs = this.#answers.at(-1)?.dueUs ?? nowUs;
    this.#answers.push({ bytes, dueUs: Math.max(lastDueUs, nowUs) + delayUs });
    this.heldBytes += bytes.length;
  }

  take(nowUs: number): Uint8Array | undefined {
    if (nowUs < this.nextDueUs) return undefined;
    const { bytes } = this.#answers.shift() as DelayedAnswer;
    this.heldBytes -= bytes.length;
    return bytes;
  }
}
