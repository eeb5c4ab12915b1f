/** Told of a frame that a channel received or sent. The bytes hold only until it returns. */
export type FrameListener = (
  id: number,
  flags: number,
  dlc: number,
  payload: Uint8Array,
  offset: number,
  length: number,
) => void;

/**
 * Those who want every frame at the moment it is reported, on the thread that hears of it. Telling
 * allocates nothing, and what one of them throws keeps nobody else from being told.
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

  tell(
    id: number,
    flags: number,
    dlc: number,
    payload: Uint8Array,
    offset: number,
    length: number,
  ): void {
    const listeners = this.#listeners;
    for (let index = 0; index < listeners.length; index++) {
      try {
        listeners[index]?.(id, flags, dlc, payload, offset, length);
      } catch (thrown) {
        this.#onDefect(thrown);
      }
    }
  }
}
