interface Entry<Told> {
  readonly listener: (reported: Told) => void;
  isListening: boolean;
}

/**
 * Event listeners. Calling them allocates nothing. They can be added and removed during a call.
 * An error in one listener does not affect the others.
 */
export class Listeners<Told = void> {
  readonly #onDefect: (thrown: unknown) => void;
  #entries: readonly Entry<Told>[] = [];

  constructor(onDefect: (thrown: unknown) => void) {
    this.#onDefect = onDefect;
  }

  /** Returns an unsubscribe function, effective immediately. */
  add(listener: (reported: Told) => void): () => void {
    const entry = { listener, isListening: true };
    this.#entries = [...this.#entries, entry];
    return () => {
      entry.isListening = false;
      this.#entries = this.#entries.filter((other) => other !== entry);
    };
  }

  report(reported: Told): void {
    const entries = this.#entries;
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index];
      if (!entry?.isListening) continue;
      try {
        entry.listener(reported);
      } catch (thrown) {
        this.#onDefect(thrown);
      }
    }
  }
}
