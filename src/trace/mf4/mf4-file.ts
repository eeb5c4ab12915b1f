import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ByteSource } from '../trace-format.ts';
import { getUint64 } from '../uint64.ts';
import { blockHeader, linkBytes } from './mf4-layout.ts';

export const refuseMf4 = (
  reason: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): never => {
  throw new BusbarError('invalid_trace', { message, details: { reason, ...details } });
};

/** A block that describes something, as opposed to one of data. */
export interface FileBlock {
  readonly at: number;
  readonly id: string;
  readonly links: readonly number[];
  readonly view: DataView;
}

interface BlockHead {
  readonly at: number;
  readonly id: string;
  readonly links: readonly number[];
  readonly length: number;
  readonly dataAt: number;
}

const pageBytes = 64 * 1024;
/** Blocks that describe something are small; comments of large projects are not. */
const maxBlockBytes = 16 * 1024 * 1024;
/** Every block takes time and memory, also in a file that links one many times. */
const maxBlocks = 500_000;
const maxTextBytes = 64 * 1024;
/** A source that cannot seek is read into memory. */
const maxMemoryBytes = 256 * 1024 * 1024;
const firstMemoryBytes = 1024 * 1024;

const readAll = (source: ByteSource): Uint8Array => {
  let bytes = new Uint8Array(firstMemoryBytes);
  let length = 0;
  for (;;) {
    if (length === bytes.length) {
      if (length >= maxMemoryBytes) {
        refuseMf4(
          'not_seekable',
          `MF4 is not read in sequence, so a pipe can have at most ${maxMemoryBytes >> 20} MiB; read the file itself`,
        );
      }
      const larger = new Uint8Array(2 * length);
      larger.set(bytes);
      bytes = larger;
    }
    const got = source.read(bytes.subarray(length));
    if (got === 0) return bytes.subarray(0, length);
    length += got;
  }
};

/** Bytes of a file at any offset. */
export class Mf4File {
  readonly size: number;
  /** Bytes read up to now, which can be more than the file has. */
  bytesRead = 0;
  /** Offsets of blocks that something links to. */
  readonly known = new Set<number>();
  readonly #readAt: (into: Uint8Array, at: number) => number;
  readonly #page = new Uint8Array(pageBytes);
  #pageAt = 0;
  #pageLength = 0;
  #blocks = 0;

  constructor(source: ByteSource) {
    if (source.readAt && source.size !== null) {
      this.size = source.size;
      this.#readAt = (into, at) => source.readAt?.(into, at) ?? 0;
      return;
    }
    const bytes = readAll(source);
    this.size = bytes.length;
    this.#readAt = (into, at) => {
      const part = bytes.subarray(at, at + into.length);
      into.set(part);
      return part.length;
    };
  }

  /** Fills the array from an offset as far as the file has bytes, and returns their number. */
  read(into: Uint8Array, at: number): number {
    const wanted = Math.min(into.length, Math.max(0, this.size - at));
    let done = 0;
    while (done < wanted) {
      const got = this.#readAt(into.subarray(done, wanted), at + done);
      if (got === 0) break;
      done += got;
    }
    this.bytesRead += done;
    return done;
  }

  /** Returns bytes that are valid until the next call, or throws if the file has fewer. */
  bytes(at: number, length: number): Uint8Array {
    if (!(at >= 0) || at + length > this.size) this.#refuseBeyond(at);
    const from = at - this.#pageAt;
    if (from >= 0 && from + length <= this.#pageLength) {
      return this.#page.subarray(from, from + length);
    }
    const room = length > pageBytes ? new Uint8Array(length) : this.#page;
    const got = this.read(room, at);
    if (room === this.#page) {
      this.#pageAt = at;
      this.#pageLength = got;
    }
    if (got < length) this.#refuseBeyond(at);
    return room.subarray(0, length);
  }

  idAt(at: number): string {
    return latin1(this.bytes(at, blockHeader.length), 4);
  }

  lengthAt(at: number): number {
    const bytes = this.bytes(at, blockHeader.end);
    return getUint64(viewOf(bytes), blockHeader.length);
  }

  /** Reads the links of a block with an id, whose data have at least a length. */
  blockHead(at: number, id: string, dataBytes: number): BlockHead {
    this.#blocks += 1;
    if (this.#blocks > maxBlocks) {
      refuseMf4('too_many_blocks', `The file has more than ${maxBlocks} blocks`);
    }
    this.known.add(at);
    const head = viewOf(this.bytes(at, blockHeader.end));
    const found = this.idAt(at);
    if (found !== id) refuseMf4('wrong_block', `No block ${id} is at ${at}`, { at });
    const length = getUint64(head, blockHeader.length);
    const count = getUint64(head, blockHeader.linkCount);
    const linksEnd = blockHeader.end + count * linkBytes;
    if (linksEnd > maxBlockBytes || linksEnd + dataBytes > length) {
      refuseMf4(
        'wrong_length',
        `The block ${id} at ${at} claims ${length} bytes and ${count} links`,
        { at },
      );
    }
    if (at + length > this.size) this.#refuseBeyond(at);
    const view = viewOf(this.bytes(at, linksEnd));
    const links = Array.from({ length: count }, (_, index) =>
      getUint64(view, blockHeader.end + index * linkBytes),
    );
    return { at, id, links, length, dataAt: at + linksEnd };
  }

  /** Reads a block with an id. Lengths and counts are checked against the file first. */
  block(at: number, id: string, dataBytes = 0): FileBlock {
    const { links, length, dataAt } = this.blockHead(at, id, dataBytes);
    const rest = at + length - dataAt;
    if (rest > maxBlockBytes) {
      refuseMf4('wrong_length', `The block ${id} at ${at} claims ${length} bytes`, { at });
    }
    return { at, id, links, view: viewOf(this.bytes(dataAt, rest).slice()) };
  }

  /** Returns a text or comment; empty if there is none. */
  text(at: number): string {
    if (at === 0) return '';
    this.known.add(at);
    const id = this.idAt(at);
    if (id !== '##TX' && id !== '##MD') return '';
    const room = Math.min(this.lengthAt(at) - blockHeader.end, maxTextBytes);
    if (room <= 0) return '';
    const bytes = this.bytes(at + blockHeader.end, Math.min(room, this.size - at - 24));
    const end = bytes.indexOf(0);
    return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  /** Offset of the first known block after another, or the end of the file. */
  endAfter(at: number): number {
    let end = this.size;
    for (const each of this.known) if (each > at && each < end) end = each;
    return end;
  }

  #refuseBeyond(at: number): never {
    return refuseMf4(
      'truncated',
      `The file has ${this.size} bytes, but refers to a block at ${at}`,
      { at },
    );
  }
}

const decoder = new TextDecoder();

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

export const latin1 = (bytes: Uint8Array, length: number): string =>
  String.fromCharCode(...bytes.subarray(0, length));

/** Follows links from block to block, and refuses a link back. */
export const walk = (
  file: Mf4File,
  first: number,
  id: string,
  dataBytes: number,
  visit: (block: FileBlock) => void,
): void => {
  const seen = new Set<number>();
  for (let at = first; at !== 0; ) {
    if (seen.has(at)) {
      refuseMf4('link_loop', `The blocks ${id} are linked in a loop at ${at}`, { at });
    }
    seen.add(at);
    const block = file.block(at, id, dataBytes);
    visit(block);
    at = block.links[0] ?? 0;
  }
};
