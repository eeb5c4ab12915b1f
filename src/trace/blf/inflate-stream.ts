import {
  Z_BUF_ERROR,
  Z_NO_FLUSH,
  Z_OK,
  Z_STREAM_END,
  ZStream,
  zlibInflate,
  zlibInflateInit,
} from 'pako';

/** What is given at a time. */
const pieceBytes = 0x1_0000;

/** `cut`: what is compressed ended too early. `damaged`: it is no zlib stream, or not any more. */
export type InflateState = 'going' | 'ended' | 'cut' | 'damaged';

/**
 * Inflates a zlib stream (RFC 1950) piece by piece, in memory that depends on nothing in it. Node
 * has this only with callbacks; its own functions are faster and serve all that is small.
 */
export class InflateStream {
  readonly #pull: () => Uint8Array | undefined;
  readonly #zlib = new ZStream();
  readonly #out = new Uint8Array(pieceBytes);
  #total = 0;
  #state: InflateState = 'going';

  /** What is compressed is pulled as it is needed, and not touched after the next pull. */
  constructor(pull: () => Uint8Array | undefined) {
    this.#pull = pull;
    zlibInflateInit(this.#zlib);
    this.#zlib.output = this.#out;
  }

  get state(): InflateState {
    return this.#state;
  }

  /** Bytes given so far. */
  get total(): number {
    return this.#total;
  }

  /** Bytes of the last pull that were not needed. */
  get unused(): number {
    return this.#zlib.avail_in;
  }

  /** The next piece, which holds until the next call; empty once there is none. */
  next(): Uint8Array {
    const zlib = this.#zlib;
    zlib.next_out = 0;
    zlib.avail_out = pieceBytes;
    while (this.#state === 'going' && zlib.avail_out > 0) this.#advance();
    const piece = this.#out.subarray(0, zlib.next_out);
    this.#total += piece.length;
    return piece;
  }

  /** Inflates until the piece is full or more input is needed. */
  #advance(): void {
    const zlib = this.#zlib;
    const isStarved = zlib.avail_in === 0 && !this.#pullMore();
    const status = zlibInflate(zlib, Z_NO_FLUSH);
    if (status === Z_STREAM_END) this.#state = 'ended';
    else if (status !== Z_OK && status !== Z_BUF_ERROR) this.#state = 'damaged';
    // What zlib had taken in before may have filled the piece, and more of it may follow.
    else if (isStarved && zlib.avail_out > 0) this.#state = 'cut';
  }

  #pullMore(): boolean {
    const input = this.#pull();
    if (!input) return false;
    this.#zlib.input = input;
    this.#zlib.next_in = 0;
    this.#zlib.avail_in = input.length;
    return true;
  }
}
