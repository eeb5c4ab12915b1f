import { TraceBatch } from '../trace/trace-batch.ts';
import type {
  ByteSink,
  CreateTrace,
  TraceWriteOptions,
  TraceWriter,
} from '../trace/trace-format.ts';
import type { RecordingFile } from './recording-file.ts';

const firstBytes = 64 * 1024;

/** Collects output, so that it is written to disk completely or not at all. */
class ChunkSink implements ByteSink {
  #memory = new Uint8Array(firstBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  write(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#memory.length) this.#grow(length);
    this.#memory.set(bytes, this.#length);
    this.#length = length;
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(length: number): void {
    const memory = new Uint8Array(Math.max(length, 2 * this.#memory.length));
    memory.set(this.bytes);
    this.#memory = memory;
  }
}

const outOfSpace: readonly (string | null)[] = ['no_space', 'quota_exceeded', 'too_large'];

interface Pieces {
  readonly text: Uint8Array;
  readonly ends: readonly number[];
  readonly tail: Uint8Array;
}

interface Last {
  readonly start: number;
  readonly frames: number;
}

/**
 * A trace file that stays readable after any disk error. The writer fills a memory buffer,
 * which is written to the file in one piece. If the disk has less room, as many whole events as
 * possible are written, followed by the end of the trace.
 */
export class TraceFile {
  frames = 0;
  readonly #file: RecordingFile;
  readonly #chunk = new ChunkSink();
  readonly #writer: TraceWriter;
  #last: Last | undefined;

  constructor(file: RecordingFile, create: CreateTrace, options: TraceWriteOptions) {
    this.#file = file;
    this.#writer = create(this.#chunk, options);
  }

  get failure(): string | null {
    return this.#file.failure;
  }

  begin(): boolean {
    return this.#store() === null;
  }

  write(batch: TraceBatch): boolean {
    const lastRow = Math.max(batch.count - 1, 0);
    this.#writer.write(batch, 0, lastRow);
    const last = { start: this.#file.size + this.#chunk.length, frames: 1 };
    this.#writer.write(batch, lastRow, batch.count);
    const room = this.#store();
    if (room !== null) {
      this.#salvage(batch, room);
      return false;
    }
    this.frames += batch.count;
    this.#last = last;
    return true;
  }

  note(timeNs: number, text: string): boolean {
    const last = { start: this.#file.size, frames: 0 };
    this.#writer.note(timeNs, text);
    const room = this.#store();
    if (room !== null) {
      this.#salvage(noEvents, room);
      return false;
    }
    this.#last = last;
    return true;
  }

  end(): boolean {
    this.#writer.end();
    const tail = this.#chunk.bytes.slice();
    if (this.#store() === null) return true;
    this.#makeRoom(tail);
    return false;
  }

  #store(): number | null {
    const { bytes } = this.#chunk;
    const done = this.#file.append(bytes);
    this.#chunk.clear();
    if (done < bytes.length) {
      this.#file.cut();
      return done;
    }
    this.#file.keep(done);
    return null;
  }

  #salvage(batch: TraceBatch, room: number): void {
    const { failure } = this.#file;
    const pieces = this.#pieces(batch);
    const isComplete = this.#fit(pieces, room);
    this.#file.failure = failure;
    if (!isComplete) this.#makeRoom(pieces.tail);
  }

  #makeRoom(tail: Uint8Array): void {
    const { failure } = this.#file;
    if (!this.#last || !outOfSpace.includes(failure)) return;
    this.#file.shrink(this.#last.start);
    this.frames -= this.#last.frames;
    this.#chunk.write(tail);
    this.#store();
    this.#file.failure = failure;
  }

  #pieces(batch: TraceBatch): Pieces {
    const ends = [0];
    for (let row = 0; row < batch.count; row++) {
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
      this.#chunk.write(text.subarray(0, end));
      this.#chunk.write(tail);
      const done = this.#store();
      if (done === null) {
        this.frames += count;
        return true;
      }
      room = done;
    }
    return false;
  }
}

const noEvents = new TraceBatch(0);
