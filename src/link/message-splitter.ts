import { BusbarError } from '../base/errors/busbar-error.ts';

export interface MessageReceiver {
  /** A line without its newline. Returns the number of raw bytes that follow. */
  line(line: Uint8Array): number;
  /** Announced raw bytes, complete; valid only during the call. */
  raw(bytes: Uint8Array): void;
}

interface SplitterLimits {
  readonly line: number;
  readonly raw: number;
}

const newline = 0x0a;

const tooLong = (limit: number): BusbarError =>
  new BusbarError('invalid_argument', {
    message: 'The message exceeds the size limit',
    details: { limit },
  });

/** Splits a byte stream into lines and raw bytes. Buffers at most one incomplete item. */
export class MessageSplitter {
  readonly #limits: SplitterLimits;
  readonly #receiver: MessageReceiver;
  #parts: Uint8Array[] = [];
  #held = 0;
  #missing = 0;
  #raw: Uint8Array | undefined;

  constructor(limits: SplitterLimits, receiver: MessageReceiver) {
    this.#limits = limits;
    this.#receiver = receiver;
  }

  /** Delivers all complete items. Throws the receiver's errors, and if a limit is exceeded. */
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
