/** What ends a line, and what a device answers on its own when it refuses a command. */
const carriageReturn = 0x0d;
const bell = 0x07;
const lineFeed = 0x0a;

/**
 * Room for one line. The longest frame has 147 characters with its time stamp; firmware says its
 * version in whatever words it likes.
 */
export const longestLine = 256;

/** Who is told what a splitter found. */
export interface LineReceiver {
  /** A line without its end. The bytes are there during the call only. */
  line(bytes: Uint8Array, length: number): void;
  bell(): void;
  /** Characters that are no line: too many of them, or cut off by a bell. */
  garbage(): void;
}

/** Cuts what a device sends into lines, in memory that never grows. */
export class LineSplitter {
  readonly #receiver: LineReceiver;
  readonly #bytes = new Uint8Array(longestLine);
  #length = 0;
  /** The line is too long already; told once, and the rest of it is passed over. */
  #isOverlong = false;

  constructor(receiver: LineReceiver) {
    this.#receiver = receiver;
  }

  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (byte === carriageReturn) this.#endLine();
      else if (byte === bell) this.#ring();
      else if (this.#length < longestLine) this.#keep(byte);
      else if (!this.#isOverlong) {
        this.#isOverlong = true;
        this.#receiver.garbage();
      }
    }
  }

  /** Forgets what has arrived of a line. */
  reset(): void {
    this.#length = 0;
    this.#isOverlong = false;
  }

  #keep(byte: number): void {
    // Some firmware ends lines with both.
    if (byte === lineFeed && this.#length === 0) return;
    this.#bytes[this.#length++] = byte;
  }

  #endLine(): void {
    const length = this.#length;
    const isOverlong = this.#isOverlong;
    this.reset();
    if (!isOverlong) this.#receiver.line(this.#bytes, length);
  }

  #ring(): void {
    const isCutOff = this.#length > 0 && !this.#isOverlong;
    this.reset();
    if (isCutOff) this.#receiver.garbage();
    this.#receiver.bell();
  }
}
