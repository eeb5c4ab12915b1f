const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const lineEnd = 2;

const zero = 0x30;
const nine = 0x39;
const letterA = 0x61;
const letterF = 0x66;
const lowerCase = 0x20;

/** What a hexadecimal digit counts; -1 for anything else. */
const hexDigit = (byte: number): number => {
  if (byte >= zero && byte <= nine) return byte - zero;
  const letter = byte | lowerCase;
  return letter >= letterA && letter <= letterF ? letter - letterA + 10 : -1;
};

/**
 * Finds the end of a body in chunks (RFC 9112, 7.1), and nothing else: whether the body is right is
 * for Node's parser to say.
 *
 *          no digit, such as CR
 *   size ────────────────────────▶ extension
 *    │                                │
 *    └───────────┬── line feed ───────┘
 *                ├── a size above 0 ──▶ data ──all of it──▶ size
 *                └── a size of 0 ─────▶ trailer ──blank line──▶ done
 */
export class ChunkedBody {
  #state: 'size' | 'extension' | 'data' | 'trailer' | 'done' = 'size';
  #size = 0;
  /** Bytes of the chunk that are still to come, with the end of its line. */
  #left = 0;
  #isBlankLine = true;
  /** Chunks that may still end in the piece that is being cut. */
  #chunksLeft = 0;

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /**
   * Where the body ends; as far as the bytes go if it does not, but behind so many chunks at most.
   * The parser tells of each chunk by itself, so that thousands of one byte take their time.
   */
  endIn(bytes: Uint8Array, mostChunks: number): number {
    let at = 0;
    this.#chunksLeft = mostChunks;
    while (at < bytes.length && this.#state !== 'done' && this.#chunksLeft > 0) {
      if (this.#state === 'data') at += this.#skipData(bytes.length - at);
      else this.#take(bytes[at++] as number);
    }
    return at;
  }

  #skipData(room: number): number {
    const length = Math.min(this.#left, room);
    this.#left -= length;
    if (this.#left === 0) {
      this.#state = 'size';
      this.#chunksLeft--;
    }
    return length;
  }

  #take(byte: number): void {
    if (this.#state === 'trailer') this.#takeTrailer(byte);
    else if (byte === lineFeed) this.#beginChunk();
    else if (this.#state === 'size') {
      const digit = hexDigit(byte);
      if (digit < 0) this.#state = 'extension';
      else this.#size = this.#size * 16 + digit;
    }
  }

  #beginChunk(): void {
    this.#state = this.#size === 0 ? 'trailer' : 'data';
    this.#left = this.#size + lineEnd;
    this.#size = 0;
  }

  #takeTrailer(byte: number): void {
    if (byte === lineFeed) {
      if (this.#isBlankLine) this.#state = 'done';
      this.#isBlankLine = true;
    } else if (byte !== carriageReturn) this.#isBlankLine = false;
  }
}
