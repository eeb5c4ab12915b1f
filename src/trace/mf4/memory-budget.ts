interface Holder {
  readonly heldBytes: number;
  release(): void;
}

/** Many groups are read at a time; those read longest ago give up what they hold. */
const maxHeldBytes = 256 * 1024 * 1024;
const maxPieceBytes = 256 * 1024;
/** Less would decompress a block too often. */
const minUnzippedBytes = 64 * 1024;

export class MemoryBudget {
  readonly #holders = new Set<Holder>();
  readonly #limit: number;
  #held = 0;
  #shareBytes: number;

  constructor(limit = maxHeldBytes) {
    this.#limit = limit;
    this.#shareBytes = limit;
  }

  /** Bytes that a holder reads in one piece: with many holders fewer, so that none gives way. */
  get pieceBytes(): number {
    return Math.min(maxPieceBytes, this.#shareBytes);
  }

  /** Bytes of a decompressed block that a holder keeps; the block is decompressed again for more. */
  get unzippedBytes(): number {
    return Math.max(minUnzippedBytes, this.#shareBytes);
  }

  share(holders: number): void {
    this.#shareBytes = Math.floor(this.#limit / (2 * holders));
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
