import { fstatSync, writeSync } from 'node:fs';
import { BusbarError } from '../base/errors/busbar-error.ts';

const codeOf = (thrown: unknown): unknown => (thrown as NodeJS.ErrnoException).code;

const outputFailed = (cause: unknown): BusbarError =>
  new BusbarError('output_failed', { details: { reason: codeOf(cause) }, cause });

export interface Output {
  readonly isTerminal: boolean;
  /** Terminals only. */
  readonly rows?: number | undefined;
  readonly columns: number | undefined;
  /** The reader has closed the pipe, as after `head`. */
  readonly isAbandoned: boolean;
  write(text: string | Uint8Array): void;
}

/**
 * Standard output without Node's stream, whose setup takes longer than most commands. Writes
 * block on a slow reader.
 */
export class DescriptorOutput implements Output {
  readonly #fd: number;
  #isAbandoned = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  get isTerminal(): boolean {
    try {
      return fstatSync(this.#fd).isCharacterDevice();
    } catch {
      return false;
    }
  }

  get columns(): number | undefined {
    const stream: { readonly columns?: number } = this.#fd === 2 ? process.stderr : process.stdout;
    return stream.columns;
  }

  get rows(): number | undefined {
    const stream: { readonly rows?: number } = this.#fd === 2 ? process.stderr : process.stdout;
    return stream.rows;
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  write(text: string | Uint8Array): void {
    let rest = typeof text === 'string' ? Buffer.from(text) : text;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (thrown) {
        // A reader can close the pipe early; a full pipe is transient.
        if (codeOf(thrown) === 'EPIPE') {
          this.#isAbandoned = true;
          return;
        }
        if (codeOf(thrown) !== 'EAGAIN') throw outputFailed(thrown);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }
}
