interface Holder {
  readonly heldBytes: number;
  release(): void;
}

/** Many groups are read at a time; those read longest ago give up what they hold. */
const maxHeldBytes = 256 * 1024 * 1024;

export class MemoryBudget {
  readonly #holders = new Set<Holder>();
  readonly #limit: number;
  #held = 0;

  constructor(limit = maxHeldBytes) {
    this.#limit = limit;
  }

  /** Called before a holder grows, and with the bytes that it will hold. */
  take(holder: Holder, bytes: number): void {
    if (this.#holders.delete(holder)) this.#held -= holder.heldBytes;
    for (const other of this.#holders) {
      if (this.#held + bytes <= this.#limit) break;
      this.#held -= other.heldBytes;
      this.#holders.delete(other);
      other.release();
    }
    this.#held += bytes;
    this.#holders.add(holder);
  }
}
