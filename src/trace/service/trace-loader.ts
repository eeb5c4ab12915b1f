import { closeSync, fstatSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { TimeSlice } from '../../base/clock/time-slice.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type FileIdentity, identityOf } from '../../base/files/file-identity.ts';
import { refusalOf } from '../../base/files/path-refusals.ts';
import type { OpenFile } from '../../base/files/project-root.ts';
import { ChannelSearch } from '../../transmit/replay/channel-search.ts';
import type { FoundChannels, TracePiece } from '../../transmit/replay/trace-stream.ts';
import { channelKeyAt } from '../channel-key.ts';
import { TraceBatch } from '../trace-batch.ts';
import type { ByteSource, OpenTrace, TraceFormat, TraceReader } from '../trace-format.ts';
import {
  FileBytes,
  traceField as field,
  openProjectTrace,
  traceRefusal,
} from './project-traces.ts';

export interface OpenedTrace {
  readonly handle: number;
  readonly format: TraceFormat;
  readonly size: number;
  readonly identity: FileIdentity;
}

/** Few enough to read quickly, many enough to limit the number of requests. */
export const eventsPerBatch = 8192;

/** Time limit of the channel search; after it, a replay starts without the result. */
const searchUs = 2_000_000;

const namesOf = ({ channelNames }: TraceReader): TracePiece['channelNames'] =>
  channelNames ? [...channelNames] : null;

class TraceFile {
  readonly path: string;
  readonly #fd: number;
  readonly #open: (source: ByteSource) => TraceReader;
  readonly #loop: boolean;
  #reader: TraceReader;
  readonly #sizeAtOpening: number;
  #oldestNs = Number.POSITIVE_INFINITY;
  #newestNs = Number.NEGATIVE_INFINITY;
  #isOver = false;

  constructor({ fd, path }: OpenFile, open: (source: ByteSource) => TraceReader, loop: boolean) {
    this.path = path;
    this.#fd = fd;
    this.#open = open;
    this.#loop = loop;
    const bytes = new FileBytes(fd);
    this.#sizeAtOpening = bytes.size;
    this.#reader = open(bytes);
  }

  get format(): TraceFormat {
    return this.#reader.format;
  }

  get size(): number {
    return this.#sizeAtOpening;
  }

  next(spare: ArrayBuffer | null): TracePiece {
    const batch = new TraceBatch(spare ?? eventsPerBatch);
    const hasMore = !this.#isOver && this.#reader.read(batch);
    const { malformed, skipped, truncated } = this.#reader.account;
    const piece = {
      kind: 'events',
      buffer: batch.buffer,
      count: batch.count,
      position: this.#reader.position,
      malformed,
      // Copied, because counting continues.
      skipped: { ...skipped },
      truncated,
      durationUs: null,
      channelNames: namesOf(this.#reader),
    } as const;
    if (!hasMore) return this.#lapEnd(piece);
    this.#noteTimes(batch);
    return piece;
  }

  get identity(): FileIdentity {
    return identityOf(this.#fd);
  }

  /** Reads the file separately from its replay. */
  async findChannels(mapped: readonly string[], turns: TimeSlice): Promise<FoundChannels> {
    const reader = this.#open(new FileBytes(this.#fd));
    const batch = new TraceBatch(eventsPerBatch);
    const search = new ChannelSearch(mapped, reader.format === 'candump');
    let isComplete = false;
    while (!isComplete && !search.isDone && !turns.isTimeUp) {
      isComplete = !reader.read(batch);
      search.learn(namesOf(reader) ?? []);
      for (let row = 0; row < batch.count; row++) search.see(channelKeyAt(batch, row));
      await turns.yield();
    }
    const { missing, channels } = search;
    return { missing, channels, isComplete };
  }

  close(): void {
    closeSync(this.#fd);
  }

  #noteTimes({ timeNs, count }: TraceBatch): void {
    for (let row = 0; row < count; row++) {
      const ns = timeNs[row] as number;
      if (ns < this.#oldestNs) this.#oldestNs = ns;
      if (ns > this.#newestNs) this.#newestNs = ns;
    }
  }

  /** A file without events cannot be repeated. */
  #lapEnd(piece: TracePiece): TracePiece {
    this.#checkWhole();
    const hadEvents = this.#oldestNs <= this.#newestNs;
    const durationUs = hadEvents ? (this.#newestNs - this.#oldestNs) / 1000 : 0;
    const kind = this.#loop && hadEvents && !this.#isOver ? 'lap' : 'end';
    if (kind === 'lap') this.#rewind();
    else this.#isOver = true;
    return { ...piece, kind, count: 0, durationUs: Math.floor(durationUs) };
  }

  /** A file that was truncated in the meantime is an error. */
  #checkWhole(): void {
    if (fstatSync(this.#fd).size >= this.#sizeAtOpening) return;
    throw new BusbarError('file_unavailable', {
      message: `${this.path} was truncated while it was being read`,
      details: { field, path: this.path, reason: 'truncated' },
    });
  }

  #rewind(): void {
    this.#reader = this.#open(new FileBytes(this.#fd));
    this.#oldestNs = Number.POSITIVE_INFINITY;
    this.#newestNs = Number.NEGATIVE_INFINITY;
  }
}

export class TraceLoader {
  readonly #projectRoot: string;
  readonly #openTrace: OpenTrace;
  readonly #clock: Clock;
  readonly #files = new Map<number, TraceFile>();
  #handles = 0;

  constructor(projectRoot: string, openTrace: OpenTrace, clock: Clock) {
    this.#projectRoot = projectRoot;
    this.#openTrace = openTrace;
    this.#clock = clock;
  }

  open(file: string, loop: boolean): OpenedTrace {
    const opened = openProjectTrace(this.#projectRoot, file);
    try {
      const trace = new TraceFile(opened, (source) => this.#openTrace(source), loop);
      this.#handles += 1;
      this.#files.set(this.#handles, trace);
      const { format, size, identity } = trace;
      return { handle: this.#handles, format, size, identity };
    } catch (thrown) {
      closeSync(opened.fd);
      throw traceRefusal(file, thrown);
    }
  }

  read(handle: number, spare: ArrayBuffer | null): TracePiece {
    const trace = this.#fileOf(handle);
    try {
      return trace.next(spare);
    } catch (thrown) {
      throw refusalOf({ path: trace.path, field }, thrown);
    }
  }

  async findChannels(handle: number, mapped: readonly string[]): Promise<FoundChannels> {
    const trace = this.#fileOf(handle);
    try {
      return await trace.findChannels(mapped, new TimeSlice(this.#clock, searchUs));
    } catch (thrown) {
      throw refusalOf({ path: trace.path, field }, thrown);
    }
  }

  close(handle: number): void {
    const trace = this.#files.get(handle);
    this.#files.delete(handle);
    trace?.close();
  }

  #fileOf(handle: number): TraceFile {
    const trace = this.#files.get(handle);
    if (trace) return trace;
    throw new BusbarError('internal_error', { message: 'The trace is not open' });
  }
}
