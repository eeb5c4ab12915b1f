import type { ByteSource } from '../trace-format.ts';

const lf = 0x0a;
const cr = 0x0d;

/** Longer than any line that a logger writes; what is longer is no line but noise. */
const longestLine = 64 * 1024;
const chunkBytes = 64 * 1024;
/** What is kept of noise. */
const headBytes = 64;
/** Bytes of noise that are passed in one step. */
const noiseStep = 512 * 1024;
/** A parser that looks a few bytes ahead of a line end does not leave the buffer. */
const lookAhead = 8;

const isLineEnd = (byte: number | undefined): boolean => byte === lf || byte === cr;

/**
 * Walks over the lines of a text in one buffer of fixed size. Lines end in LF, CRLF or CR, and no
 * strings are made of them. A line always lies whole in the buffer with its line end behind it, so
 * that a parser of its bytes need not count. Where it ends is only looked for if no parser came
 * to know it, since that would cost as much as reading the line. No step takes long: while the end of
 * a line that is too long is being looked for, empty lines are given that do not count.
 */
export class LineScanner {
  readonly bytes = new Uint8Array(longestLine + chunkBytes + lookAhead);
  /** Where the line begins in `bytes`. */
  start = 0;
  /** The number of the line, from 1; 0 before the first. */
  line = 0;
  /** Whether the line has a line end of its own; only the last one may lack it. */
  isTerminated = true;
  /** The line is longer than any line may be; only its beginning is in `bytes`. */
  isTooLong = false;

  readonly #source: ByteSource;
  /** Where the line ends, and where the next one begins; −1 while that is unknown. */
  #end = -1;
  #next = 0;
  #filled = 0;
  /** Lines that begin before this are whole, and none is too long. */
  #safe = 0;
  /** Bytes of the file before the first of the buffer. */
  #passed = 0;
  /** The last line ended in CR, and the LF that belongs to it may come yet. */
  #mayHaveLf = false;
  /** The end of a line that is too long has not come yet. */
  #isInNoise = false;
  /** The byte of that line which was passed last is NUL. */
  #isNoiseNul = false;
  #endsInNul = false;

  constructor(source: ByteSource) {
    this.#source = source;
    this.bytes[0] = lf;
  }

  /** Where in `bytes` the line ends. */
  get end(): number {
    if (this.#end < 0) this.#end = this.#endFrom(this.start);
    return this.#end;
  }

  /** Bytes of the file up to the buffer: how far the text was read, give or take its size. */
  get passed(): number {
    return this.#passed;
  }

  /** The text is over, and its last bytes are NUL: a file system has lost what stood there. */
  get endsInNul(): boolean {
    return this.#endsInNul;
  }

  /** Bytes of the file up to the end of this line. */
  get position(): number {
    return this.#passed + (this.#next >= 0 ? this.#next : Math.min(this.end + 1, this.#filled));
  }

  /**
   * Goes to the next line; false once there is none. `seen` is how far this one was looked at
   * without meeting its end, which spares the scanner that part.
   */
  next(seen: number = this.start): boolean {
    if (this.#next < 0) this.#next = this.#behind(this.#end < 0 ? this.#endFrom(seen) : this.#end);
    this.start = this.#next;
    this.#end = -1;
    this.isTooLong = false;
    if (this.start >= this.#safe && !this.#findLine()) return false;
    if (this.#isInNoise) return true;
    this.#next = -1;
    this.line++;
    return true;
  }

  #endFrom(from: number): number {
    const { bytes } = this;
    let at = from;
    while ((bytes[at] as number) > cr || !isLineEnd(bytes[at])) at++;
    return at;
  }

  #behind(end: number): number {
    if (end >= this.#filled) return this.#filled;
    const next = end + 1;
    if (this.bytes[end] !== cr) return next;
    this.#mayHaveLf = next === this.#filled;
    return !this.#mayHaveLf && this.bytes[next] === lf ? next + 1 : next;
  }

  /** Makes sure that the line at `start` is whole; false if there is none. */
  #findLine(): boolean {
    const { bytes } = this;
    if (this.#isInNoise) return this.#passNoise();
    for (;;) {
      if (this.#mayHaveLf && this.start < this.#filled) {
        this.#mayHaveLf = false;
        if (bytes[this.start] === lf) this.start++;
      }
      const limit = Math.min(this.#filled, this.start + longestLine + 1);
      for (let at = limit - 1; at >= this.start; at--) {
        if (!isLineEnd(bytes[at])) continue;
        this.#safe = at + 1;
        return true;
      }
      if (limit - this.start > longestLine) return this.#passNoise();
      if (this.#fill() === 0) return this.#endOfText();
    }
  }

  #endOfText(): boolean {
    this.#next = this.#filled;
    this.#endsInNul ||= this.#filled > 0 && this.bytes[this.#filled - 1] === 0;
    if (this.start === this.#filled) return false;
    this.#end = this.#filled;
    this.isTerminated = false;
    return true;
  }

  /** Goes on to the end of a line that is too long and keeps its beginning. */
  #passNoise(): boolean {
    const { bytes } = this;
    const enough = this.#passed + noiseStep;
    let at = this.start + headBytes;
    for (;;) {
      while (at < this.#filled && !isLineEnd(bytes[at])) at++;
      if (at < this.#filled) break;
      if (at > this.start + headBytes) this.#isNoiseNul = bytes[at - 1] === 0;
      this.#passed += at - this.start - headBytes;
      this.#filled = this.start + headBytes;
      if (this.#passed >= enough) return this.#giveNothing();
      this.isTerminated = this.#fill() > 0;
      at = headBytes;
      if (!this.isTerminated) break;
    }
    this.#isInNoise = false;
    this.#endsInNul = !this.isTerminated && this.#isNoiseNul;
    this.isTooLong = true;
    if (at > this.start + headBytes) bytes[this.start + headBytes] = lf;
    this.#end = at;
    this.#safe = Math.min(at + 1, this.#filled);
    return true;
  }

  /** Gives an empty line where only the beginning of one that is too long is in the buffer. */
  #giveNothing(): true {
    this.#isInNoise = true;
    this.#safe = 0;
    this.#next = this.start;
    this.start = this.#filled;
    this.#end = this.#filled;
    this.bytes[this.#filled] = lf;
    return true;
  }

  /** Gets more bytes behind those of the line, which move to the front; answers how many. */
  #fill(): number {
    const { bytes } = this;
    if (this.start > 0) bytes.copyWithin(0, this.start, this.#filled);
    this.#passed += this.start;
    this.#filled -= this.start;
    this.start = 0;
    this.#safe = 0;
    const got = this.#source.read(bytes.subarray(this.#filled, longestLine + chunkBytes));
    this.#filled += got;
    bytes[this.#filled] = lf;
    return got;
  }
}
