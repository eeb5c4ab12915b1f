import { BusbarError } from '../../base/errors/busbar-error.ts';
import { busCode } from '../../frame/frm2-layout.ts';
import { channelKey } from '../channel-key.ts';
import type { TraceBatch } from '../trace-batch.ts';
import type { ByteSink, CreateTrace, TraceWriteOptions, TraceWriter } from '../trace-format.ts';
import { setTimeNs, setUint64 } from '../uint64.ts';
import { encodeRecord, groupOf } from './encode-record.ts';
import {
  buildFileHead,
  dataBlockHeader,
  type FileHead,
  growing,
  identificationBytes,
} from './file-head.ts';
import { blockAlignment, blockHeader, identification, unfinalizedFlag } from './mf4-layout.ts';
import { groupId, ourGroups, recordIdBytes } from './our-groups.ts';
import { RemarkLog } from './remark-log.ts';
import { encodeNameRecord, encodeNoteRecords } from './remark-record.ts';

const bufferBytes = 64 * 1024;
/** Maximum of 64 bits (584 years), minus rounding. */
const lastTimeNs = 2 ** 64 - 2 ** 12;
const channelKeys = 0x2_0000;

const recordBytes = Uint32Array.from(
  [0, ...ourGroups.map(({ dataBytes }) => dataBytes)],
  (bytes) => recordIdBytes + bytes,
);
const maxRecordBytes = Math.max(...recordBytes);

const refuseStart = (startUnixUs: number): void => {
  if (startUnixUs >= 0 && startUnixUs * 1000 <= lastTimeNs) return;
  throw new BusbarError('invalid_trace', {
    message: 'The trace starts outside the years 1970 to 2554, which MF4 files support',
    details: { field: 'input', reason: 'start_out_of_range' },
  });
};

class Mf4Writer implements TraceWriter {
  clamped = 0;
  readonly unwritten: Record<string, number> = {};
  readonly #sink: ByteSink;
  readonly #channelName: TraceWriteOptions['channelName'];
  readonly #head: FileHead;
  readonly #bytes = new Uint8Array(bufferBytes);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #named = new Uint8Array(channelKeys);
  readonly #cycles = new Float64Array(ourGroups.length + 1);
  readonly #remarks = new RemarkLog();
  #at = 0;
  #written = 0;
  #isEnded = false;
  #keptWritten = 0;
  readonly #keptCycles = new Float64Array(ourGroups.length + 1);
  /** Channels whose names are not kept yet. */
  #newNames: number[] = [];

