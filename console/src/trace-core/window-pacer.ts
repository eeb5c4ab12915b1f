interface PacerClock {
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => void;
}

/**
 * Decides when a table that wants to show what is new is answered: as soon as there is something, but
 * not more often than the eye can use. One that is slow to ask again is not answered meanwhile, so
 * nothing piles up.
 */
export class WindowPacer<Question> {
  readonly #answer: (question: Question) => void;
  readonly #stepMs: (question: Question) => number;
  readonly #clock: PacerClock;
  #waiting: Question | null = null;
  #hasNews = true;
  #isScheduled = false;
  #notBefore = 0;

  /** `stepMs` is the time from the answer to a question to the next one. */
  constructor(
    answer: (question: Question) => void,
    stepMs: (question: Question) => number,
    clock: PacerClock,
  ) {
    this.#answer = answer;
    this.#stepMs = stepMs;
    this.#clock = clock;
  }

  /** What is being waited for. */
  get waiting(): Question | null {
    return this.#waiting;
  }

  /** Answers once there is news, or at once; in place of a question that still waits. */
  ask(question: Question, isAtOnce: boolean): void {
    this.#waiting = question;
    if (isAtOnce) this.#answerNow();
    else if (this.#hasNews) this.#schedule();
  }

  /** Something has changed. Called for every frame. */
  tell(): void {
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
    // A question that could not wait may have had the answer that this was about.
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
