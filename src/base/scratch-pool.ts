export const scratchBytes = 64 * 1024;

const maxIdle = 32;

export class Scratch {
  readonly bytes = Buffer.allocUnsafeSlow(scratchBytes);
  readonly view = new DataView(this.bytes.buffer);
}

/**
 * Scratch memory shared by all streams and pages of a thread. One buffer serves all fast
 * clients; a slow client holds its own until the write completes.
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
