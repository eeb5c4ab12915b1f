import { listTable, mappingTable, signalTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { OrderedBitSet } from './ordered-bit-set.ts';
import type { SignalListener } from './signal-states.ts';
import { SparseSet } from './sparse-set.ts';

/** Mappings and outputs that must be recomputed after signals changed. */
export class DirtySet implements SignalListener {
  /** Mappings in evaluation order. */
  readonly mappings: OrderedBitSet;
  readonly outputs: SparseSet;
  readonly #firstReader: Uint32Array;
  readonly #readerCount: Uint32Array;
  readonly #readers: Uint32Array;
  readonly #firstOutput: Uint32Array;
  readonly #outputCount: Uint32Array;
  readonly #outputs: Uint32Array;

  constructor(image: ProjectImage) {
    const signals = signalTable.open(image.signals);
    this.#firstReader = signals.firstReader;
    this.#readerCount = signals.readers;
    this.#readers = listTable.open(image.readers).number;
    this.#firstOutput = signals.firstShown;
    this.#outputCount = signals.shown;
    this.#outputs = listTable.open(image.shownBindings).number;
    this.mappings = new OrderedBitSet(mappingTable.open(image.mappings).count);
    this.outputs = new SparseSet(this.#outputs.length);
  }

  readersOf(signal: number): readonly number[] {
    const first = this.#firstReader[signal] as number;
    return [...this.#readers.subarray(first, first + (this.#readerCount[signal] as number))];
  }

  outputsOf(signal: number): readonly number[] {
    const first = this.#firstOutput[signal] as number;
    return [...this.#outputs.subarray(first, first + (this.#outputCount[signal] as number))];
  }

  valueChanged(signal: number): void {
    this.detailChanged(signal);
    const first = this.#firstOutput[signal] as number;
    const end = first + (this.#outputCount[signal] as number);
    for (let index = first; index < end; index++) {
      this.outputs.add(this.#outputs[index] as number);
    }
  }

  detailChanged(signal: number): void {
    const first = this.#firstReader[signal] as number;
    const end = first + (this.#readerCount[signal] as number);
    for (let index = first; index < end; index++) {
      this.mappings.mark(this.#readers[index] as number);
    }
  }
}
