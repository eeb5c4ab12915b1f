import { HuffmanTable, lengthOfEntry, longestCode, symbolOfEntry } from './huffman-table.ts';

/** How far back a match may reach. */
const historyBytes = 0x8000;
/** What is given at a time, and a match beyond it. */
const pieceBytes = 0x1_0000;
const longestMatch = 258;

const zlibMethod = 8;
const dictionaryFlag = 0x20;
const block = { stored: 0, fixed: 1, dynamic: 2 } as const;
const endOfBlock = 256;

const lengthBase = Uint16Array.of(
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115],
  ...[131, 163, 195, 227, 258],
);
const lengthExtra = Uint8Array.of(
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
);
const distanceBase = Uint16Array.of(
  ...[1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537],
  ...[2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577],
);
const distanceExtra = Uint8Array.from(distanceBase, (_, code) => Math.max(0, (code >> 1) - 1));
/** In which order a block tells the lengths of the codes for lengths. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** Symbols that repeat a length: how many bits tell how often, beyond how often at least. */
const repeats = [
  { bits: 2, least: 3 },
  { bits: 3, least: 3 },
  { bits: 7, least: 11 },
] as const;
const firstRepeat = 16;

const adlerModulus = 65521;
/** So many bytes can be added up before a sum outgrows 32 bits. */
const adlerRun = 5552;

const fixedLengths = Uint8Array.from({ length: 288 }, (_, symbol) => {
  if (symbol < 144) return 8;
  if (symbol < 256) return 9;
  return symbol < 280 ? 7 : 8;
});
const fixedDistances = new Uint8Array(30).fill(5);

/** `cut`: what is compressed ended too early. `damaged`: it is no zlib stream, or not any more. */
export type InflateState = 'going' | 'ended' | 'cut' | 'damaged';

/**
 * Inflates a zlib stream (RFC 1950) piece by piece, in memory that depends on nothing in it. Node
 * has this only for those who can wait; its own functions are faster and serve all that is small.
 */
export class InflateStream {
  readonly #pull: () => Uint8Array | undefined;
  #input: Uint8Array = new Uint8Array(0);
  #inputAt = 0;
  /** Bits that were taken from the input and not used yet, the next one lowest. */
  #bits = 0;
  #bitCount = 0;
  readonly #out = new Uint8Array(historyBytes + pieceBytes + longestMatch);
  #outAt = 0;
  #total = 0;
  #state: InflateState = 'going';
  #hasHeader = false;
  /** The block at hand: none, stored bytes that are left, or one of codes. */
  #isInCodes = false;
  #storedLeft = 0;
  #isLastBlock = false;
  readonly #literals = new HuffmanTable();
  readonly #distances = new HuffmanTable();
  #sumOfBytes = 1;
  #sumOfSums = 0;

  /** What is compressed is pulled as it is needed, and not touched after the next pull. */
  constructor(pull: () => Uint8Array | undefined) {
    this.#pull = pull;
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
    return this.#input.length - this.#inputAt + (this.#bitCount >> 3);
  }

