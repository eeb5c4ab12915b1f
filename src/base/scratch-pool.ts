/** Enough for some hundred events, and a good size for one write. */
export const scratchBytes = 64 * 1024;

/** What is kept for later; the rest is left to the garbage collector. */
const maxIdle = 32;

/** Memory in which a part of what is sent is put together before it is written. */
export class Scratch {
  readonly bytes = Buffer.allocUnsafeSlow(scratchBytes);
  readonly view = new DataView(this.bytes.buffer);
}

/**
 * Scratch memory that all streams and pages of a thread share. Batches are put together one at a
 * time, so one area serves all clients that read fast enough; each of the others holds one until its
 * write is out.
 */
export class ScratchPool {
  readonly #idle: Scratch[] = [];

  take(): Scratch {
    return this.#idle.pop() ?? new Scratch();
  }

  giveBack(scratch: Scratch): void {
    if (this.#idle.length < maxIdle) this.#idle.push(scratch);
  }

  get idle(): number {
    return this.#idle.length;
  }
}
