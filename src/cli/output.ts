import { fstatSync, writeSync } from 'node:fs';
import { BusbarError } from '../base/errors/busbar-error.ts';

const codeOf = (thrown: unknown): unknown => (thrown as NodeJS.ErrnoException).code;

const outputFailed = (cause: unknown): BusbarError =>
  new BusbarError('output_failed', { details: { reason: codeOf(cause) }, cause });

/** Where a command writes to. */
export interface Output {
  readonly isTerminal: boolean;
  write(text: string): void;
}

/**
 * Standard output without Node's stream around it, which takes longer to set up than most commands
 * take to run. Writes wait for a slow reader, as every Unix program does.
 */
export class DescriptorOutput implements Output {
  readonly #fd: number;

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

  write(text: string): void {
    let rest: Uint8Array = Buffer.from(text);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (thrown) {
        // Whoever reads may stop early, as `head` does; a full pipe only takes a moment.
        if (codeOf(thrown) === 'EPIPE') return;
        if (codeOf(thrown) !== 'EAGAIN') throw outputFailed(thrown);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }
}
