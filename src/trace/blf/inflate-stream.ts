import {
  Z_BUF_ERROR,
  Z_NO_FLUSH,
  Z_OK,
  Z_STREAM_END,
  ZStream,
  zlibInflate,
  zlibInflateInit,
} from 'pako';

const pieceBytes = 0x1_0000;

/** `cut`: the input is incomplete. `damaged`: the input is not a zlib stream. */
export type InflateState = 'going' | 'ended' | 'cut' | 'damaged';

/**
 * Inflates a zlib stream (RFC 1950) piece by piece in constant memory. Node offers this only
 * asynchronously; its synchronous functions are faster and handle small containers.
 */
export class InflateStream {
  readonly #pull: () => Uint8Array | undefined;
  readonly #zlib = new ZStream();
  readonly #out = new Uint8Array(pieceBytes);
  #total = 0;
  #state: InflateState = 'going';

  /** Input is pulled on demand and not used after the next pull. */
  constructor(pull: () => Uint8Array | undefined) {
    this.#pull = pull;
    zlibInflateInit(this.#zlib);
    this.#zlib.output = this.#out;
  }

  get state(): InflateState {
    return this.#state;
  }

  get total(): number {
    return this.#total;
  }

  get unused(): number {
    return this.#zlib.avail_in;
  }

  /** Returns the next piece, valid until the next call; empty at the end. */
  next(): Uint8Array {
    const zlib = this.#zlib;
    zlib.next_out = 0;
    zlib.avail_out = pieceBytes;
    while (this.#state === 'going' && zlib.avail_out > 0) this.#advance();
    const piece = this.#out.subarray(0, zlib.next_out);
    this.#total += piece.length;
    return piece;
  }

  #advance(): void {
    const zlib = this.#zlib;
    const isStarved = zlib.avail_in === 0 && !this.#pullMore();
    const status = zlibInflate(zlib, Z_NO_FLUSH);
    if (status === Z_STREAM_END) this.#state = 'ended';
    else if (status !== Z_OK && status !== Z_BUF_ERROR) this.#state = 'damaged';
    // Earlier input can have filled the piece, and more can follow.
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