  /** The next piece, which holds until the next call; empty once there is none. */
  next(): Uint8Array {
    const out = this.#out;
    if (this.#outAt > historyBytes) {
      out.copyWithin(0, this.#outAt - historyBytes, this.#outAt);
      this.#outAt = historyBytes;
    }
    const from = this.#outAt;
    const isOver = this.#state !== 'going';
    while (this.#state === 'going' && this.#outAt - from < pieceBytes) {
      this.#advance(from + pieceBytes);
    }
    const piece = out.subarray(from, this.#outAt);
    this.#total += piece.length;
    this.#addUp(piece);
    if (this.#state === 'ended' && !isOver) this.#check();
    return piece;
  }

  /** Goes on with whatever comes next, up to that place in the output. */
  #advance(limit: number): void {
    if (!this.#hasHeader) this.#takeHeader();
    else if (this.#storedLeft > 0) this.#copyStored(limit);
    else if (this.#isInCodes) this.#takeCodes(limit);
    else if (this.#isLastBlock) this.#state = 'ended';
    else this.#beginBlock();
  }

  #takeHeader(): void {
    const method = this.#take(8);
    const flags = this.#take(8);
    if (this.#state !== 'going') return;
    this.#hasHeader = true;
    const isSound = (method & 0xf) === zlibMethod && (method * 256 + flags) % 31 === 0;
    if (!isSound || (flags & dictionaryFlag) !== 0) this.#state = 'damaged';
  }

  #beginBlock(): void {
    const isLast = this.#take(1) === 1;
    const kind = this.#take(2);
    if (this.#state !== 'going') return;
    this.#isLastBlock = isLast;
    if (kind === block.stored) this.#beginStored();
    else if (kind === block.fixed) {
      this.#literals.build(fixedLengths);
      this.#distances.build(fixedDistances);
      this.#isInCodes = true;
    } else if (kind === block.dynamic) this.#isInCodes = this.#takeTables();
    else this.#state = 'damaged';
  }

  #beginStored(): void {
    this.#take(this.#bitCount & 7);
    const length = this.#take(16);
    const inverse = this.#take(16);
    if (this.#state !== 'going') return;
    if ((length ^ inverse) !== 0xffff) this.#state = 'damaged';
    else this.#storedLeft = length;
  }

  #copyStored(limit: number): void {
    const count = Math.min(this.#storedLeft, limit - this.#outAt);
    for (let i = 0; i < count; i++) {
      const byte = this.#take(8);
      if (this.#state !== 'going') return;
      this.#out[this.#outAt++] = byte;
    }
    this.#storedLeft -= count;
  }

  /** The codes of a block are told by the lengths of their codes, which are coded themselves. */
  #takeTables(): boolean {
    const literals = 257 + this.#take(5);
    const distances = 1 + this.#take(5);
    const told = 4 + this.#take(4);
    const lengthLengths = new Uint8Array(lengthOrder.length);
    for (const symbol of lengthOrder.slice(0, told)) lengthLengths[symbol] = this.#take(3);
    if (this.#state !== 'going') return false;
    const lengths = new Uint8Array(literals + distances);
    if (!this.#literals.build(lengthLengths)) return this.#fail();
    if (!this.#takeLengths(lengths)) return false;
    const isSound =
      this.#literals.build(lengths.subarray(0, literals)) &&
      this.#distances.build(lengths.subarray(literals));
    return isSound || this.#fail();
  }

  #takeLengths(lengths: Uint8Array): boolean {
    for (let at = 0; at < lengths.length; ) {
      const symbol = this.#symbol(this.#literals);
      if (symbol < 0) return false;
      const repeat = repeats[symbol - firstRepeat];
      if (!repeat) {
        lengths[at++] = symbol;
        continue;
      }
      const count = repeat.least + this.#take(repeat.bits);
      if (this.#state !== 'going') return false;
      const isPrevious = symbol === firstRepeat;
      if (at + count > lengths.length || (isPrevious && at === 0)) return this.#fail();
      lengths.fill(isPrevious ? (lengths[at - 1] as number) : 0, at, at + count);
      at += count;
    }
    return true;
  }

  #takeCodes(limit: number): void {
    const out = this.#out;
    while (this.#outAt < limit) {
      const symbol = this.#symbol(this.#literals);
      if (symbol < 0) return;
      if (symbol < endOfBlock) {
        out[this.#outAt++] = symbol;
      } else if (symbol === endOfBlock) {
        this.#isInCodes = false;
        return;
      } else if (!this.#copyMatch(symbol - endOfBlock - 1)) return;
    }
  }

  #copyMatch(lengthCode: number): boolean {
    if (lengthCode >= lengthBase.length) return this.#fail();
    const length =
      (lengthBase[lengthCode] as number) + this.#take(lengthExtra[lengthCode] as number);
    const code = this.#symbol(this.#distances);
    if (code < 0) return false;
    if (code >= distanceBase.length) return this.#fail();
    const distance = (distanceBase[code] as number) + this.#take(distanceExtra[code] as number);
    if (this.#state !== 'going') return false;
    const out = this.#out;
    let at = this.#outAt;
    if (distance > at) return this.#fail();
    for (const end = at + length; at < end; at++) out[at] = out[at - distance] as number;
    this.#outAt = at;
    return true;
  }

  /** The symbol whose code comes next; −1 if there is none, which the state then tells. */
  #symbol({ entries, mask }: HuffmanTable): number {
    if (this.#bitCount < longestCode) this.#fill(longestCode);
    const entry = entries[this.#bits & mask] as number;
    const length = lengthOfEntry(entry);
    if (length === 0 || length > this.#bitCount) {
      this.#state = this.#bitCount < longestCode ? 'cut' : 'damaged';
      return -1;
    }
    this.#bits >>>= length;
    this.#bitCount -= length;
    return symbolOfEntry(entry);
  }

  /** The next bits as a number, at most 16; 0 if there are not so many, which the state then tells. */
  #take(count: number): number {
    if (this.#bitCount < count) this.#fill(count);
    if (this.#bitCount < count) {
      this.#state = 'cut';
      return 0;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  #fill(count: number): void {
    while (this.#bitCount < count) {
      if (this.#inputAt === this.#input.length) {
        const input = this.#pull();
        if (!input) return;
        this.#input = input;
        this.#inputAt = 0;
      }
      this.#bits |= (this.#input[this.#inputAt++] as number) << this.#bitCount;
      this.#bitCount += 8;
    }
  }

  #fail(): false {
    this.#state = 'damaged';
    return false;
  }

  #addUp(piece: Uint8Array): void {
    let a = this.#sumOfBytes;
    let b = this.#sumOfSums;
    for (let from = 0; from < piece.length; from += adlerRun) {
      const to = Math.min(from + adlerRun, piece.length);
      for (let at = from; at < to; at++) {
        a += piece[at] as number;
        b += a;
      }
      a %= adlerModulus;
      b %= adlerModulus;
    }
    this.#sumOfBytes = a;
    this.#sumOfSums = b;
  }

  /** Behind the last block stands the Adler-32 of everything. */
  #check(): void {
    this.#take(this.#bitCount & 7);
    let told = 0;
    for (let i = 0; i < 4; i++) told = told * 256 + this.#take(8);
    if (this.#state === 'cut') return;
    if (told !== this.#sumOfSums * 0x1_0000 + this.#sumOfBytes) this.#state = 'damaged';
  }
}
