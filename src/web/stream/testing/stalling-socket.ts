import { Duplex } from 'node:stream';

/** A connection whose peer accepts writes immediately, or only when the test releases them. */
export class StallingSocket extends Duplex {
  readonly writes: Buffer[] = [];
  isStalled = false;
  #waiting: (() => void) | undefined;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    this.#take(chunk, callback);
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    callback: () => void,
  ): void {
    this.#take(Buffer.concat(chunks.map(({ chunk }) => chunk)), callback);
  }

  /** The peer reads the waiting data, and continues to read. */
  release(): void {
    this.isStalled = false;
    const taken = this.#waiting;
    this.#waiting = undefined;
    taken?.();
  }

  #take(bytes: Buffer, callback: () => void): void {
    const copy = (): void => {
      // Copied as late as possible, to detect a sender that reuses the memory too early.
      this.writes.push(Buffer.from(bytes));
      callback();
    };
    if (this.isStalled) this.#waiting = copy;
    else copy();
  }
}
