import type { Piece } from './shared-stream.ts';

interface GatheredPiecesOptions {
  readonly pass: (piece: Piece) => void;
  /** Runs later, unless the function returned is called before. */
  readonly later: (run: () => void) => () => void;
}

/**
 * Passes on the first piece immediately, and those that soon follow together: each wakes a page,
 * which draws them no more often.
 */
export class GatheredPieces {
  readonly #options: GatheredPiecesOptions;
  #waiting: Piece | null = null;
  #stopWaiting: (() => void) | null = null;

  constructor(options: GatheredPiecesOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#waiting === null;
  }

  put(piece: Piece): void {
    // The first event of a connection must be the first of its piece.
    if (piece.isFirst) this.flush();
    const { text = '', isFirst = piece.isFirst } = this.#waiting ?? {};
    this.#waiting = { ...piece, text: text + piece.text, isFirst };
    if (this.#stopWaiting) return;
    this.flush();
    this.#stopWaiting = this.#options.later(() => this.flush());
  }

  flush(): void {
    const piece = this.#waiting;
    this.stop();
    if (piece) this.#options.pass(piece);
  }

  /** Drops what waits. */
  stop(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    this.#waiting = null;
  }
}
