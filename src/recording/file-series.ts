import type { Clock } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { TraceBatch } from '../trace/trace-batch.ts';
import { gapRemark } from '../trace/trace-gap.ts';
import { addGap, addTrigger, type TriggerMark } from './file-list.ts';
import { fileFailure } from './recording-file.ts';
import type { RecordedFile } from './recording-record.ts';
import type { RecordingRequest } from './recording-request.ts';
import type { OpenFile, SeriesFiles } from './series-files.ts';
import { SplitLimits } from './split-limits.ts';
import type { TraceFile } from './trace-file.ts';

/** Rows in order of time, with their event ids. */
export interface SortedRows {
  readonly batch: TraceBatch;
  readonly ids: Float64Array;
  /** Smallest id of the events after these rows, as far as they are known. */
  nextId(): number;
}

/** Where sorted rows go. */
export interface RowTarget {
  /** Returns the row after the last one accepted: `to`, unless the target is blocked. */
  write(rows: SortedRows, from: number, to: number): number;
  /** Returns whether the gap was accepted. */
  gap(timeNs: number, missed: number | null): boolean;
  readonly isBlocked: boolean;
}

/** A long list is saved less often where only the counts of a file that grows have changed. */
const listBytesPerSecond = 64 * 1024;

export interface FileSeriesOptions {
  readonly request: RecordingRequest;
  readonly clock: Clock;
  readonly files: SeriesFiles;
  /** Unix time of the rows' time 0. */
  readonly startUnixUs: number;
}

/**
 * The files of a recording, one after the other. Rows that the disk refuses are kept and block
 * the series until `retry` has written them.
 *
 *     opening ──▶ writing ──▶ ending ──▶ opening …      each until the disk accepts it
 */
export class FileSeries implements RowTarget {
  /** Events that were accepted, and that are not in the file that was left. */
  lost = 0;
  readonly #request: RecordingRequest;
  readonly #files: SeriesFiles;
  readonly #clock: Clock;
  readonly #limits: SplitLimits;
  readonly #startUnixUs: number;
  readonly #hasRemarks: boolean;
  #file: OpenFile | null = null;
  #isEnding = false;
  #openFailure: BusbarError | null = null;
  #offsetNs = 0;
  #lastNs = 0;
  /** Of the events that were encoded for the current file. */
  #firstId: number | null = null;
  #lastId: number | null = null;
  #closedFrames = 0;
  #closedBytes = 0;
  #listedFrames = 0;
  #countsDueUs = 0;
  #idsAfter = new Float64Array(0);

  constructor({ request, clock, files, startUnixUs }: FileSeriesOptions) {
    this.#request = request;
    this.#files = files;
    this.#startUnixUs = startUnixUs;
    this.#clock = clock;
    this.#limits = new SplitLimits(clock, request.split ?? {});
    // python-can stops at a line of a candump log that is not a frame.
    this.#hasRemarks = request.name === null || request.format !== 'candump';
  }

  get frames(): number {
    return this.#closedFrames + (this.#file?.trace.frames ?? 0);
  }

  get bytes(): number {
    return this.#closedBytes + (this.#file?.trace.file.size ?? 0);
  }

  get files(): readonly RecordedFile[] {
    this.#measure();
    return this.#files.files;
  }

  get hasNumber(): boolean {
    return this.#files.hasNumber;
  }

