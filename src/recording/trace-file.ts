import { TraceBatch } from '../trace/trace-batch.ts';
import type { CreateTrace, TraceWriteOptions, TraceWriter } from '../trace/trace-format.ts';
import { ChunkSink, type PieceTarget } from './chunk-sink.ts';
import type { RecordingFile } from './recording-file.ts';

/** Bytes that a writer holds before it has to flush; a batch more still fits a container. */
const maxHeld = 48 * 1024;

const outOfSpace: readonly (string | null)[] = ['no_space', 'quota_exceeded', 'too_large'];

interface Pieces {
  readonly text: Uint8Array;
  readonly ends: readonly number[];
  readonly tail: Uint8Array;
}

interface Rows {
  readonly batch: TraceBatch;
  readonly from: number;
  readonly to: number;
}

const noRows: Rows = { batch: new TraceBatch(0), from: 0, to: 0 };

/** The newest event or remark, which gives way to the end of the trace. */
interface Last {
  readonly start: number;
  readonly frames: number;
}

/**
 * A trace file that stays readable after any disk error. The writer fills a memory buffer, which
 * is written to the file in one piece. A piece that the disk refuses is kept: either `retry`
 * writes it later, or `complete` makes the best of the file.
 */
export class TraceFile {
  /** Events in the file. */
  frames = 0;
  readonly file: RecordingFile;
  readonly #chunk = new ChunkSink();
  readonly #target: PieceTarget = {
    append: (bytes) => this.#append(bytes),
    rewrite: (at, bytes) => this.file.rewrite(at, bytes),
  };
  readonly #writer: TraceWriter;
  #encoded = 0;
  #isEnded = false;
  #rows: Rows = noRows;
  /** In the chunk. */
  #newest: Last = { start: 0, frames: 0 };
  /** In the file. */
  #last: Last | undefined;
  /** Bytes that the disk took of the refused piece. */
  #room = 0;

  constructor(file: RecordingFile, create: CreateTrace, options: TraceWriteOptions) {
    this.file = file;
    this.#writer = create(this.#chunk, options);
  }

  get failure(): string | null {
    return this.file.failure;
  }

  /** Size of the file with everything that was encoded for it. */
  get size(): number {
    return this.file.size + this.#chunk.length + this.held;
  }

  /** Upper limit of what the writer has not given out yet. */
  get held(): number {
    return this.#writer.held ?? 0;
  }

  /** The disk has refused the last piece. */
  get isBlocked(): boolean {
    return this.file.failure !== null;
  }

  /** Events encoded, but not in the file. */
  get pending(): number {
    return this.#encoded;
  }

  begin(): boolean {
    const isStored = this.store();
    // The header gives way to nothing.
    this.#last = undefined;
    return isStored;
  }

  encode(batch: TraceBatch, from: number, to: number): void {
    if (from === to) return;
    this.#writer.write(batch, from, to - 1);
    this.#newest = { start: this.#chunk.length, frames: 1 };
    this.#writer.write(batch, to - 1, to);
    const { to: last, batch: same } = this.#rows;
    const isNext = same === batch && last === from && this.#chunk.length > 0;
    this.#rows = { batch, from: isNext ? this.#rows.from : from, to };
    this.#encoded += to - from;
    if (this.held > maxHeld) this.pack();
  }

  note(timeNs: number, text: string): void {
    this.#newest = { start: this.#chunk.length, frames: 0 };
    this.#writer.note(timeNs, text);
  }

  describe(timeNs: number, text: string): void {
    this.#newest = { start: this.#chunk.length, frames: 0 };
    if (this.#writer.describe) this.#writer.describe(timeNs, text);
    else this.#writer.note(timeNs, text);
  }

  rename(channel: number): void {
    this.#writer.rename?.(channel);
  }

  /** Makes the writer give out what it holds. */
  pack(): void {
    this.#writer.flush?.();
  }

  flush(): boolean {
    this.pack();
    return this.store();
  }

  /** Writes what was encoded, or what the disk refused before. */
  store(): boolean {
    const { length } = this.#chunk;
    const start = this.file.size;
    this.file.failure = null;
    if (!this.#chunk.writeTo(this.#target)) return false;
    this.#writer.keep?.();
    if (this.held > 0) return true;
    if (length > 0) {
      this.#last = { start: start + this.#newest.start, frames: this.#newest.frames };
    }
    this.frames += this.#encoded;
    this.#encoded = 0;
    return true;
  }

  end(): boolean {
    if (!this.#isEnded) {
      this.#isEnded = true;
      this.#writer.end();
    }
    return this.store();
  }

  /** Removes what the disk has taken of a piece that it refused. */
  #append(bytes: Uint8Array): boolean {
    const done = this.file.append(bytes);
    if (done < bytes.length) {
      this.#room = done;
      this.file.cut();
      return false;
    }
    this.file.keep(done);
    return true;
  }

  /**
   * Completes the file after the disk has refused a piece: as many whole events of it as there is
   * room for, followed by the end of the trace.
   */
  complete(): void {
    const { failure } = this.file;
    const tail = this.#chunk.bytes.slice();
    const { isBegun } = this.#chunk;
    this.#chunk.clear();
    // A format that completes its file in place has its events before what was refused.
    if (isBegun) this.frames += this.#encoded;
    else if (this.#writer.discard) this.#withoutPiece();
    else if (this.#isEnded) this.#makeRoom(tail, failure);
    else {
      const pieces = this.#pieces();
      if (!this.#fit(pieces, this.#room)) this.#makeRoom(pieces.tail, failure);
    }
    this.#encoded = 0;
    this.file.failure = failure;
  }

  /** A container or a group of records is one piece: it is in the file or not. */
  #withoutPiece(): void {
    this.#encoded = 0;
    this.#writer.discard?.();
    this.#writer.end();
    this.store();
  }

  #makeRoom(tail: Uint8Array, failure: string | null): void {
    if (!this.#last || !outOfSpace.includes(failure)) return;
    this.file.shrink(this.#last.start);
    this.frames -= this.#last.frames;
    this.#append(tail);
  }

  #pieces(): Pieces {
    const { batch, from, to } = this.#rows;
    const ends = [0];
    for (let row = from; row < to && this.#encoded > 0; row++) {
      this.#writer.write(batch, row, row + 1);
      ends.push(this.#chunk.length);
    }
    const textEnd = this.#chunk.length;
    this.#writer.end();
    const all = this.#chunk.bytes.slice();
    this.#chunk.clear();
    return { ends, text: all.subarray(0, textEnd), tail: all.subarray(textEnd) };
  }

  /** Free space can shrink, so smaller amounts are tried. */
  #fit({ text, ends, tail }: Pieces, foundRoom: number): boolean {
    let room = foundRoom;
    for (let count = ends.length - 1; count >= 0; count--) {
      const end = ends[count] ?? 0;
      if (end + tail.length > room) continue;
      this.#chunk.clear();
      this.#chunk.write(text.subarray(0, end));
      this.#chunk.write(tail);
      if (this.#append(this.#chunk.bytes)) {
        this.frames += count;
        this.#chunk.clear();
        return true;
      }
      room = this.#room;
    }
    this.#chunk.clear();
    return false;
  }
}
