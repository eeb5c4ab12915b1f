import { rowBytes } from '../../trace-core/frame-row.ts';
import type { WindowRequest } from '../../trace-core/trace-engine.ts';
import type { TraceRequest, WindowAnswer } from './trace-messages.ts';

type Post = (asked: TraceRequest, transfer?: Transferable[]) => void;
type Heard = (answer: WindowAnswer) => void;

/** Rows that the tallest window of a page may have. */
const mostRows = 256;

/**
 * How many windows can be under way, one of which is on the screen. What is given back waits behind
 * all frames that have come to the worker before it, so the next pictures must not depend on it.
 */
const windowsUnderWay = 6;

/**
 * The page's end of the line on which windows come from the worker. Each comes in a buffer that goes
 * back to the worker when it is no longer needed; while nobody wants windows, buffers stay here, and
 * so the worker sends none.
 */
export class WindowLine {
  readonly #post: Post;
  readonly #spare: ArrayBuffer[];
  #onAnswer: Heard | null = null;
  #questions = 0;

  constructor(post: Post) {
    this.#post = post;
    this.#spare = Array.from(
      { length: windowsUnderWay },
      () => new ArrayBuffer(mostRows * rowBytes),
    );
  }

  /**
   * Asks for rows in place of those that were asked for before: for the rows as they are, and then
   * for what becomes of them. Answers the number of the question; every answer must be given back.
   */
  ask(request: WindowRequest, onAnswer: Heard): number {
    this.#onAnswer = onAnswer;
    const number = ++this.#questions;
    this.#post({ type: 'window', number, request });
    // Behind the question, lest they be filled with what was asked for before.
    for (const buffer of this.#spare.splice(0)) this.#give(buffer);
    return number;
  }

  /** Wants no more, until somebody asks again. */
  leave(): void {
    this.#onAnswer = null;
  }

  heard(answer: WindowAnswer): void {
    if (this.#onAnswer) this.#onAnswer(answer);
    else this.#spare.push(answer.buffer);
  }

  giveBack({ buffer }: WindowAnswer): void {
    if (this.#onAnswer) this.#give(buffer);
    else this.#spare.push(buffer);
  }

  #give(buffer: ArrayBuffer): void {
    this.#post({ type: 'buffer', buffer }, [buffer]);
  }
}
