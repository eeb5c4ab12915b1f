import type { ByteSource } from '../trace-format.ts';

const lf = 0x0a;
const cr = 0x0d;

const maxLineLength = 64 * 1024;
const chunkBytes = 64 * 1024;
const headBytes = 64;
const noiseStep = 512 * 1024;
/** Bytes that a parser can read beyond a line end. */
const lookAhead = 8;

const isLineEnd = (byte: number | undefined): boolean => byte === lf || byte === cr;

/**
 * Iterates over the lines of a text in a fixed buffer, without strings. Lines end in LF, CRLF or
 * CR. A line is always complete in the buffer with its line end, so a parser need not check bounds.
 */
export class LineScanner {
  readonly bytes = new Uint8Array(maxLineLength + chunkBytes + lookAhead);
  start = 0;
  line = 0;
  /** False for a last line without a line end. */
  isTerminated = true;
  isTooLong = false;

  readonly #source: ByteSource;
  #end = -1;
  #next = 0;
  #filled = 0;
  /** Lines that start before this are complete and not too long. */
  #safe = 0;
  #passed = 0;
  #mayHaveLf = false;
  #isInNoise = false;
  #isNoiseNul = false;
  #endsInNul = false;

  constructor(source: ByteSource) {
    this.#source = source;
    this.bytes[0] = lf;
  }

  get end(): number {
    if (this.#end < 0) this.#end = this.#endFrom(this.start);
    return this.#end;
  }

  get passed(): number {
    return this.#passed;
  }

  /** The text ends in NUL: the file system lost the end of the file. */
  get endsInNul(): boolean {
    return this.#endsInNul;
  }

  get position(): number {
    return this.#passed + (this.#next >= 0 ? this.#next : Math.min(this.end + 1, this.#filled));
  }

  /**
   * Moves to the next line; returns false at the end. `seen` is the offset up to which the line
   * was read without finding its end.
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

  #findLine(): boolean {
    const { bytes } = this;
    if (this.#isInNoise) return this.#passNoise();
    for (;;) {
      if (this.#mayHaveLf && this.start < this.#filled) {
        this.#mayHaveLf = false;
        if (bytes[this.start] === lf) this.start++;
      }
      const limit = Math.min(this.#filled, this.start + maxLineLength + 1);
      for (let at = limit - 1; at >= this.start; at--) {
        if (!isLineEnd(bytes[at])) continue;
        this.#safe = at + 1;
        return true;
      }
      if (limit - this.start > maxLineLength) return this.#passNoise();
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

  #giveNothing(): true {
    this.#isInNoise = true;
    this.#safe = 0;
    this.#next = this.start;
    this.start = this.#filled;
    this.#end = this.#filled;
    this.bytes[this.#filled] = lf;
    return true;
  }

  #fill(): number {
    const { bytes } = this;
    if (this.start > 0) bytes.copyWithin(0, this.start, this.#filled);
    this.#passed += this.start;
    this.#filled -= this.start;
    this.start = 0;
    this.#safe = 0;
    const got = this.#source.read(bytes.subarray(this.#filled, maxLineLength + chunkBytes));
    this.#filled += got;
    bytes[this.#filled] = lf;
    return got;
  }
}
