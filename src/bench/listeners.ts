interface Entry<Told> {
  readonly listener: (told: Told) => void;
  isListening: boolean;
}

/**
 * Listeners that want to be told of something. Telling allocates nothing, and any may begin or stop
 * listening meanwhile. What one of them throws does not keep the others from being told.
 */
export class Listeners<Told = void> {
  readonly #onDefect: (thrown: unknown) => void;
  /** Replaced and never changed, so that a round of telling is not disturbed. */
  #entries: readonly Entry<Told>[] = [];

  constructor(onDefect: (thrown: unknown) => void) {
    this.#onDefect = onDefect;
  }

  /** Returns how to stop listening, which takes effect at once. */
  add(listener: (told: Told) => void): () => void {
    const entry = { listener, isListening: true };
    this.#entries = [...this.#entries, entry];
    return () => {
      entry.isListening = false;
      this.#entries = this.#entries.filter((other) => other !== entry);
    };
  }

  tell(told: Told): void {
    const entries = this.#entries;
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index];
      if (!entry?.isListening) continue;
      try {
        entry.listener(told);
      } catch (thrown) {
        this.#onDefect(thrown);
      }
    }
  }
}
