/** Told of the record of a frame, which holds only until it returns. */
export type FrameListener = (record: DataView, at: number) => void;

/**
 * Listeners that want every frame at the moment it is reported, on the bench thread. Telling allocates
 * nothing, and what one of them throws does not keep the others from being told.
 */
export class FrameListeners {
  readonly #onDefect: (thrown: unknown) => void;
  /** Replaced and never changed, so that a round of telling is not disturbed. */
  #listeners: readonly FrameListener[] = [];

  constructor(onDefect: (thrown: unknown) => void) {
    this.#onDefect = onDefect;
  }

  /** Returns how to stop listening. */
  add(listener: FrameListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  tell(record: DataView, at: number): void {
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
