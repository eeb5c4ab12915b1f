import type { Cells } from '../values/cells.ts';
import type { ImageReader } from './image-reader.ts';
import { StateReader } from './image-state.ts';
import { bindingStateTable, signalStateTable } from './image-tables.ts';
import type { ProjectImage } from './project-image.ts';

/** Doubles are compared as two halves, because NaN differs from itself. */
type Column = Uint8Array | Uint32Array;

const bytesOf = ({ buffer, byteOffset, byteLength }: Column): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

class ColumnCopy {
  readonly #source: Column;
  readonly #width: number;
  readonly #rowBytes: number;
  readonly #known: Column;
  readonly #sourceBytes: Buffer;
  readonly #knownBytes: Buffer;
  #taken: Column;
  #first = 0;

  constructor(source: Column, width: 1 | 2) {
    this.#source = source;
    this.#width = width;
    this.#rowBytes = width * source.BYTES_PER_ELEMENT;
    this.#known = source.slice();
    this.#sourceBytes = bytesOf(source);
    this.#knownBytes = bytesOf(this.#known);
    this.#taken = source.slice(0, 0);
  }

  /** Returns whether rows are unchanged. A row that is being written is found by the next scan. */
  isKnown(first: number, end: number): boolean {
    const from = first * this.#rowBytes;
    const to = end * this.#rowBytes;
    return this.#sourceBytes.compare(this.#knownBytes, from, to, from, to) === 0;
  }

  take(first: number, end: number): void {
    const rows = this.#source.subarray(first * this.#width, end * this.#width);
    if (this.#taken.length < rows.length) this.#taken = rows.slice();
    else this.#taken.set(rows);
    this.#first = first;
  }

  learn(row: number): boolean {
    let isChanged = false;
    for (let number = 0; number < this.#width; number++) {
      const value = this.#taken[(row - this.#first) * this.#width + number] as number;
      const place = row * this.#width + number;
      if (this.#known[place] === value) continue;
      this.#known[place] = value;
      isChanged = true;
    }
    return isChanged;
  }
}

/** Signals copied together. Fewer collide less often with the writer. */
const signalsPerBatch = 1024;

const halvesOf = ({ floats }: Cells): Uint32Array =>
  new Uint32Array(floats.buffer, floats.byteOffset, 2 * floats.length);

/**
 * Finds changed signals by comparing the shared state with a copy, without involving the bench
 * thread. A mark is the number of a scan that found changes.
 */
export class ChangeTracker {
  readonly count: number;
  readonly #reader: ImageReader;
  readonly #state: StateReader;
  readonly #ofSignals: readonly ColumnCopy[];
  readonly #ofBindings: readonly ColumnCopy[];
  readonly #marks: Uint32Array;
  #mark = 1;
  #version: number;

  constructor(image: ProjectImage, reader: ImageReader) {
    this.#reader = reader;
    this.#state = new StateReader(image);
    this.count = reader.signalCount;
    this.#marks = new Uint32Array(this.count).fill(this.#mark);
    this.#version = this.#readVersion();
    const signals = signalStateTable.open(image.state.signals);
    const bindings = bindingStateTable.open(image.state.bindings);
    this.#ofSignals = [
      new ColumnCopy(halvesOf(signals.value), 2),
      ...[signals.hasValue, signals.valid, signals.quality].map(
        (flags) => new ColumnCopy(flags, 1),
      ),
    ];
    this.#ofBindings = [
      new ColumnCopy(halvesOf(bindings.raw), 2),
      ...[bindings.valid, bindings.error].map((flags) => new ColumnCopy(flags, 1)),
    ];
  }

  get mark(): number {
    return this.#mark;
  }

  /** True until a plugin call returns: the state cannot be read. */
  get isBlocked(): boolean {
    return this.#state.isBlocked;
  }

  scan(): void {
    const version = this.#readVersion();
    if (version === this.#version) return;
    // Changes during the scan are found by this scan or the next.
    this.#version = version;
    const mark = this.#mark + 1;
    for (let first = 0; first < this.count; first += signalsPerBatch) {
      if (this.#scanSome(first, Math.min(first + signalsPerBatch, this.count), mark)) {
        this.#mark = mark;
      }
    }
  }

  nextChanged(from: number, since: number): number {
    let signal = from;
    while (signal < this.count && (this.#marks[signal] as number) <= since) signal += 1;
    return signal;
  }

  #scanSome(first: number, end: number, mark: number): boolean {
    const firstBinding = this.#reader.firstShown(first);
    const endBinding = this.#reader.firstShown(end);
    if (
      this.#ofSignals.every((column) => column.isKnown(first, end)) &&
      this.#ofBindings.every((column) => column.isKnown(firstBinding, endBinding))
    ) {
      return false;
    }
    this.#state.read(() => {
      for (const column of this.#ofSignals) column.take(first, end);
      for (const column of this.#ofBindings) column.take(firstBinding, endBinding);
    });
    let isChanged = false;
    for (let signal = first; signal < end; signal++) {
      if (!this.#learn(signal)) continue;
      this.#marks[signal] = mark;
      isChanged = true;
    }
    return isChanged;
  }

  #learn(signal: number): boolean {
    let isChanged = false;
    for (const column of this.#ofSignals) if (column.learn(signal)) isChanged = true;
    const end = this.#reader.firstShown(signal + 1);
    for (let binding = this.#reader.firstShown(signal); binding < end; binding++) {
      for (const column of this.#ofBindings) if (column.learn(binding)) isChanged = true;
    }
    return isChanged;
  }

  #readVersion(): number {
    return this.#state.read(() => undefined);
  }
}
