import { Duplex } from 'node:stream';

/** A connection whose other side accepts writes immediately, or only when a test lets it. */
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

  /** The other side reads what waits for it, and continues reading. */
  release(): void {
    this.isStalled = false;
    const taken = this.#waiting;
    this.#waiting = undefined;
    taken?.();
  }

  #take(bytes: Buffer, callback: () => void): void {
    const copy = (): void => {
      // Copied as late as possible: a sender that uses the memory again before is found out.
      this.writes.push(Buffer.from(bytes));
      callback();
    };
    if (this.isStalled) this.#waiting = copy;
    else copy();
  }
}
