import { BusbarError } from '../base/errors/busbar-error.ts';

/** Who takes what a splitter cuts out of the stream. */
export interface MessageReceiver {
  /** A line without its newline. Answers how many raw bytes stand between it and the next line. */
  line(line: Uint8Array): number;
  /** The raw bytes that a line announced, all of them; valid during the call only. */
  raw(bytes: Uint8Array): void;
}

interface SplitterLimits {
  /** Longest line taken, in bytes. */
  readonly line: number;
  /** Most raw bytes that a line may announce. */
  readonly raw: number;
}

const newline = 0x0a;

const tooLong = (limit: number): BusbarError =>
  new BusbarError('invalid_argument', {
    message: 'The message is longer than the limit',
    details: { limit },
  });

/**
 * Cuts a byte stream into lines and the raw bytes between them, however the bytes arrive. It holds
 * no more than one unfinished line or one unfinished piece of raw bytes.
 */
export class MessageSplitter {
  readonly #limits: SplitterLimits;
  readonly #receiver: MessageReceiver;
  #parts: Uint8Array[] = [];
  #held = 0;
  /** Raw bytes that are still to come before the next line. */
  #missing = 0;
  /** Where raw bytes are put together; only where one chunk does not hold them all. */
  #raw: Uint8Array | undefined;

  constructor(limits: SplitterLimits, receiver: MessageReceiver) {
    this.#limits = limits;
    this.#receiver = receiver;
  }

  /** Tells the receiver what ends in this chunk. Throws what it throws, and where a limit is passed. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      at = this.#missing > 0 ? this.#takeRaw(chunk, at) : this.#takeLine(chunk, at);
    }
  }

  #takeLine(chunk: Uint8Array, at: number): number {
    const end = chunk.indexOf(newline, at);
    if (end === -1) {
      this.#hold(chunk.subarray(at));
      return chunk.length;
    }
    this.#hold(chunk.subarray(at, end));
    const [first] = this.#parts;
    const line = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#held = 0;
    this.#missing = this.#receiver.line(line);
    if (this.#missing > this.#limits.raw) throw tooLong(this.#limits.raw);
    return end + 1;
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    if (this.#held > this.#limits.line) throw tooLong(this.#limits.line);
    this.#parts.push(part);
  }

  #takeRaw(chunk: Uint8Array, at: number): number {
    const piece = chunk.subarray(at, at + this.#missing);
    if (!this.#raw) {
      if (piece.length === this.#missing) {
        this.#missing = 0;
        this.#receiver.raw(piece);
        return at + piece.length;
      }
      this.#raw = new Uint8Array(this.#missing);
    }
    this.#raw.set(piece, this.#raw.length - this.#missing);
    this.#missing -= piece.length;
    if (this.#missing === 0) {
      const whole = this.#raw;
      this.#raw = undefined;
      this.#receiver.raw(whole);
    }
    return at + piece.length;
  }
}
