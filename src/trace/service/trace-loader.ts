import { closeSync, fstatSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { TimeSlice } from '../../base/clock/time-slice.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type FileIdentity, identityOf } from '../../base/files/file-identity.ts';
import { refusalOf } from '../../base/files/path-refusals.ts';
import { MappedChannels } from '../../transmit/replay/mapped-channels.ts';
import { IdChanges } from '../../transmit/replay/replay-ids.ts';
import {
  type FilterOrder,
  rowChannel,
  type TraceOrder,
  type TracePiece,
} from '../../transmit/replay/trace-stream.ts';
import { MergedTraces } from '../merged-traces.ts';
import type { RowFilter } from '../row-filter.ts';
import { TraceBatch } from '../trace-batch.ts';
import type { OpenTrace, TraceFormat, TraceReader, TraceStats } from '../trace-format.ts';
import { walkRows } from '../trace-gap.ts';
import { FileBytes, openProjectTrace, traceRefusal } from './project-traces.ts';

export interface OpenedTrace {
  readonly handle: number;
  readonly format: TraceFormat | null;
  readonly size: number;
  readonly identities: readonly FileIdentity[];
}

/**
 * Rejects wrong conditions. A filter serves one pass over the files, and decides which events of
 * mapped channels are sent: the channel of a row is the position of its mapping, from 1.
 */
export type CompileFilter = (order: FilterOrder, mapped: readonly string[]) => () => RowFilter;

/** Few enough to read quickly, many enough to limit the number of requests. */
export const eventsPerBatch = 8192;

/** Time limit of the channel search; after it, a replay starts without the result. */
const searchUs = 2_000_000;

const noNames: ReadonlyMap<number, string> = new Map();

class TraceFile {
  readonly file: string;
  readonly field: string;
  readonly path: string;
  readonly size: number;
  readonly #fd: number;
  readonly #open: OpenTrace;

  constructor(projectRoot: string, file: string, field: string, open: OpenTrace) {
    const { fd, path } = openProjectTrace(projectRoot, file, field);
    this.file = file;
    this.field = field;
    this.path = path;
    this.size = fstatSync(fd).size;
    this.#fd = fd;
    this.#open = open;
  }

  get identity(): FileIdentity {
    return identityOf(this.#fd);
  }

  /** A reader from the beginning, independent of others. Its errors name the file. */
  open(): TraceReader {
    try {
      return new NamedReader(this, this.#open(new FileBytes(this.#fd)));
    } catch (thrown) {
      throw refusalOf(this, traceRefusal(this.file, thrown, this.field));
    }
  }

  /** A file that was truncated in the meantime is an error. */
  checkWhole(): void {
    if (fstatSync(this.#fd).size >= this.size) return;
    throw new BusbarError('file_unavailable', {
      message: `${this.path} was truncated while it was being read`,
      details: { field: this.field, path: this.path, reason: 'truncated' },
    });
  }

  close(): void {
    closeSync(this.#fd);
  }
}

class NamedReader implements TraceReader {
  readonly #file: TraceFile;
  readonly #reader: TraceReader;

  constructor(file: TraceFile, reader: TraceReader) {
    this.#file = file;
    this.#reader = reader;
  }

  get format(): TraceFormat {
    return this.#reader.format;
  }

  get startUnixUs(): number | null {
    return this.#reader.startUnixUs;
  }

  get position(): number {
    return this.#reader.position;
  }

  get account(): TraceStats {
    return this.#reader.account;
  }

  get channelNames(): ReadonlyMap<number, string> {
    return this.#reader.channelNames ?? noNames;
  }

  read(batch: TraceBatch): boolean {
    try {
      return this.#reader.read(batch);
    } catch (thrown) {
      throw refusalOf(this.#file, thrown);
    }
  }
}

/** One pass over the files, merged by time, with the channels of the mappings. */
class Pass {
  readonly readers: readonly TraceReader[];
  readonly channels: MappedChannels;
  readonly #merged: MergedTraces | null;

  constructor(files: readonly TraceFile[], mapped: readonly string[]) {
    const readers = files.map((file) => file.open());
    const replayed = readers.map(({ format }, at) => ({ file: files[at]?.file ?? '', format }));
    this.readers = readers;
    this.channels = new MappedChannels(mapped, replayed);
    this.#merged =
      readers.length === 1
        ? null
        : new MergedTraces(readers, (file, batch) => this.#route(file, batch));
  }

  read(batch: TraceBatch): boolean {
    if (this.#merged) return this.#merged.read(batch);
    const hasMore = this.readers[0]?.read(batch) ?? false;
    this.#route(0, batch);
    return hasMore;
  }

  #route(file: number, batch: TraceBatch): void {
    const channels = this.channels.files[file];
    const names = this.readers[file]?.channelNames;
    if (names && names.size > 0) channels?.learn([...names]);
    channels?.route(batch);
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

const sumByName = (
  counts: readonly Readonly<Record<string, number>>[],
): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const each of counts) {
    for (const [name, count] of Object.entries(each)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
};

/** The files of a replay, read again for each lap. */
class ReplayedFiles {
  readonly #files: readonly TraceFile[];
  readonly #order: TraceOrder;
  readonly #createFilter: (() => RowFilter) | null;
  readonly #ids: IdChanges;
  #pass: Pass;
  #filter: RowFilter | null;
  #lapsLeft: number;
  #isFirstLap = true;
  #oldestNs = Number.POSITIVE_INFINITY;
  #newestNs = Number.NEGATIVE_INFINITY;
  #isOver = false;

  constructor(
    files: readonly TraceFile[],
    order: TraceOrder,
    createFilter: (() => RowFilter) | null,
  ) {
    this.#files = files;
    this.#order = order;
    this.#createFilter = createFilter;
    this.#ids = new IdChanges(order.ids);
    this.#lapsLeft = order.laps;
    this.#pass = new Pass(files, order.mapped);
    this.#filter = createFilter?.() ?? null;
    this.#pass.channels.check();
  }

  get format(): TraceFormat | null {
    const formats = new Set(this.#pass.readers.map(({ format }) => format));
    const [only = null] = formats;
    return formats.size === 1 ? only : null;
  }

  get size(): number {
    return sumOf(this.#files.map(({ size }) => size));
  }

  get identities(): readonly FileIdentity[] {
    return this.#files.map(({ identity }) => identity);
  }

  next(spare: ArrayBuffer | null): TracePiece {
    const batch = new TraceBatch(spare ?? eventsPerBatch);
    const hasMore = !this.#isOver && this.#pass.read(batch);
    const { readers } = this.#pass;
    const piece = {
      kind: 'events',
      buffer: batch.buffer,
      count: batch.count,
      position: sumOf(readers.map(({ position }) => position)),
      malformed: sumOf(readers.map(({ account }) => account.malformed)),
      skipped: sumByName(readers.map(({ account }) => account.skipped)),
      truncated: readers.some(({ account }) => account.truncated),
      durationUs: null,
    } as const;
    if (!hasMore) return this.#lapEnd(piece);
    this.#noteTimes(batch);
    if (this.#filter) this.#filterRows(this.#filter, batch);
    this.#ids.apply(batch);
    return piece;
  }

  /** Reads the files separately from their replay. */
  async findChannels(turns: TimeSlice): Promise<void> {
    const pass = new Pass(this.#files, this.#order.mapped);
    const batch = new TraceBatch(eventsPerBatch);
    while (!pass.channels.isDone && !turns.isTimeUp) {
      if (!pass.read(batch)) {
        if (pass.channels.refusal) throw pass.channels.refusal;
        break;
      }
      await turns.yield();
    }
  }

  close(): void {
    for (const file of this.#files) file.close();
  }

  #filterRows(filter: RowFilter, batch: TraceBatch): void {
    const { channel } = batch;
    walkRows(
      batch,
      (row) => {
        if (channel[row] === rowChannel.unmapped) return;
        if (!filter.passes(batch, row)) channel[row] = rowChannel.filtered;
      },
      ({ timeNs }) => filter.gap(timeNs),
    );
  }

  #noteTimes({ timeNs, count }: TraceBatch): void {
    for (let row = 0; row < count; row++) {
      const ns = timeNs[row] as number;
      if (ns < this.#oldestNs) this.#oldestNs = ns;
      if (ns > this.#newestNs) this.#newestNs = ns;
    }
  }

  /** Files without events cannot be repeated. */
  #lapEnd(piece: TracePiece): TracePiece {
    for (const file of this.#files) file.checkWhole();
    if (this.#isFirstLap && this.#pass.channels.refusal) throw this.#pass.channels.refusal;
    this.#isFirstLap = false;
    const hadEvents = this.#oldestNs <= this.#newestNs;
    const durationUs = hadEvents ? (this.#newestNs - this.#oldestNs) / 1000 : 0;
    if (!this.#isOver) this.#lapsLeft -= 1;
    const kind = this.#lapsLeft > 0 && hadEvents && !this.#isOver ? 'lap' : 'end';
    if (kind === 'lap') this.#rewind();
    else this.#isOver = true;
    return { ...piece, kind, count: 0, durationUs: Math.floor(durationUs) };
  }

  #rewind(): void {
    this.#pass = new Pass(this.#files, this.#order.mapped);
    this.#filter = this.#createFilter?.() ?? null;
    this.#oldestNs = Number.POSITIVE_INFINITY;
    this.#newestNs = Number.NEGATIVE_INFINITY;
  }
}

export interface TraceLoaderOptions {
  readonly projectRoot: string;
  readonly openTrace: OpenTrace;
  readonly clock: Clock;
  readonly compileFilter: CompileFilter;
}

export class TraceLoader {
  readonly #options: TraceLoaderOptions;
  readonly #opened = new Map<number, ReplayedFiles>();
  #handles = 0;

  constructor(options: TraceLoaderOptions) {
    this.#options = options;
  }

  open(order: TraceOrder): OpenedTrace {
    const { compileFilter } = this.#options;
    const createFilter = order.filter && compileFilter(order.filter, order.mapped);
    const files: TraceFile[] = [];
    try {
      const { projectRoot, openTrace } = this.#options;
      for (const [at, file] of order.files.entries()) {
        const field = order.field === 'file' ? 'file' : `files[${at}]`;
        files.push(new TraceFile(projectRoot, file, field, openTrace));
      }
      const replayed = new ReplayedFiles(files, order, createFilter);
      this.#handles += 1;
      this.#opened.set(this.#handles, replayed);
      const { format, size, identities } = replayed;
      return { handle: this.#handles, format, size, identities };
    } catch (thrown) {
      for (const file of files) file.close();
      throw thrown;
    }
  }

  read(handle: number, spare: ArrayBuffer | null): TracePiece {
    return this.#filesOf(handle).next(spare);
  }

  findChannels(handle: number): Promise<void> {
    return this.#filesOf(handle).findChannels(new TimeSlice(this.#options.clock, searchUs));
  }

  close(handle: number): void {
    const files = this.#opened.get(handle);
    this.#opened.delete(handle);
    files?.close();
  }

  #filesOf(handle: number): ReplayedFiles {
    const files = this.#opened.get(handle);
    if (files) return files;
    throw new BusbarError('internal_error', { message: 'The trace is not open' });
  }
}
