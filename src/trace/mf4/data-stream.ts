import type { ReaderStats } from '../reader-stats.ts';
import { getUint64 } from '../uint64.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { Mf4File } from './mf4-file.ts';
import {
  blockHeader,
  dataList,
  headerList,
  unfinalizedFlag,
  valueList,
  zipMethod,
  zipped,
} from './mf4-layout.ts';
import { fromColumns, isPlausibleSize, unzip } from './zipped-block.ts';

interface DataPart {
  /** Offset in the stream. */
  readonly start: number;
  readonly length: number;
  readonly fileAt: number;
  readonly zip: { readonly bytes: number; readonly columns: number } | null;
}

const maxParts = 1_000_000;
/** They are passed in one step. */
const maxEmpty = 100_000;

/**
 * The data of a group as one stream, wherever its blocks are: DT, DV, SD or DZ, alone or in lists.
 * The list is read as far as the stream is. A piece of the stream is in memory at a time. Blocks of
 * values contain no invalidation bytes, so they are refused if the records have some.
 */
export class DataStream {
  bytes: Uint8Array = new Uint8Array();
  view: DataView = new DataView(new ArrayBuffer(0));
  /** The file ended before the data did. */
  isCut = false;
  readonly #file: Mf4File;
  readonly #account: ReaderStats;
  readonly #budget: MemoryBudget;
  readonly #kind: string;
  readonly #unfinalized: number;
  readonly #hasInvalidBytes: boolean;
  readonly #parts: DataPart[] = [];
  readonly #seenLists = new Set<number>();
  #pending: { readonly list: readonly number[]; at: number } = { list: [], at: 0 };
  #nextList = 0;
  #length = 0;
  #empty = 0;
  #isComplete = false;
  /** Offsets in the stream of what is in memory. */
  #start = 0;
  #end = 0;
  #part = 0;

  constructor(
    file: Mf4File,
    account: ReaderStats,
    budget: MemoryBudget,
    link: number,
    kind: 'DT' | 'SD',
    unfinalized: number,
    hasInvalidBytes = false,
  ) {
    this.#file = file;
    this.#account = account;
    this.#budget = budget;
    this.#kind = kind;
    this.#unfinalized = unfinalized;
    this.#hasInvalidBytes = hasInvalidBytes;
    if (link === 0) this.#isComplete = true;
    else this.#attempt(() => this.#open(link));
  }

  get heldBytes(): number {
    return this.bytes.length;
  }

  release(): void {
    this.bytes = new Uint8Array();
    this.view = new DataView(this.bytes.buffer);
    this.#start = 0;
    this.#end = 0;
    this.#part = 0;
  }

