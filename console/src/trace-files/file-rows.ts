import { maxFdLength } from '../../../src/frame/dlc.ts';
import { deviceStatus, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { channelKeyAt, channelOfKey } from '../../../src/trace/channel-key.ts';
import { errorDetailsAt, errorFramesAt } from '../../../src/trace/error-frames.ts';
import { type TraceBatch, traceDetail } from '../../../src/trace/trace-batch.ts';
import { type TraceGap, walkRows } from '../../../src/trace/trace-gap.ts';
import { ByIdTable } from '../trace-core/by-id-table.ts';
import type { RowPosition } from '../trace-core/chunk-view.ts';
import { everyChannel, FrameChunk, gapKind } from '../trace-core/frame-chunk.ts';
import type { RowTest } from '../trace-core/frame-store.ts';
import { RowEngine } from '../trace-core/row-engine.ts';
import type { SearchedRows } from '../trace-core/row-search.ts';
import { keptIds } from '../trace-core/trace-engine.ts';
import { FileView } from './file-view.ts';
import { PackedChunk, packedRows } from './packed-chunk.ts';

/** A channel of the file. Its slot is its position among the channels of the file. */
export interface FileChannel {
  readonly key: number;
  readonly bus: 'can' | 'lin';
  readonly number: number;
}

const notData = frameFlag.error | frameFlag.remote | frameFlag.noResponse | frameFlag.checksumError;

/** Errors of the file that are shown in their row. */
const maxReasons = 100;

const statusOf = (detail: number): number => {
  if ((detail & traceDetail.deviceLost) !== 0) return deviceStatus.lost;
  return (detail & traceDetail.deviceReturned) !== 0 ? deviceStatus.returned : 0;
};

const done = (): void => {};

/** All rows of a file in columns. */
export class FileRows extends RowEngine {
  readonly channels: FileChannel[] = [];
  /** Errors of the file by the number of their row. */
  readonly reasons = new Map<number, string>();
  readonly #slots = new Map<number, number>();
  readonly #byId = new ByIdTable(keptIds);
  /** The frames by ID again, with changes counted from a row on. */
  #marked: ByIdTable | null = null;
  #marking: { readonly serial: number; readonly table: ByIdTable; chunk: number } | null = null;
  readonly #chunks: PackedChunk[] = [];
  #open: PackedChunk | null = null;
  #view: FileView | null = null;
  readonly #scratch = new FrameChunk(1);
  readonly #matches = new Uint16Array(packedRows);
  #tested = 0;
  /** Start of the file, in microseconds since 1970. */
  startUs = 0;
  /** Earliest and latest time, because a file can be out of order. */
  firstUs = Number.NaN;
  lastUs = Number.NaN;
  total = 0;

  get unlisted(): number {
    return this.#byId.unlisted;
  }

  protected get view(): FileView {
    this.#view ??= new FileView([...this.#chunks], this.test !== null);
    return this.#view;
  }

  protected get table(): ByIdTable {
    return this.#marked ?? this.#byId;
  }

  protected get originUs(): number {
    return this.firstUs;
  }

  get shownFromUs(): number {
    return this.firstUs;
  }

  holdAll(): SearchedRows {
    return { view: this.view, isShown: this.test, release: done };
  }

  holdShown(): { readonly rows: Iterable<RowPosition>; readonly release: () => void } {
    return { rows: this.view, release: done };
  }

  /** Adds the events and gaps of a batch. */
  take(batch: TraceBatch): void {
    const scratch = this.#scratch;
    const addGap = ({ timeNs, missed, reason }: TraceGap): void => {
      scratch.reset();
      const timestampUs = this.startUs + timeNs / 1000;
      scratch.addGap({
        ...{ eventId: 0, missing: missed ?? Number.NaN, channel: everyChannel, timestampUs },
      });
      if (reason !== undefined && this.reasons.size < maxReasons) {
        this.reasons.set(this.total, reason);
      }
      this.#add();
    };
    const addEvent = (row: number): void => {
      scratch.reset();
      this.#fill(batch, row);
      scratch.sinceUs[0] = this.#byId.take(scratch, 0);
      this.#add();
    };
    walkRows(batch, addEvent, addGap);
  }

  /** Shows the rows of the last chunk, which is not full. */
  seal(): void {
    if (!this.#open) return;
    this.#open.trim();
    this.#chunks.push(this.#open);
    this.#open = null;
    this.#view = null;
  }

  /** Tests the rows of the next chunk. Returns false if all were tested. */
  testSome(): boolean {
    const chunk = this.#chunks[this.#tested];
    if (this.test === null || !chunk) return false;
    chunk.matches = this.#matchesOf(chunk, this.test);
    this.#tested++;
    this.#view = null;
    return true;
  }

  mark(serial: number | null): void {
    this.#marking = { serial: serial ?? 0, table: new ByIdTable(keptIds), chunk: 0 };
    this.changed();
  }

  unmark(): void {
    this.#marking = null;
    this.#marked = null;
    this.changed();
  }

  get isMarking(): boolean {
    return this.#marking !== null;
  }

  /** Counts the changes of the next chunk again. */
  markSome(): void {
    const marking = this.#marking;
    if (!marking) return;
    const { serial, table } = marking;
    const chunk = this.#chunks[marking.chunk++];
    const scratch = this.#scratch;
    for (let row = 0; row < (chunk?.count ?? 0); row++) {
      chunk?.unpack(row, scratch, 0);
      if (scratch.serial[0] === serial) {
        table.mark();
        table.markUs = scratch.timestampUs[0] as number;
      }
      if (scratch.kind[0] !== gapKind) table.take(scratch, 0);
    }
    if (chunk) return;
    this.#marked = table;
    this.#marking = null;
  }

  protected filterRows(_test: RowTest | null): void {
    this.#tested = 0;
    for (const chunk of this.#chunks) chunk.matches = null;
    this.#view = null;
  }

  /** At least as many as data frames of a message. */
  countFrames(slot: number, isMeant: (id: number, flags: number) => boolean): number {
    const { last, counts } = this.#byId;
    let count = 0;
    for (let row = 0; row < last.count; row++) {
      const isOwn = last.channel[row] === slot && last.kind[row] !== gapKind;
      if (!isOwn || !isMeant(last.id[row] as number, last.flags[row] as number)) continue;
      count += counts[row] as number;
    }
    return count;
  }

  /**
   * Calls `take` with the time and the place of the data of each data frame of a message in a
   * chunk. Returns whether there are further chunks.
   */
  visitFrames(
    at: number,
    slot: number,
    isMeant: (id: number, flags: number) => boolean,
    take: (us: number, payload: Uint8Array, at: number, length: number) => void,
  ): boolean {
    const chunk = this.#chunks[at];
    if (!chunk) return false;
    const { count, channel, id, flags, timestampUs, payload, payloadAt, length } = chunk;
    for (let row = 0; row < count; row++) {
      if (channel[row] !== slot || ((flags[row] as number) & notData) !== 0) continue;
      if (!isMeant(id[row] as number, flags[row] as number) || chunk.isGap(row)) continue;
      const us = timestampUs[row] as number;
      take(us, payload, payloadAt[row] as number, length[row] as number);
    }
    return at + 1 < this.#chunks.length;
  }

  #fill(batch: TraceBatch, row: number): void {
    const into = this.#scratch;
    const flags = batch.flags[row] as number;
    const isError = (flags & frameFlag.error) !== 0;
    const length = isError ? errorDetailsAt(batch, row) : (batch.length[row] as number);
    into.count = 1;
    into.timestampUs[0] = this.startUs + (batch.timeNs[row] as number) / 1000;
    into.id[0] = batch.id[row] as number;
    into.flags[0] = flags;
    into.status[0] = statusOf(batch.detail[row] as number);
    into.channel[0] = this.#slotOf(channelKeyAt(batch, row));
    into.kind[0] = batch.kind[row] as number;
    into.bus[0] = batch.bus[row] as number;
    into.dlc[0] = batch.dlc[row] as number;
    into.length[0] = length;
    into.checksum[0] = batch.checksum[row] as number;
    into.errors[0] = errorFramesAt(batch, row);
    const from = row * maxFdLength;
    for (let i = 0; i < length; i++) into.payload[i] = batch.payload[from + i] as number;
  }

  #slotOf(key: number): number {
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const slot = this.channels.length;
    const { channel: number, bus } = channelOfKey(key);
    this.channels.push({ key, bus, number });
    this.#slots.set(key, slot);
    return slot;
  }

  #add(): void {
    this.#open ??= new PackedChunk(this.total);
    this.#open.add(this.#scratch, 0);
    const us = this.#scratch.timestampUs[0] as number;
    if (!(us >= this.firstUs)) this.firstUs = us;
    if (!(us <= this.lastUs)) this.lastUs = us;
    this.total++;
    if (this.#open.isFull) this.seal();
  }

  #matchesOf(chunk: PackedChunk, test: RowTest): Uint16Array {
    const scratch = this.#scratch;
    let count = 0;
    for (let row = 0; row < chunk.count; row++) {
      chunk.unpack(row, scratch, 0);
      if (test(scratch, 0)) this.#matches[count++] = row;
    }
    return this.#matches.slice(0, count);
  }
}
