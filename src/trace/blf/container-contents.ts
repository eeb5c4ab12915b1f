import {
  Z_BUF_ERROR,
  Z_NO_FLUSH,
  Z_OK,
  Z_STREAM_END,
  ZStream,
  zlibInflate,
  zlibInflateInit,
} from 'pako';
import { inflate, inflateWhole } from '../inflate.ts';
import { compression, container } from './blf-layout.ts';
import type { FileWindow } from './file-header.ts';
import type { ObjectScanner } from './object-scanner.ts';

const pieceBytes = 0x1_0000;

/** `cut`: the input is incomplete. `damaged`: the input is not a zlib stream. */
type InflateState = 'going' | 'ended' | 'cut' | 'damaged';

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

const maxTogether = 0x100_0000;

/** Best compression ratio of deflate, which bounds a container's claimed size. */
const bestRatio = 1032;

const isPlausible = (compressed: number, uncompressed: number): boolean =>
  uncompressed > 0 && compressed <= uncompressed + (uncompressed >> 8) + 1024;

const isLarge = (compressed: number, uncompressed: number): boolean =>
  Math.min(uncompressed, compressed * bestRatio) > maxTogether;

/** The last container of an interrupted recording is incomplete. */
const inflateAtMost = (compressed: Uint8Array, claimed: number) =>
  inflate(compressed, maxTogether, Math.min(claimed, compressed.length * bestRatio));

const maxRest = 8;

/**
 * Inflates containers: small ones in one step, others piece by piece in bounded memory. Claimed
 * sizes are not trusted.
 */
export class ContainerContents {
  readonly #file: FileWindow;
  readonly #outer: ObjectScanner;
  readonly #inner: ObjectScanner;
  #move: (() => boolean) | undefined;
  #hasHole = false;

  constructor(file: FileWindow, outer: ObjectScanner, inner: ObjectScanner) {
    this.#file = file;
    this.#outer = outer;
    this.#inner = inner;
  }

  more(): boolean {
    if (!this.#move) return false;
    if (!this.#move()) this.#move = undefined;
    return true;
  }

  enter(): void {
    const outer = this.#outer;
    const { view } = outer.window;
    const body = outer.at + outer.headerSize;
    const method = view.getUint16(body + container.method, true);
    const claimed = view.getUint32(body + container.uncompressedSize, true);
    const head = outer.headerSize + container.data;
    const size = outer.size - head;
    this.#inner.containerAt = outer.window.offsetOf(outer.at);
    if (method === compression.none) {
      outer.use(head);
      this.#move = () => this.#movePlain();
    } else if (method !== compression.zlib) {
      this.#distrust(`A container has the unknown compression method ${method}`);
    } else if (isPlausible(size, claimed)) {
      if (isLarge(size, claimed)) this.#inflatePieces(head, claimed);
      else this.#inflate(head, claimed);
    } else if (size > 0) this.#inflateDoubtful(head, claimed);
  }

  finish(): void {
    if (this.#hasHole) this.#inner.interrupt();
    this.#inner.finish();
  }

  #inflate(head: number, claimed: number): void {
    const outer = this.#outer;
    const isThere = this.#fill(outer.size);
    const there = Math.min(outer.size, outer.window.available);
    const inflated = inflateAtMost(this.#bytesOf(head, there), claimed);
    if (inflated === 'large') {
      this.#inflatePieces(head, claimed);
      return;
    }
    if (inflated === 'damaged') {
      this.#lose('A container cannot be decompressed');
    } else {
      this.#give(inflated.contents);
      if (isThere && inflated.contents.length !== claimed) {
        this.#afterContents(() => {
          this.#inner.error(wrongClaim(inflated.contents.length, claimed));
          this.#hasHole = !inflated.isWhole;
        });
      }
    }
    outer.use(there);
  }

  /** Compressed and claimed size do not match; inflating shows which is right. */
  #inflateDoubtful(head: number, claimed: number): void {
    const outer = this.#outer;
    const message = `A container of ${outer.size} bytes claims a content of ${claimed}`;
    const max = Math.min(outer.size, head + maxTogether);
    const isThere = this.#fill(max);
    const there = Math.min(max, outer.window.available);
    const bytes = this.#bytesOf(head, there);
    const inflated = inflateWhole(bytes, maxTogether) ?? inflateAtMost(bytes, claimed);
    if (inflated === 'large') {
      this.#inflatePieces(head, claimed);
      return;
    }
    if (inflated === 'damaged' || (isThere && !inflated.isWhole)) {
      this.#distrust(message);
      return;
    }
    if (inflated.contents.length > 0) this.#afterContents(() => this.#inner.error(message));
    this.#give(inflated.contents);
    outer.use(head + inflated.used);
    if (inflated.isWhole && outer.left > maxRest) outer.leave();
  }

  #inflatePieces(head: number, claimed: number): void {
    this.#outer.use(head);
    const stream = new InflateStream(() => this.#nextBytes());
    this.#move = () => {
      const piece = stream.next();
      if (piece.length > 0) this.#give(piece);
      if (stream.state !== 'going') this.#afterContents(() => this.#endPieces(stream, claimed));
      return true;
    };
  }

  #endPieces({ state, total, unused }: InflateStream, claimed: number): void {
    const outer = this.#outer;
    // At the end of the file, the file is reported as truncated instead.
    if (state === 'cut' && outer.left > 0) return;
    if (state !== 'ended') {
      this.#lose(`A container cannot be decompressed beyond ${total} bytes`);
      return;
    }
    outer.use(-unused);
    const isTooLong = outer.left > maxRest;
    if (isTooLong) outer.leave();
    if (isTooLong || total !== claimed) this.#inner.error(wrongClaim(total, claimed));
  }

  /** Does what concerns the end of a container once its objects were read. */
  #afterContents(work: () => void): void {
    this.#move = () => {
      work();
      return false;
    };
  }

  #movePlain(): boolean {
    const bytes = this.#nextBytes();
    this.#give(bytes ?? nothing);
    return bytes !== undefined && this.#outer.left > 0;
  }

  #nextBytes(): Uint8Array | undefined {
    const outer = this.#outer;
    const { window } = outer;
    if (outer.left === 0) return undefined;
    if (window.available === 0 && !this.#file.more()) return undefined;
    const { start } = window;
    const count = Math.min(outer.left, window.available);
    outer.use(count);
    return window.bytes.subarray(start, start + count);
  }

  #fill(count: number): boolean {
    const isThere = this.#file.fill(count);
    this.#outer.at = this.#outer.window.start;
    return isThere;
  }

  #bytesOf(head: number, there: number): Uint8Array {
    const { bytes, start } = this.#outer.window;
    return bytes.subarray(start + head, start + there);
  }

  #give(contents: Uint8Array): void {
    if (this.#hasHole) this.#inner.interrupt();
    this.#hasHole = false;
    this.#inner.window.append(contents);
  }

  #distrust(message: string): void {
    this.#outer.distrust(message);
    this.#hasHole = true;
  }

  #lose(message: string): void {
    this.#inner.error(message);
    this.#hasHole = true;
  }
}

const nothing = new Uint8Array(0);

const wrongClaim = (held: number, claimed: number): string =>
  `A container has ${held} bytes instead of ${claimed}`;
