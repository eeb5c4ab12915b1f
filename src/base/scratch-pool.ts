/** Some hundred events, and a good size for one write. */
export const scratchBytes = 64 * 1024;

/** Kept for reuse; the rest is garbage collected. */
const maxIdle = 32;

export class Scratch {
  readonly bytes = Buffer.allocUnsafeSlow(scratchBytes);
  readonly view = new DataView(this.bytes.buffer);
}

/**
 * Scratch memory shared by all streams and pages of a thread. One area serves all clients that
 * read fast enough; each of the others holds one until its write is out.
 */
export class ScratchPool {
  readonly #idle: Scratch[] = [];

  take(): Scratch {
    return this.#idle.pop() ?? new Scratch();
  }

  free(scratch: Scratch): void {
    if (this.#idle.length < maxIdle) this.#idle.push(scratch);
  }

  get idle(): number {
    return this.#idle.length;
  }
}
