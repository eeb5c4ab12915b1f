import { deflateSync } from 'node:zlib';
import { ReaderStats } from '../reader-stats.ts';
import type { ByteSink, ByteSource, TraceAttachment } from '../trace-format.ts';
import { getUint64, setUint64 } from '../uint64.ts';
import { BlockChain } from './block-chain.ts';
import { DataStream } from './data-stream.ts';
import { buildFileHead, type FileHead, identificationBytes } from './file-head.ts';
import { type FileStructure, readAttachmentBytes, readStructure } from './file-structure.ts';
import { MemoryBudget } from './memory-budget.ts';
import { Mf4File, refuseMf4 } from './mf4-file.ts';
import {
  blockAlignment,
  blockHeader,
  headerList,
  identification,
  zipMethod,
  zipped,
} from './mf4-layout.ts';
import {
  field,
  groupId,
  orderBytes,
  orderedGroups,
  ourGroups,
  recordIdBytes,
} from './our-groups.ts';
import { RemarkLog } from './remark-log.ts';
import { RemarkReader } from './remark-record.ts';
import { toColumns } from './zipped-block.ts';

/** More compresses hardly better, and readers have a block of each group in memory. */
const blockBytes = 1024 * 1024;
const compressionLevel = 6;
const recordsPerStep = 20_000;

const paddingOf = (length: number): number => (blockAlignment - (length % blockAlignment)) % 8;

class Output {
  at = 0;
  readonly #sink: ByteSink;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  write(bytes: Uint8Array): void {
    this.#sink.write(bytes);
    this.at += bytes.length;
  }

  align(): void {
    const padding = paddingOf(this.at);
    if (padding > 0) this.write(new Uint8Array(padding));
  }
}

/** Collects the records of a group and writes them in blocks. */
class GroupBlocks {
  cycles = 0;
  readonly #output: Output;
  readonly #recordBytes: number;
  readonly #blocks: { readonly at: number; readonly start: number }[] = [];
  readonly #room: number;
  #bytes = new Uint8Array();
  #view = new DataView(this.#bytes.buffer);
  #used = 0;
  #written = 0;

  constructor(output: Output, recordBytes: number) {
    this.#output = output;
    this.#recordBytes = recordBytes;
    this.#room = Math.floor(blockBytes / recordBytes) * recordBytes;
  }

