import type { TraceBatch } from '../trace-batch.ts';
import type { ByteSink } from '../trace-format.ts';
import { setTimeNs } from '../uint64.ts';
import {
  baseHeaderSize,
  compression,
  container,
  objectHeader,
  objectMagic,
  objectType,
  timedHeaderSize,
  timeUnit,
} from './blf-layout.ts';

const containerBytes = 0x2_0000;
const containerHeaderSize = baseHeaderSize + container.data;
const maxOverhead = 256;
const padding = new Uint8Array(3);

/** BLF pads an object by the remainder, not up to the next multiple of four. */
const paddingOf = (size: number): number => size % 4;

/** Makes zlib streams. Browsers have no synchronous one. */
export interface Compression {
  readonly level: number;
  readonly compress: (contents: Uint8Array) => Uint8Array;
}

type Totals = Pick<ContainerWriter, 'fileSize' | 'uncompressedSize' | 'objectCount' | 'lastTimeNs'>;

/**
 * Collects objects into containers. No object crosses the end of a container, so damage stays
 * local.
 */
export class ContainerWriter {
  view: DataView;
  bytes: Uint8Array;
  fileSize: number;
  uncompressedSize: number;
  objectCount = 0;
  lastTimeNs = 0;
  readonly #sink: ByteSink;
  readonly #compression: Compression | null;
  #used = 0;
  #flushed: Totals;
  #kept: Totals;

  constructor(sink: ByteSink, fileHeaderSize: number, compression: Compression | null) {
    this.#sink = sink;
    this.#compression = compression;
    this.fileSize = fileHeaderSize;
    this.uncompressedSize = fileHeaderSize;
    this.bytes = new Uint8Array(containerBytes);
    this.view = new DataView(this.bytes.buffer);
    this.#flushed = this.#totals();
    this.#kept = this.#flushed;
  }

  /** Deflate can exceed its input by a few bytes per block. */
  get held(): number {
    return this.#used === 0 ? 0 : this.#used + containerHeaderSize + maxOverhead;
  }

  begin(type: number, bodySize: number, timeNs: number, objectVersion = 0): number {
    const size = timedHeaderSize + bodySize;
    const room = size + paddingOf(size);
    if (this.#used + room > this.bytes.length) this.#makeRoom(room);
    const { view } = this;
    const at = this.#used;
    view.setUint32(at, objectMagic, true);
    view.setUint16(at + objectHeader.headerSize, timedHeaderSize, true);
    view.setUint16(at + objectHeader.version, 1, true);
    view.setUint32(at + objectHeader.size, size, true);
    view.setUint32(at + objectHeader.type, type, true);
    view.setUint32(at + objectHeader.timeUnit, timeUnit.nanosecond, true);
    view.setUint16(at + objectHeader.objectVersion, objectVersion, true);
    setTimeNs(view, at + objectHeader.time, timeNs);
    this.#used += room;
    this.objectCount += 1;
    this.lastTimeNs = Math.max(this.lastTimeNs, timeNs);
    return at + timedHeaderSize;
  }

  flush(): void {
    if (this.#used === 0) return;
    const contents = this.bytes.subarray(0, this.#used);
    const data = this.#compression?.compress(contents) ?? contents;
    const size = containerHeaderSize + data.length;
    this.#write(this.#header(size));
    this.#write(data);
    this.#write(padding.subarray(0, paddingOf(size)));
    this.uncompressedSize += containerHeaderSize + contents.length;
    contents.fill(0);
    this.#used = 0;
    this.#flushed = this.#totals();
  }

  /** The containers that were flushed are in the file. */
  keep(): void {
    this.#kept = this.#flushed;
  }

  /** Restores the totals of the last `keep`. */
  discard(): void {
    Object.assign(this, this.#kept);
    this.#flushed = this.#kept;
  }

  #totals(): Totals {
    const { fileSize, uncompressedSize, objectCount, lastTimeNs } = this;
    return { fileSize, uncompressedSize, objectCount, lastTimeNs };
  }

  #makeRoom(room: number): void {
    this.flush();
    if (room <= this.bytes.length) return;
    this.bytes = new Uint8Array(room);
    this.view = new DataView(this.bytes.buffer);
  }

  #header(size: number): Uint8Array {
    const header = new Uint8Array(containerHeaderSize);
    const view = new DataView(header.buffer);
    view.setUint32(0, objectMagic, true);
    view.setUint16(objectHeader.headerSize, baseHeaderSize, true);
    view.setUint16(objectHeader.version, 1, true);
    view.setUint32(objectHeader.size, size, true);
    view.setUint32(objectHeader.type, objectType.logContainer, true);
    const method = this.#compression ? compression.zlib : compression.none;
    view.setUint16(baseHeaderSize + container.method, method, true);
    view.setUint32(baseHeaderSize + container.uncompressedSize, this.#used, true);
    return header;
  }

  #write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#sink.write(bytes);
    this.fileSize += bytes.length;
  }
}

/** Writes the row of a batch as one object. */
export type EncodeRow = (
  to: ContainerWriter,
  batch: TraceBatch,
  row: number,
  timeNs: number,
) => void;