  /** Why nothing is accepted, or null. */
  get blockedBy(): BusbarError | null {
    if (this.#openFailure) return this.#openFailure;
    const failure = this.#file?.trace.failure ?? null;
    return failure === null ? null : fileFailure(this.#path, failure);
  }

  get isBlocked(): boolean {
    return this.blockedBy !== null;
  }

  /** Opens a file that starts at a time. Throws a refusal, and then leaves no file. */
  open(timeNs = 0): void {
    const offsetUs = Math.floor(timeNs / 1000);
    this.#file = this.#files.open(this.#startUnixUs + offsetUs);
    this.#offsetNs = offsetUs * 1000;
    this.#firstId = null;
    this.#lastId = null;
    this.#limits.opened();
  }

  write(rows: SortedRows, from: number, to: number): number {
    let row = from;
    while (row < to && this.#isReady(rows.batch.timeNs[row] as number)) {
      const file = this.#file as OpenFile;
      row = this.#encode(file, rows, row, to);
      if (!file.trace.store()) return row;
      if (row < to) this.#end();
    }
    return row;
  }

  gap(timeNs: number, missed: number | null): boolean {
    if (!this.#isReady(timeNs)) return false;
    const { entry } = this.#file as OpenFile;
    addGap(entry, this.#lastId, missed);
    this.#files.changed();
    this.note(timeNs, gapRemark(missed));
    return true;
  }

  note(timeNs: number, text: string): void {
    const { trace } = this.#file ?? {};
    if (!trace || !this.#hasRemarks) return;
    trace.note(timeNs - this.#offsetNs, text);
    trace.store();
  }

  /** Marks a trigger in the current file, or in one that is opened for it. */
  mark(timeNs: number, text: string, mark: TriggerMark): boolean {
    if (!this.#isReady(timeNs)) return false;
    const { entry, trace } = this.#file as OpenFile;
    addTrigger(entry, this.#lastId, mark);
    this.#files.changed();
    this.#describe(trace, timeNs, text);
    trace.store();
    return true;
  }

  /** Completes the current file; the next row opens another. Returns whether the disk took it. */
  endFile(): boolean {
    this.#end();
    return !this.isBlocked;
  }

  /** Throws what opening a file would throw, and leaves none. */
  check(): void {
    this.#files.check(this.#startUnixUs);
  }

  /** Writes what the format holds back. */
  flush(): void {
    if (!this.isBlocked) this.#file?.trace.flush();
  }

  /** Ends a file whose time is over although no event comes. */
  expire(): void {
    const { trace } = this.#file ?? {};
    if (trace && trace.frames > 0 && !this.isBlocked && this.#limits.isOver(trace.size))
      this.#end();
  }

  /** Makes what was written safe against a power cut, without blocking. */
  sync(): void {
    const { file } = this.#file?.trace ?? {};
    if (file && !file.isSyncing) file.syncLater();
    this.#measure();
    this.#listCounts();
    this.#files.save();
  }

  /** Tries again what the disk has refused. Returns whether rows are accepted again. */
  retry(): boolean {
    if (this.#isEnding) this.#end();
    else if (this.#openFailure) this.#isReady(this.#lastNs);
    else this.#file?.trace.store();
    return !this.isBlocked;
  }

  /** Why the current file is lost, or null. */
  lossReason(): string | null {
    return this.#file?.trace.file.lossReason() ?? null;
  }

  /** Completes the current file, however much of it the disk takes; the next row opens another. */
  leave(): void {
    if (this.#file && !this.isBlocked) this.#end();
    if (this.#file) this.complete();
  }

  /** Ends the current file and waits for the disk. Returns why that failed, or null. */
  finish(): BusbarError | null {
    const file = this.#file;
    if (!file) return this.#openFailure;
    const { trace } = file;
    const path = this.#path;
    if (trace.isBlocked) trace.store();
    if (!trace.isBlocked && !this.#isEnding) this.#describeEnd(file);
    const reason = !trace.isBlocked && trace.end() ? trace.file.sync() : trace.failure;
    this.complete();
    return reason === null ? null : fileFailure(path, reason);
  }

  /** Saves the list of files. Returns why that failed, or null. */
  saveList(): BusbarError | null {
    try {
      this.#files.saveNow();
      return null;
    } catch (thrown) {
      return BusbarError.from(thrown);
    }
  }

  /** Completes the current file on a disk that refuses more. */
  complete(): void {
    const file = this.#file;
    if (!file) return;
    const { trace } = file;
    if (!trace.isBlocked) trace.end();
    const encoded = trace.frames + trace.pending;
    if (trace.isBlocked) trace.complete();
    this.lost += encoded - trace.frames;
    // It is not known which of them the disk took.
    if (trace.frames < encoded) this.#lastId = null;
    if (trace.frames === 0) this.#firstId = null;
    this.#leave(file);
  }

  /** Leaves the current file as it is. */
  close(): void {
    if (this.#file) this.#leave(this.#file);
  }

  settled(): Promise<void> {
    return this.#files.settled();
  }

  get #path(): string {
    return this.#file ? this.#files.pathOf(this.#file.entry) : this.#request.file;
  }

  #isReady(timeNs: number): boolean {
    if (this.#isEnding) this.#end();
    if (this.#file) return !this.#isEnding && !this.isBlocked;
    this.#lastNs = timeNs;
    this.#openFailure = null;
    try {
      this.open(timeNs);
    } catch (thrown) {
      this.#openFailure = BusbarError.from(thrown);
    }
    return this.#openFailure === null;
  }

  /** Encodes rows until the file is full. Returns the row after the last one. */
  #encode(file: OpenFile, rows: SortedRows, from: number, to: number): number {
    const { trace } = file;
    if (this.#firstId === null) this.#describeStart(file, rows, from, to);
    if (!this.#limits.isNear(trace.size, to - from)) {
      this.#take(file, rows, from, to);
      return to;
    }
    this.#lookAhead(rows, from, to);
    let row = from;
    while (row < to && !this.#isFull(file, this.#idsAfter[row - from] as number)) {
      this.#take(file, rows, row, row + 1);
      row += 1;
    }
    return row;
  }

  #take({ trace }: OpenFile, { batch, ids }: SortedRows, from: number, to: number): void {
    const { timeNs } = batch;
    this.#measure();
    for (let row = from; row < to; row++) {
      this.#lastNs = timeNs[row] as number;
      timeNs[row] = this.#lastNs - this.#offsetNs;
      const id = ids[row] as number;
      if (id < (this.#firstId ?? id + 1)) this.#firstId = id;
      if (id > (this.#lastId ?? -1)) this.#lastId = id;
    }
    trace.encode(batch, from, to);
  }

  /** For each row, the smallest id of it and all later events. */
  #lookAhead(rows: SortedRows, from: number, to: number): void {
    const count = to - from;
    if (this.#idsAfter.length < count) this.#idsAfter = new Float64Array(count);
    let smallest = rows.nextId();
    for (let index = count - 1; index >= 0; index--) {
      smallest = Math.min(smallest, rows.ids[from + index] as number);
      this.#idsAfter[index] = smallest;
    }
  }

  /** A file ends where its event ids and the later ones do not mix, if that comes in time. */
  #isFull({ trace }: OpenFile, nextId: number): boolean {
    if (this.#lastId === null || !this.#limits.isOver(trace.size)) return false;
    if (trace.held > 0 && !this.#limits.isOver(trace.size - trace.held)) {
      trace.pack();
      if (!this.#limits.isOver(trace.size)) return false;
    }
    return this.#lastId < nextId || this.#limits.isFarOver(trace.size);
  }

  #describeStart({ trace }: OpenFile, rows: SortedRows, from: number, to: number): void {
    this.#lookAhead(rows, from, to);
    this.#firstId = this.#idsAfter[0] as number;
    const timeNs = rows.batch.timeNs[from] as number;
    this.#describe(trace, timeNs, `First event id: ${this.#firstId}`);
  }

  #describeEnd({ trace }: OpenFile): void {
    if (this.#lastId === null) return;
    this.#describe(trace, this.#lastNs, `Last event id: ${this.#lastId}`);
  }

  #describe(trace: TraceFile, timeNs: number, text: string): void {
    if (this.#request.name === null || !this.#hasRemarks) return;
    trace.describe(timeNs - this.#offsetNs, text);
  }

  #end(): void {
    const file = this.#file;
    if (!file) return;
    if (!this.#isEnding) this.#describeEnd(file);
    this.#isEnding = true;
    if (file.trace.end()) this.#leave(file);
  }

  #leave(file: OpenFile): void {
    this.#measure();
    this.#closedFrames += file.trace.frames;
    this.#closedBytes += file.trace.file.size;
    this.lost += file.trace.pending;
    this.#file = null;
    this.#isEnding = false;
    this.#files.leave(file);
  }

  #listCounts(): void {
    const nowUs = this.#clock.monotonicUs();
    if (this.frames === this.#listedFrames || nowUs < this.#countsDueUs) return;
    const pauseSeconds = this.#files.listBytes / listBytesPerSecond;
    this.#countsDueUs = nowUs + Math.max(this.#request.sync_seconds, pauseSeconds) * 1e6;
    this.#listedFrames = this.frames;
    this.#files.changed();
  }

  #measure(): void {
    if (!this.#file) return;
    const { entry, trace } = this.#file;
    entry.frames = trace.frames;
    entry.bytes = trace.file.size;
    // The list names no event that a killed recorder would not have in its file.
    if (trace.pending > 0) return;
    entry.first_event_id = trace.frames > 0 ? this.#firstId : null;
    entry.last_event_id = trace.frames > 0 ? this.#lastId : null;
  }
}
