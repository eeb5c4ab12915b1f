/** Receives the record of a frame, valid only during the call. */
export type FrameListener = (record: DataView, at: number) => void;

/**
 * Synchronous frame listeners on the bench thread. Calling them allocates nothing; an error of
 * one does not affect the others.
 */
export class FrameListeners {
  readonly #onDefect: (thrown: unknown) => void;
  /** Copy on write, so that a running loop is not disturbed. */
  #listeners: readonly FrameListener[] = [];

  constructor(onDefect: (thrown: unknown) => void) {
    this.#onDefect = onDefect;
  }

  /** Returns an unsubscribe function. */
  add(listener: FrameListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  report(record: DataView, at: number): void {
    const listeners = this.#listeners;
    for (let index = 0; index < listeners.length; index++) {
      try {
        listeners[index]?.(record, at);
      } catch (thrown) {
        this.#onDefect(thrown);
      }
    }
  }
}