  /** Bytes of the stream from an offset to its end, as far as that is known. */
  has(at: number, length: number): boolean {
    while (at + length > this.#length) if (!this.#moreParts()) return false;
    return true;
  }

  /** Offset in the file, for errors. Exact unless the data are compressed. */
  fileOffset(at: number): number {
    const part = this.#parts[this.#partAt(at)];
    if (!part) return this.#file.size;
    return part.zip ? part.fileAt : part.fileAt + (at - part.start);
  }

  /**
   * Returns where in `bytes` a part of the stream is, or -1 if the stream ends before it does. The
   * next call can move it.
   */
  find(at: number, length: number): number {
    if (at >= this.#start && at + length <= this.#end) return at - this.#start;
    return this.#load(at, length);
  }

  #load(at: number, length: number): number {
    if (!this.has(at, length)) return -1;
    if (at < this.#start || at > this.#end) this.#seek(at);
    while (at + length > this.#end) if (!this.#append(at)) return -1;
    return at - this.#start;
  }

  #seek(at: number): void {
    this.#part = this.#partAt(at);
    this.#start = at;
    this.#end = at;
  }

  #partAt(at: number): number {
    let low = 0;
    let high = this.#parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#parts[middle] as DataPart).start <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Loads what follows, and frees what is before an offset. */
  #append(from: number): boolean {
    while (this.#end >= this.#partEnd()) {
      if (this.#part + 1 >= this.#parts.length && !this.#moreParts()) return false;
      this.#part += 1;
    }
    const part = this.#parts[this.#part] as DataPart;
    const kept = Math.max(0, this.#end - Math.max(from, this.#start));
    const keptAt = this.#end - this.#start - kept;
    if (part.zip) {
      const bytes = this.#unzipped(part);
      if (!bytes) return false;
      const done = this.#end - part.start;
      const piece = bytes.subarray(done, done + this.#budget.unzippedBytes);
      this.#makeRoom(keptAt, kept, piece.length);
      this.bytes.set(piece, kept);
      this.#start = this.#end - kept;
      this.#end += piece.length;
      return true;
    }
    const count = Math.min(part.start + part.length - this.#end, this.#budget.pieceBytes);
    this.#makeRoom(keptAt, kept, count);
    const fileAt = part.fileAt + (this.#end - part.start);
    const got = this.#file.read(this.bytes.subarray(kept, kept + count), fileAt);
    this.#start = this.#end - kept;
    this.#end += got;
    if (got < count) {
      this.isCut = true;
      this.#endHere();
    }
    return got > 0;
  }

  #partEnd(): number {
    const part = this.#parts[this.#part];
    return part ? part.start + part.length : 0;
  }

  #makeRoom(keptAt: number, kept: number, more: number): void {
    if (kept + more <= this.bytes.length) {
      this.bytes.copyWithin(0, keptAt, keptAt + kept);
      return;
    }
    const room = kept + more;
    const old = this.bytes.subarray(keptAt, keptAt + kept);
    this.#budget.take(this, room);
    this.bytes = new Uint8Array(room);
    this.bytes.set(old);
    this.view = new DataView(this.bytes.buffer);
  }

  #unzipped(part: DataPart): Uint8Array | undefined {
    const { bytes: size, columns } = part.zip as NonNullable<DataPart['zip']>;
    const packed = new Uint8Array(size);
    const got = this.#file.read(packed, part.fileAt);
    if (got < size) {
      this.isCut = true;
      this.#endHere();
      return undefined;
    }
    const bytes = unzip(packed, part.length);
    if (!bytes) {
      this.#account.error(part.fileAt, 'A compressed block cannot be decompressed');
      this.#endHere();
      return undefined;
    }
    return columns > 1 ? fromColumns(bytes, columns) : bytes;
  }

  /** Nothing after a damaged part can be found in the stream. */
  #endHere(): void {
    this.#isComplete = true;
    this.#parts.length = Math.min(this.#parts.length, this.#part + 1);
    this.#length = this.#end;
  }

  #open(link: number): void {
    const id = this.#file.idAt(link);
    if (id === '##HL') {
      const list = this.#file.block(link, '##HL');
      this.#nextList = list.links[headerList.links.first] ?? 0;
    } else if (id === '##DL' || id === valueList.id) this.#nextList = link;
    else {
      this.#pending = { list: [link], at: 0 };
    }
  }

  #moreParts(): boolean {
    let hasMore = false;
    while (!hasMore && !this.#isComplete) {
      this.#attempt(() => {
        hasMore = this.#nextPart();
      });
    }
    return hasMore;
  }

  #attempt(step: () => void): void {
    try {
      step();
    } catch (thrown) {
      this.#isComplete = true;
      const { message, details } = thrown as {
        message: string;
        details?: { reason?: unknown; at?: unknown };
      };
      if (details?.reason === undefined) throw thrown;
      if (details.reason === 'truncated') this.isCut = true;
      else this.#account.error(Number(details.at ?? 0), message);
    }
  }

  #nextPart(): boolean {
    const pending = this.#pending;
    const link = pending.list[pending.at];
    if (link !== undefined) {
      pending.at += 1;
      return link !== 0 && this.#addPart(link);
    }
    if (this.#nextList === 0) {
      this.#isComplete = true;
      return false;
    }
    this.#readList(this.#nextList);
    return false;
  }

  #readList(at: number): void {
    if (this.#seenLists.has(at)) {
      this.#account.error(at, `The lists of data are linked in a loop at ${at}`);
      this.#isComplete = true;
      return;
    }
    this.#seenLists.add(at);
    if (this.#hasInvalidBytes && this.#file.idAt(at) === valueList.id) {
      this.#refuseValues(at);
      return;
    }
    const { links, count } = this.#blocksOf(at);
    this.#nextList = links[dataList.links.next] ?? 0;
    const first = dataList.links.blocks;
    this.#pending = { list: links.slice(first, first + count), at: 0 };
  }

  #blocksOf(at: number): { readonly links: readonly number[]; readonly count: number } {
    if (this.#file.idAt(at) !== valueList.id) {
      const { links } = this.#file.block(at, '##DL');
      return { links, count: links.length };
    }
    const { links, view } = this.#file.block(at, valueList.id, valueList.end);
    return { links, count: view.getUint32(valueList.count, true) };
  }

  #addPart(at: number): boolean {
    if (this.#parts.length === maxParts) return this.#refuse(at, `more than ${maxParts} blocks`);
    const { id, length } = this.#file.dataHead(at);
    if (this.#hasInvalidBytes && id === '##DV') return this.#refuseValues(at);
    const part = id === '##DZ' ? this.#zippedPart(at) : this.#plainPart(at, id, length);
    if (!part) {
      this.#isComplete = true;
      return false;
    }
    if (part.length === 0) {
      this.#empty += 1;
      if (this.#empty <= maxEmpty) return false;
      return this.#refuse(at, `more than ${maxEmpty} blocks without bytes`);
    }
    this.#parts.push(part);
    this.#length += part.length;
    return true;
  }

  #refuseValues(at: number): false {
    return this.#refuse(at, 'their invalidation bits in blocks of their own');
  }

  #refuse(at: number, what: string): false {
    this.#account.error(at, `The data have ${what}`);
    this.#isComplete = true;
    return false;
  }

  #plainPart(at: number, id: string, length: number): DataPart | undefined {
    if (id !== `##${this.#kind}` && !(this.#kind === 'DT' && id === '##DV')) {
      this.#account.error(at, `No data block is at ${at}`);
      return undefined;
    }
    const fileAt = at + blockHeader.end;
    const claimed = Math.max(0, length - blockHeader.end);
    const there = this.#file.size - fileAt;
    if (this.#isGrowing()) {
      const end = this.#endAfter(at);
      if (claimed === 0 || end === this.#file.size) {
        return { start: this.#length, length: end - fileAt, fileAt, zip: null };
      }
    }
    if (claimed > there) this.isCut = true;
    return { start: this.#length, length: Math.min(claimed, there), fileAt, zip: null };
  }

  #endAfter(at: number): number {
    let end = this.#file.endAfter(at);
    for (const list of this.#seenLists) if (list > at && list < end) end = list;
    return end;
  }

  /** The length of the last block of a file that was not closed is that of an empty one. */
  #isGrowing(): boolean {
    const isLast = this.#nextList === 0 && this.#pending.at >= this.#pending.list.length;
    return isLast && (this.#unfinalized & unfinalizedFlag.dataLength) !== 0;
  }

  #zippedPart(at: number): DataPart | undefined {
    const from = blockHeader.end;
    const { view } = this.#file.dataHead(at, from + zipped.data);
    const first = view.getUint8(from + zipped.original);
    const kind = String.fromCharCode(first, view.getUint8(from + zipped.original + 1));
    const method = view.getUint8(from + zipped.method);
    const length = getUint64(view, from + zipped.originalSize);
    const bytes = getUint64(view, from + zipped.zippedSize);
    const fail = (message: string): undefined => {
      this.#account.error(at, message);
      return undefined;
    };
    if (kind === 'DV' && this.#hasInvalidBytes) {
      this.#refuseValues(at);
      return undefined;
    }
    if (kind !== this.#kind && !(this.#kind === 'DT' && kind === 'DV')) {
      return fail(`A compressed block contains ${kind} instead of ${this.#kind}`);
    }
    if (method > zipMethod.transposed) {
      return fail(`A block has the compression method ${method}; only deflate is supported`);
    }
    if (!isPlausibleSize(bytes, length)) {
      return fail(`A compressed block of ${bytes} bytes claims ${length} bytes`);
    }
    const fileAt = at + blockHeader.end + zipped.data;
    if (fileAt + bytes > this.#file.size) {
      this.isCut = true;
      return undefined;
    }
    const parameter = view.getUint32(from + zipped.parameter, true);
    const columns = method === zipMethod.transposed ? parameter : 0;
    return { start: this.#length, length, fileAt, zip: { bytes, columns } };
  }
}
