interface Holder {
  readonly heldBytes: number;
  release(): void;
}

/** Many groups are read at a time; those read longest ago give up what they hold. */
const maxHeldBytes = 256 * 1024 * 1024;
const maxPieceBytes = 256 * 1024;

export class MemoryBudget {
  readonly #holders = new Set<Holder>();
  readonly #limit: number;
  #held = 0;
  #pieceBytes = maxPieceBytes;

  constructor(limit = maxHeldBytes) {
    this.#limit = limit;
  }

  /** Bytes that a holder reads in one piece: with many holders fewer, so that none gives way. */
  get pieceBytes(): number {
    return this.#pieceBytes;
  }

  share(holders: number): void {
    this.#pieceBytes = Math.min(maxPieceBytes, Math.floor(this.#limit / (2 * holders)));
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
