import { rowBytes } from './frame-row.ts';
import type { WindowAnswer, WindowQuestion, WindowRequest } from './row-windows.ts';

const maxRows = 256;
/** One is shown, one is requested, and one can replace the request. */
const buffers = 3;

/** Requests windows of rows from the engine in a worker. */
export class WindowClient {
  readonly #post: (question: WindowQuestion, transfer: Transferable[]) => void;
  readonly #spare = Array.from({ length: buffers }, () => new ArrayBuffer(maxRows * rowBytes));
  #isAwaited = false;
  #questions = 0;
  #onAnswer: (answer: WindowAnswer) => void = () => {};

  constructor(post: (question: WindowQuestion, transfer: Transferable[]) => void) {
    this.#post = post;
  }

  /**
   * Requests rows; replaces a waiting request. Returns the number of the request. The buffer of
   * the answer must be returned with `free`.
   */
  ask(
    request: WindowRequest,
    isImmediate: boolean,
    onAnswer: (answer: WindowAnswer) => void,
  ): number {
    const buffer = this.#isAwaited ? null : (this.#spare.pop() ?? null);
    this.#isAwaited = true;
    this.#onAnswer = onAnswer;
    const number = ++this.#questions;
    this.#post({ type: 'window', number, request, isImmediate, buffer }, buffer ? [buffer] : []);
    return number;
  }

  receive(answer: WindowAnswer): void {
    this.#isAwaited = false;
    this.#onAnswer(answer);
  }

  free({ buffer }: WindowAnswer): void {
    this.#spare.push(buffer);
  }
}
