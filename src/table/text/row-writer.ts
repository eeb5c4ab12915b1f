import { utf8 } from '../bytes/byte-buffer.ts';
import { TimeWriter } from '../bytes/put-time.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import { newWasmMemory, type WasmMemory, wasmPageBytes } from '../wasm/wasm-module.ts';
import {
  cellAt,
  cellBytes,
  cellsAt,
  labelsAt,
  maxCellText,
  maxRowBytes,
  maxRows,
  maxTailBytes,
  maxValueBytes,
  middleAt,
  seriesAt,
  stampAt,
  state,
  timesAt,
  valuesAt,
} from './row-memory.ts';
import { type WriteRows, writeRowsIn } from './write-rows.ts';

const firstRowBytes = 1 << 20;
const usPerSecond = 1_000_000;
const microDigits = 6;

/** A rendered row after its time: head, value, middle, number and tail. */
export interface RenderedRow {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly headBytes: number;
  readonly tailBytes: number;
  /** Places of the value, or null if its text is no scaled integer. */
  readonly places: number | null;
}

/**
 * Writes rows of a long text. A series repeats most of its last row, which is kept; rows of
 * series without one, or with another label, are rendered by the caller.
 */
export class RowWriter {
  readonly #memory: WasmMemory;
  readonly #write: WriteRows;
  readonly #stampStart: number;
  readonly #middleBytes: number;
  readonly #rowsAt: number;
  readonly #time = new TimeWriter();
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;

  /** `start` precedes the time. The number of cells is a power of two. */
  constructor(start: string, middle: string, cells: number) {
    this.#rowsAt = cellsAt + cells * cellBytes;
    this.#memory = newWasmMemory(this.#rowsAt + firstRowBytes);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#view = new DataView(this.#memory.buffer);
    this.#write = writeRowsIn(this.#memory);
    this.#stampStart = this.#putText(stampAt, start);
    this.#middleBytes = this.#putText(middleAt, middle) - middleAt;
    this.#setState(state.middleBytes, this.#middleBytes);
    this.#setState(state.cellMask, cells - 1);
    this.#setState(state.end, this.#rowsAt);
    this.#view.setFloat64(state.secondUs, Number.POSITIVE_INFINITY, true);
    this.#view.setFloat64(state.timeUs, Number.NaN, true);
  }

  /** Forgets all rows of series. */
  clear(): void {
    this.#bytes.fill(0, cellsAt, this.#rowsAt);
  }

  add(samples: SampleBatch, render: (sample: number) => RenderedRow): void {
    const { count, timeUs } = samples;
    for (let from = 0; from < count; from += maxRows) {
      const rows = Math.min(maxRows, count - from);
      this.#fill(samples, from, from + rows);
      for (let row = 0; row < rows; ) {
        row = this.#write(row, rows, this.#limit);
        if (row === rows) break;
        if (this.#enterSecond(timeUs[from + row] as number)) continue;
        if (this.#end > this.#limit) this.#reserve(this.#bytes.length - this.#rowsAt);
        else this.#addRendered(row++, render(from + row - 1));
      }
    }
  }

  /** Returns the rows, valid until the next call, and empties the writer. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(this.#rowsAt, this.#end);
    this.#setState(state.end, this.#rowsAt);
    return taken;
  }

  get #end(): number {
    return this.#view.getUint32(state.end, true);
  }

  get #limit(): number {
    return this.#bytes.length - maxRowBytes;
  }

  #setState(field: number, value: number): void {
    this.#view.setUint32(field, value, true);
  }

  #putText(at: number, text: string): number {
    const bytes = utf8(text);
    this.#bytes.set(bytes, at);
    return at + bytes.length;
  }

  #fill({ timeUs, scaled, of, label }: SampleBatch, from: number, to: number): void {
    const { buffer } = this.#memory;
    new Float64Array(buffer, timesAt, maxRows).set(timeUs.subarray(from, to));
    new Float64Array(buffer, valuesAt, maxRows).set(scaled.subarray(from, to));
    new Uint32Array(buffer, seriesAt, maxRows).set(of.subarray(from, to));
    new Uint32Array(buffer, labelsAt, maxRows).set(label.subarray(from, to));
  }

  /** Returns false if the stamp has this second. */
  #enterSecond(timeUs: number): boolean {
    const secondUs = Math.floor(timeUs / usPerSecond) * usPerSecond;
    if (this.#view.getFloat64(state.secondUs, true) === secondUs) return false;
    const end = this.#time.put(this.#bytes, this.#stampStart, timeUs);
    this.#view.setFloat64(state.secondUs, secondUs, true);
    this.#view.setFloat64(state.timeUs, timeUs, true);
    this.#setState(state.stampBytes, end - stampAt);
    this.#setState(state.microsAt, end - microDigits);
    return true;
  }

  #addRendered(row: number, rendered: RenderedRow): void {
    const stampBytes = this.#view.getUint32(state.stampBytes, true);
    this.#reserve(stampBytes + rendered.length);
    const textAt = this.#end + stampBytes;
    this.#bytes.copyWithin(this.#end, stampAt, stampAt + stampBytes);
    this.#copy(textAt, rendered.bytes, 0, rendered.length);
    this.#setState(state.end, textAt + rendered.length);
    this.#keep(row, rendered);
  }

  /** Any value of the series fits into its cell afterwards. */
  #keep(row: number, { bytes, length, headBytes, tailBytes, places }: RenderedRow): void {
    const maxText = headBytes + 2 * maxValueBytes + this.#middleBytes + tailBytes;
    if (places === null || maxText > maxCellText || tailBytes > maxTailBytes) return;
    const view = this.#view;
    const cell = view.getUint32(state.cell, true);
    view.setFloat64(cell + cellAt.value, view.getFloat64(valuesAt + row * 8, true), true);
    view.setUint32(cell + cellAt.series, view.getUint32(seriesAt + row * 4, true), true);
    view.setUint32(cell + cellAt.label, view.getUint32(labelsAt + row * 4, true) + 1, true);
    view.setUint32(cell + cellAt.length, length, true);
    view.setUint32(cell + cellAt.headBytes, headBytes, true);
    view.setUint32(cell + cellAt.tailBytes, tailBytes, true);
    view.setUint32(cell + cellAt.places, places, true);
    this.#copy(cell + cellAt.tail, bytes, length - tailBytes, length);
    this.#copy(cell + cellAt.text, bytes, 0, length);
  }

  #copy(at: number, from: Uint8Array, start: number, end: number): void {
    const to = this.#bytes;
    for (let i = start; i < end; i++) to[at + i - start] = from[i] as number;
  }

  #reserve(more: number): void {
    const missing = this.#end + more + maxRowBytes - this.#bytes.length;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / wasmPageBytes));
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#view = new DataView(this.#memory.buffer);
  }
}
