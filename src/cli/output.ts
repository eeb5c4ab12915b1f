import { fstatSync, writeSync } from 'node:fs';
import { BusbarError } from '../base/errors/busbar-error.ts';

const codeOf = (thrown: unknown): unknown => (thrown as NodeJS.ErrnoException).code;

const outputFailed = (cause: unknown): BusbarError =>
  new BusbarError('output_failed', { details: { reason: codeOf(cause) }, cause });

/** Where a command writes to. */
export interface Output {
  readonly isTerminal: boolean;
  /** How wide the terminal is; undefined where it is none. Not cheap. */
  readonly columns: number | undefined;
  /** The reader has left, as `head` does: nothing that is written arrives any more. */
  readonly isAbandoned: boolean;
  /** Text, or its bytes in UTF-8. */
  write(text: string | Uint8Array): void;
}

/**
 * Standard output without Node's stream around it, which takes longer to set up than most commands
 * take to run. Writes wait for a slow reader, as every Unix program does.
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

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  write(text: string | Uint8Array): void {
    let rest = typeof text === 'string' ? Buffer.from(text) : text;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (thrown) {
        // The reader may stop early, as `head` does; a full pipe only takes a moment.
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
