/**
 * Time from one answer to the next, which makes 50 pictures a second. Nobody sees more, and where
 * there is no time to spare the stream needs it for itself.
 */
export const stepMs = 20;

export interface PacerClock {
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => void;
}

/**
 * Decides when somebody who wants to see what is new is answered: as soon as there is something, but
 * not more often than the eye can use. The question stands until another takes its place; each answer
 * takes a buffer, and whoever is slow to give it back is not answered meanwhile.
 *
 * Nothing here waits for its turn behind frames that have come: under load there are many, and the
 * time for the next answer is noticed while one of them is taken.
 */
export class WindowPacer<Question> {
  readonly #answer: (question: Question, buffer: ArrayBuffer) => void;
  readonly #clock: PacerClock;
  readonly #buffers: ArrayBuffer[] = [];
  #question: Question | null = null;
  #isUrgent = false;
  #hasNews = false;
  #isScheduled = false;
  #notBefore = 0;

  constructor(answer: (question: Question, buffer: ArrayBuffer) => void, clock: PacerClock) {
    this.#answer = answer;
    this.#clock = clock;
  }

  /** Asks from now on, in place of what was asked before. The first answer needs no news. */
  ask(question: Question): void {
    this.#question = question;
    this.#isUrgent = true;
    this.#consider();
  }

  /** Gives memory for one answer. */
  give(buffer: ArrayBuffer): void {
    this.#buffers.push(buffer);
    this.#consider();
  }

  /** Something has changed. Called for every frame. */
  tell(): void {
    if (!this.#hasNews) {
      this.#hasNews = true;
      // Nothing was late as long as there was nothing to tell.
      this.#notBefore = Math.max(this.#notBefore, this.#clock.now());
    }
    this.#consider();
  }

  #consider(): void {
    if (this.#question === null || this.#buffers.length === 0) return;
    if (this.#isUrgent) this.#answerNow(this.#question);
    else if (!this.#hasNews) return;
    else if (this.#clock.now() >= this.#notBefore) this.#answerNow(this.#question);
    else this.#schedule();
  }

  /** Looks again when the time has come: there may be no further frame until then. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.later(
      () => {
        this.#isScheduled = false;
        this.#consider();
      },
      Math.max(0, this.#notBefore - this.#clock.now()),
    );
  }

  #answerNow(question: Question): void {
    const buffer = this.#buffers.pop();
    if (!buffer) return;
    this.#notBefore = this.#next();
    this.#isUrgent = false;
    this.#hasNews = false;
    this.#answer(question, buffer);
  }

  /** A step after this one was due, so that one that came late delays no other. */
  #next(): number {
    const now = this.#clock.now();
    const due = this.#isUrgent ? now : Math.max(this.#notBefore, now - stepMs);
    return due + stepMs;
  }
}
