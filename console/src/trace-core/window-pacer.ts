interface PacerClock {
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => void;
}

/**
 * Limits how often a table is updated: when something is new, but no faster than the eye can
 * follow. A slow table is not updated until it requests again, so updates never accumulate.
 */
export class WindowPacer<Question> {
  readonly #answer: (question: Question) => void;
  readonly #stepMs: (question: Question) => number;
  readonly #clock: PacerClock;
  #waiting: Question | null = null;
  #hasNews = true;
  #isScheduled = false;
  #notBefore = 0;

  constructor(
    answer: (question: Question) => void,
    stepMs: (question: Question) => number,
    clock: PacerClock,
  ) {
    this.#answer = answer;
    this.#stepMs = stepMs;
    this.#clock = clock;
  }

  get waiting(): Question | null {
    return this.#waiting;
  }

  /** Answers when something is new, or immediately; replaces a waiting question. */
  ask(question: Question, isImmediate: boolean): void {
    this.#waiting = question;
    if (isImmediate) this.#answerNow();
    else if (this.#hasNews) this.#schedule();
  }

  notify(): void {
    if (this.#hasNews) return;
    this.#hasNews = true;
    if (this.#waiting !== null) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.later(this.#due, Math.max(0, this.#notBefore - this.#clock.now()));
  }

  readonly #due = (): void => {
    this.#isScheduled = false;
    if (this.#waiting === null || !this.#hasNews) return;
    if (this.#clock.now() < this.#notBefore) this.#schedule();
    else this.#answerNow();
  };

  #answerNow(): void {
    const question = this.#waiting;
    if (question === null) return;
    this.#waiting = null;
    this.#hasNews = false;
    this.#notBefore = this.#next(this.#stepMs(question));
    this.#answer(question);
  }

  #next(stepMs: number): number {
    const now = this.#clock.now();
    return Math.min(now, Math.max(this.#notBefore, now - stepMs)) + stepMs;
  }
}