  add(bytes: Uint8Array, from: number, order: number): void {
    if (this.#bytes.length === 0) {
      this.#bytes = new Uint8Array(this.#room);
      this.#view = new DataView(this.#bytes.buffer);
    }
    const length = this.#recordBytes - orderBytes;
    const at = this.#used;
    for (let i = 0; i < length; i++) this.#bytes[at + i] = bytes[from + i] as number;
    this.#view.setUint32(at + length, order, true);
    this.#used = at + this.#recordBytes;
    this.cycles += 1;
    if (this.#used === this.#room) this.#flush();
  }

  /** Writes what is left and the list of blocks, and returns its offset; 0 without records. */
  end(): number {
    this.#flush();
    if (this.#blocks.length === 0) return 0;
    const chain = new BlockChain();
    const data = new Uint8Array(8 + 8 * this.#blocks.length);
    const view = new DataView(data.buffer);
    view.setUint32(4, this.#blocks.length, true);
    this.#blocks.forEach(({ start }, index) => {
      setUint64(view, 8 + 8 * index, start);
    });
    const list = chain.add('##DL', [0, ...this.#blocks.map(({ at }) => at)], data);
    const top = new Uint8Array(headerList.end);
    top[headerList.zipMethod] = zipMethod.transposed;
    const head = chain.add('##HL', [list], top);
    this.#output.write(chain.bytesAt(this.#output.at));
    return head.at;
  }

  #flush(): void {
    if (this.#used === 0) return;
    const columns = new Uint8Array(this.#used);
    toColumns(this.#bytes.subarray(0, this.#used), this.#recordBytes, columns);
    const packed = deflateSync(columns, { level: compressionLevel });
    const head = new Uint8Array(blockHeader.end + zipped.data);
    const view = new DataView(head.buffer);
    const encoder = new TextEncoder();
    encoder.encodeInto('##DZ', head);
    setUint64(view, blockHeader.length, head.length + packed.length);
    encoder.encodeInto('DT', head.subarray(blockHeader.end + zipped.original));
    view.setUint8(blockHeader.end + zipped.method, zipMethod.transposed);
    view.setUint32(blockHeader.end + zipped.parameter, this.#recordBytes, true);
    setUint64(view, blockHeader.end + zipped.originalSize, this.#used);
    setUint64(view, blockHeader.end + zipped.zippedSize, packed.length);
    this.#blocks.push({ at: this.#output.at, start: this.#written });
    this.#output.write(head);
    this.#output.write(packed);
    this.#output.align();
    this.#written += this.#used;
    this.#used = 0;
  }
}

const refuseForeign = ({ dataGroups }: FileStructure): void => {
  const [only] = dataGroups;
  const isOurs =
    dataGroups.length === 1 &&
    only?.recordIdBytes === recordIdBytes &&
    only.groups.length === ourGroups.length &&
    ourGroups.every(({ id, name, dataBytes }, index) => {
      const group = only.groups[index];
      return group?.recordId === id && group.name === name && group.dataBytes === dataBytes;
    });
  if (!isOurs) {
    refuseMf4(
      'not_compressible',
      'Only uncompressed MF4 files that Busbar recorded are compressed',
    );
  }
};

const recordBytes = Uint32Array.from([0, ...ourGroups.map(({ dataBytes }) => dataBytes)]);

/** Copies records from the growing form of a file into the compressed one. */
class Compression {
  readonly #sink: ByteSink;
  readonly #output: Output;
  readonly #stream: DataStream;
  readonly #head: FileHead;
  readonly #groups: readonly GroupBlocks[];
  readonly #remarks = new RemarkLog();
  readonly #names = new Map<number, string>();
  readonly #texts = new RemarkReader(this.#names);
  #at = 0;
  #order = 0;

  constructor(source: ByteSource, sink: ByteSink) {
    const file = new Mf4File(source);
    const structure = readStructure(file);
    refuseForeign(structure);
    const attachments: TraceAttachment[] = readAttachmentBytes(file, structure.attachments);
    this.#sink = sink;
    this.#output = new Output(sink);
    this.#head = buildFileHead({
      startUnixUs: structure.startUnixUs ?? 0,
      attachments,
      isSorted: true,
    });
    const { unfinalized, dataGroups } = structure;
    const link = dataGroups[0]?.dataAt ?? 0;
    const account = new ReaderStats();
    this.#stream = new DataStream(file, account, new MemoryBudget(), link, 'DT', unfinalized);
    this.#groups = orderedGroups.map((group) => new GroupBlocks(this.#output, group.dataBytes));
    this.#output.write(this.#head.bytes);
  }

  /** Copies some records; false at the end. */
  step(): boolean {
    const stream = this.#stream;
    for (let left = recordsPerStep; left > 0; left--) {
      const idAt = stream.find(this.#at, recordIdBytes);
      if (idAt < 0) return false;
      const id = stream.bytes[idAt] as number;
      const length = recordBytes[id] ?? 0;
      const at = length === 0 ? -1 : stream.find(this.#at + recordIdBytes, length);
      if (at < 0) return false;
      if (id === groupId.remark) this.#takeRemark(stream, at);
      (this.#groups[id - 1] as GroupBlocks).add(stream.bytes, at, this.#order);
      this.#order = (this.#order + 1) >>> 0;
      this.#at += recordIdBytes + length;
    }
    return true;
  }

  end(): void {
    const { bytes, view, dataLinksAt, cyclesAt, eventLinkAt, commentLinkAt } = this.#head;
    this.#groups.forEach((group, index) => {
      setUint64(view, dataLinksAt[index] as number, group.end());
      setUint64(view, cyclesAt[index] as number, group.cycles);
    });
    for (const [key, name] of this.#names) this.#remarks.name(key, name);
    const tail = this.#remarks.blocksAt(this.#output.at);
    this.#output.write(tail.bytes);
    setUint64(view, eventLinkAt, tail.eventAt);
    setUint64(view, commentLinkAt, tail.commentAt);
    this.#sink.rewrite?.(identification.end, bytes.subarray(identification.end));
    this.#sink.rewrite?.(0, identificationBytes(0));
  }

  #takeRemark({ bytes, view }: DataStream, at: number): void {
    const note = this.#texts.take(bytes, at);
    if (note !== undefined) this.#remarks.note(getUint64(view, at + field.timeNs), note);
  }
}

/**
 * Writes a recorded file again with its records compressed, also one that was cut. The sink must be
 * able to overwrite bytes. Yields between pieces, so that a thread can do something else.
 */
export function* compressMf4(source: ByteSource, sink: ByteSink): Generator<void, void> {
  if (!sink.rewrite)
    throw new RangeError('the sink of a compressed file must be able to overwrite');
  const compression = new Compression(source, sink);
  while (compression.step()) yield;
  compression.end();
}
