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

interface DataHead {
  readonly id: string;
  readonly length: number;
  readonly view: DataView;
}

/** Blocks that link one another can be far apart, so some pages are kept. */
const pageBytes = 16 * 1024;
const maxPages = 64;
/** Blocks that describe something are small; comments of large projects are not. */
const maxBlockBytes = 16 * 1024 * 1024;
/** Every block takes time and memory, also in a file that links one many times. */
const maxBlocks = 200_000;
const maxDescriptionBytes = 128 * 1024 * 1024;
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
  readonly #pages = new Map<number, Uint8Array>();
  #blocks = 0;
  #described = 0;
  #sorted: Float64Array | undefined;

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
    const number = Math.floor(at / pageBytes);
    const from = at - number * pageBytes;
    if (from + length <= pageBytes) {
      const page = this.#page(number);
      if (from + length > page.length) this.#refuseBeyond(at);
      return page.subarray(from, from + length);
    }
    const bytes = new Uint8Array(length);
    if (this.read(bytes, at) < length) this.#refuseBeyond(at);
    return bytes;
  }

  #page(number: number): Uint8Array {
    const known = this.#pages.get(number);
    if (known) return known;
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size === maxPages) this.#pages.delete(oldest);
    const room = new Uint8Array(pageBytes);
    const page = room.subarray(0, this.read(room, number * pageBytes));
    this.#pages.set(number, page);
    return page;
  }

  idAt(at: number): string {
    return latin1(this.bytes(at, blockHeader.length), 4);
  }

  /** Reads the header of a data block. Others are far from it, so nothing else is read. */
  dataHead(at: number, length: number = blockHeader.end): DataHead {
    const head = new Uint8Array(length);
    if (!(at >= 0) || at + length > this.size || this.read(head, at) < length) {
      this.#refuseBeyond(at);
    }
    const view = viewOf(head);
    return { id: latin1(head, 4), length: getUint64(view, blockHeader.length), view };
  }

  /** Reads the links of a block with an id, whose data have at least a length. */
  blockHead(at: number, id: string, dataBytes: number): BlockHead {
    this.#blocks += 1;
    if (this.#blocks > maxBlocks) {
      refuseMf4('too_many_blocks', `The file has more than ${maxBlocks} blocks`);
    }
    this.known.add(at);
    const bytes = this.bytes(at, blockHeader.end);
    if (!hasId(bytes, id)) refuseMf4('wrong_block', `No block ${id} is at ${at}`, { at });
    const head = viewOf(bytes);
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
    this.#describe(linksEnd);
    const view = viewOf(this.bytes(at, linksEnd));
    const links: number[] = [];
    for (let from = blockHeader.end; from < linksEnd; from += linkBytes) {
      links.push(getUint64(view, from));
    }
    return { at, id, links, length, dataAt: at + linksEnd };
  }

  /** Reads a block with an id. Lengths and counts are checked against the file first. */
  block(at: number, id: string, dataBytes = 0): FileBlock {
    const { links, length, dataAt } = this.blockHead(at, id, dataBytes);
    const rest = at + length - dataAt;
    if (rest > maxBlockBytes) {
      refuseMf4('wrong_length', `The block ${id} at ${at} claims ${length} bytes`, { at });
    }
    this.#describe(rest);
    return { at, id, links, view: viewOf(this.bytes(dataAt, rest).slice()) };
  }

  /** Returns a text or comment; empty if there is none. */
  text(at: number): string {
    if (at === 0) return '';
    this.known.add(at);
    const id = this.idAt(at);
    if (id !== '##TX' && id !== '##MD') return '';
    const length = getUint64(viewOf(this.bytes(at, blockHeader.end)), blockHeader.length);
    const from = at + blockHeader.end;
    const room = Math.min(length - blockHeader.end, maxTextBytes, this.size - from);
    if (room <= 0) return '';
    this.#describe(room);
    const bytes = this.bytes(from, room);
    const end = bytes.indexOf(0);
    return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  /** Offset of the first block after another that the structure links to, or the end of the file. */
  endAfter(at: number): number {
    this.#sorted ??= Float64Array.from(this.known).sort();
    const sorted = this.#sorted;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return Math.min(sorted[low] ?? this.size, this.size);
  }

  #describe(bytes: number): void {
    this.#described += bytes;
    if (this.#described > maxDescriptionBytes) {
      refuseMf4(
        'too_many_blocks',
        `The description of the records has more than ${maxDescriptionBytes >> 20} MiB`,
      );
    }
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

const hasId = (bytes: Uint8Array, id: string): boolean => {
  for (let i = 0; i < id.length; i++) if (bytes[i] !== id.charCodeAt(i)) return false;
  return true;
};

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
