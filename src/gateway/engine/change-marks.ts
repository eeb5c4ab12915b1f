import { listTable, mappingTable, signalTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { MarkedNumbers } from './marked-numbers.ts';
import { NumberSet } from './number-set.ts';
import type { SignalListener } from './signal-states.ts';

/** What has to be computed and encoded anew, because signals have changed. */
export class ChangeMarks implements SignalListener {
  /** Mappings, in the order of their numbers: each is evaluated after those that it reads from. */
  readonly mappings: MarkedNumbers;
  readonly outputs: NumberSet;
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
    this.mappings = new MarkedNumbers(mappingTable.open(image.mappings).count);
    this.outputs = new NumberSet(this.#outputs.length);
  }

  /** Mappings that read a signal. */
  readersOf(signal: number): readonly number[] {
    const first = this.#firstReader[signal] as number;
    return [...this.#readers.subarray(first, first + (this.#readerCount[signal] as number))];
  }

  /** Bindings that send a signal. */
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
