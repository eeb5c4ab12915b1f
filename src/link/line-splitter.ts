import { BusbarError } from '../base/errors/busbar-error.ts';

const newline = 0x0a;

/** Cuts a byte stream into lines, without their newlines, however the bytes arrive. */
export class LineSplitter {
  readonly #longest: number;
  #parts: Uint8Array[] = [];
  #held = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Lines that end in this chunk. Throws when one grows past the limit. */
  push(chunk: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      lines.push(this.#complete(chunk.subarray(start, end)));
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return lines;
  }

  #complete(tail: Uint8Array): Uint8Array {
    this.#hold(tail);
    const line = this.#parts.length === 1 ? (this.#parts[0] ?? tail) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#held = 0;
    return line;
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    if (this.#held > this.#longest) {
      throw new BusbarError('invalid_argument', {
        message: 'The message is longer than the limit',
        details: { limit: this.#longest },
      });
    }
    this.#parts.push(part);
  }
}
