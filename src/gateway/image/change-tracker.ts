import type { Cells } from '../values/cells.ts';
import { ColumnCopy } from './column-copy.ts';
import type { ImageReader } from './image-reader.ts';
import { StateReader } from './image-state.ts';
import { bindingStateTable, signalStateTable } from './image-tables.ts';
import type { ProjectImage } from './project-image.ts';

/** Signals that are copied at one moment: few enough that the writer does not come in between. */
const signalsAtOnce = 1024;

const halvesOf = ({ floats }: Cells): Uint32Array =>
  new Uint32Array(floats.buffer, floats.byteOffset, 2 * floats.length);

/**
 * Finds out which signals of an instance have changed, by comparing the shared state with a copy. The
 * thread that writes it has nothing to do with that. Marks count the looks that found something, so that
 * any number of followers share one copy: each remembers the mark up to which it knows everything.
 *
 * A signal has changed when its value, its quality or what its bindings hold has. The same value observed
 * once more is no change: it would make every signal of a busy bus one, all the time.
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
    // Everything is new to a follower that begins at 0.
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

  /** The latest mark. */
  get mark(): number {
    return this.#mark;
  }

  /** Nothing can be looked at before a plugin returns. */
  get isBlocked(): boolean {
    return this.#state.isBlocked;
  }

  /** Looks for changes. */
  scan(): void {
    const version = this.#readVersion();
    if (version === this.#version) return;
    // What changes while this looks is found now or the next time.
    this.#version = version;
    const mark = this.#mark + 1;
    for (let first = 0; first < this.count; first += signalsAtOnce) {
      if (this.#scanSome(first, Math.min(first + signalsAtOnce, this.count), mark)) {
        this.#mark = mark;
      }
    }
  }

  /** The first signal from a place on that has changed after a mark; `count` if none has. */
  nextChanged(from: number, since: number): number {
    let signal = from;
    while (signal < this.count && (this.#marks[signal] as number) <= since) signal += 1;
    return signal;
  }

  #scanSome(first: number, end: number, mark: number): boolean {
    const firstBinding = this.#reader.firstBinding(first);
    const endBinding = this.#reader.firstBinding(end);
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
    const end = this.#reader.firstBinding(signal + 1);
    for (let binding = this.#reader.firstBinding(signal); binding < end; binding++) {
      for (const column of this.#ofBindings) if (column.learn(binding)) isChanged = true;
    }
    return isChanged;
  }

  #readVersion(): number {
    return this.#state.read(() => undefined);
  }
}