  constructor(sink: ByteSink, { startUnixUs, channelName, attachments }: TraceWriteOptions) {
    refuseStart(startUnixUs ?? 0);
    this.#sink = sink;
    this.#channelName = channelName;
    this.#head = buildFileHead({
      startUnixUs: startUnixUs ?? 0,
      attachments: attachments ?? [],
      isSorted: false,
    });
    const { bytes, view, dataLinksAt } = this.#head;
    setUint64(view, dataLinksAt[0] as number, bytes.length);
    sink.write(bytes);
    sink.write(dataBlockHeader(blockHeader.end));
  }

  write(batch: TraceBatch, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      const ownTimeNs = Math.round(batch.timeNs[row] as number);
      if (ownTimeNs < 0) this.clamped += 1;
      if (ownTimeNs > lastTimeNs) {
        this.unwritten.too_late = (this.unwritten.too_late ?? 0) + 1;
        continue;
      }
      const timeNs = Math.max(0, ownTimeNs);
      const key = channelKey(batch.channel[row] as number, batch.bus[row] as number);
      if (this.#named[key] === 0) this.#name(batch, row, key, timeNs);
      const group = groupOf(batch, row);
      const at = this.#begin(group);
      encodeRecord(this.#view, this.#bytes, at, group, batch, row, timeNs);
    }
    this.#flush();
  }

  note(timeNs: number, text: string): void {
    const noteTimeNs = Math.min(Math.max(0, Math.round(timeNs)), lastTimeNs);
    this.#remarks.note(noteTimeNs, text);
    encodeNoteRecords(text, (record) => this.#putRemark(record, noteTimeNs));
    this.#flush();
  }

  rename(channel: number): void {
    this.#named[channelKey(channel, 0)] = 0;
    this.#named[channelKey(channel, busCode.lin)] = 0;
  }

  keep(): void {
    this.#keptWritten = this.#written;
    this.#keptCycles.set(this.#cycles);
    if (this.#newNames.length > 0) this.#newNames = [];
    this.#remarks.keep();
  }

  discard(): void {
    this.#written = this.#keptWritten;
    this.#cycles.set(this.#keptCycles);
    for (const key of this.#newNames) this.#named[key] = 0;
    this.#newNames = [];
    this.#remarks.discard();
    this.#isEnded = false;
  }

  /**
   * Completes the file in place. A program that is killed meanwhile leaves a file that says what
   * it lacks, so the length of the data is correct before anything follows the data.
   */
  end(): void {
    const sink = this.#sink;
    if (this.#isEnded || !sink.rewrite) return;
    this.#isEnded = true;
    const { bytes, view, eventLinkAt, commentLinkAt, cyclesAt } = this.#head;
    const dataEnd = bytes.length + blockHeader.end + this.#written;
    sink.rewrite(bytes.length, dataBlockHeader(blockHeader.end + this.#written));
    sink.rewrite(0, identificationBytes(growing & ~unfinalizedFlag.dataLength));
    const tailAt = Math.ceil(dataEnd / blockAlignment) * blockAlignment;
    const tail = this.#remarks.blocksAt(tailAt);
    if (tail.bytes.length > 0) {
      sink.write(new Uint8Array(tailAt - dataEnd));
      sink.write(tail.bytes);
    }
    setUint64(view, eventLinkAt, tail.eventAt);
    setUint64(view, commentLinkAt, tail.commentAt);
    ourGroups.forEach(({ id }, index) => {
      setUint64(view, cyclesAt[index] as number, this.#cycles[id] as number);
    });
    sink.rewrite(identification.end, bytes.subarray(identification.end));
    sink.rewrite(0, identificationBytes(0));
  }

  /** Begins a record and returns where its data begins. */
  #begin(group: number): number {
    if (this.#at > bufferBytes - maxRecordBytes) this.#flush();
    const at = this.#at;
    this.#bytes[at] = group;
    this.#at = at + (recordBytes[group] as number);
    this.#cycles[group] = (this.#cycles[group] as number) + 1;
    return at + recordIdBytes;
  }

  #putRemark(record: Uint8Array, timeNs: number): void {
    const at = this.#begin(groupId.remark);
    this.#bytes.set(record, at);
    setTimeNs(this.#view, at, timeNs);
  }

  #name(batch: TraceBatch, row: number, key: number, timeNs: number): void {
    this.#named[key] = 1;
    this.#newNames.push(key);
    const channel = batch.channel[row] as number;
    const bus = batch.bus[row] as number;
    const name = this.#channelName(channel, bus);
    if (name === null || name === '') return;
    this.#remarks.name(key, name);
    this.#putRemark(encodeNameRecord(channel, bus, name), timeNs);
  }

  #flush(): void {
    if (this.#at === 0) return;
    const filled = this.#bytes.subarray(0, this.#at);
    this.#written += this.#at;
    this.#at = 0;
    this.#sink.write(filled);
  }
}

/**
 * Writes MF4: one data block at the end of the file that grows, whose records have a fixed length.
 * A file that was cut loses only the record it was cut in. `end` completes it if the sink can
 * overwrite bytes; otherwise it stays marked as not finalized, which readers accept.
 */
export const createMf4: CreateTrace = (sink, options) => new Mf4Writer(sink, options);
