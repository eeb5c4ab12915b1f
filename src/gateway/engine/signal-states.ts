import { listTable, mappingTable, signalStateTable, signalTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { type SignalType, signalTypes } from '../project/tables/signals.ts';
import type { Cells } from '../values/cells.ts';
import { type Quality, qualityNumber } from '../values/quality.ts';
import { cellKindOf, type SignalValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import { OrderedBitSet, SparseSet } from './ordered-bit-set.ts';

/**
 * Times of the current round in monotonic microseconds, and the event id of an outcome. They
 * are fields because V8 allocates a double that is passed as an argument.
 */
export class RoundTime {
  startUs = 0.5;
  nowUs = 0.5;
  observedUs = Number.NaN;
  elapsedUs = 0.5;
  acceptedUs = 0.5;
  submittedUs = 0.5;
  settledUs = 0.5;
  eventId = 0.5;
}

export class DirtySet {
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

const good = qualityNumber('good');
const initial = qualityNumber('initial');
const floatType = signalTypes.indexOf('float64');

export interface SignalMoment {
  readonly number: number;
  readonly wide: bigint | null;
  readonly hasValue: number;
  readonly quality: number;
  readonly observedUs: number;
}

/**
 * Signal values of the engine, mirrored to the shared tables immediately. Times are monotonic
 * here and Unix times in the tables.
 */
export class SignalStates {
  readonly values: Slots;
  /** Monotonic; NaN if never observed. */
  readonly observedUs: Float64Array;
  readonly #cells: Cells;
  readonly #hasValue: Uint8Array;
  readonly #valid: Uint8Array;
  readonly #quality: Uint8Array;
  readonly #sharedObservedUs: Float64Array;
  readonly #isDynamic: Uint8Array;
  readonly #table: ReturnType<typeof signalTable.open>;
  readonly #types: Uint8Array;
  readonly #unixOffsetUs: number;
  readonly #time: RoundTime;
  readonly #changed: DirtySet;

  constructor(image: ProjectImage, unixOffsetUs: number, time: RoundTime, changed: DirtySet) {
    this.#time = time;
    this.#table = signalTable.open(image.signals);
    this.#types = this.#table.type;
    // Separate columns, because a table lookup is slower than a read.
    const shared = signalStateTable.open(image.state.signals);
    this.#cells = shared.value;
    this.#hasValue = shared.hasValue;
    this.#valid = shared.valid;
    this.#quality = shared.quality;
    this.#sharedObservedUs = shared.observedUs;
    this.#isDynamic = this.#table.isDynamic;
    this.#unixOffsetUs = unixOffsetUs;
    this.#changed = changed;
    this.values = new Slots(shared.count);
    this.observedUs = new Float64Array(shared.count).fill(Number.NaN);
  }

  columns() {
    return {
      numbers: this.values.numbers,
      wide: this.values.wide,
      valid: this.#valid,
      quality: this.#quality,
      hasValue: this.#hasValue,
      observedUs: this.observedUs,
      sharedUs: this.#sharedObservedUs,
      floats: this.#cells.floats,
      halves: this.#cells.halves,
      unixOffsetUs: this.#unixOffsetUs,
    };
  }

  get count(): number {
    return this.values.count;
  }

  isValid(signal: number): boolean {
    return this.#valid[signal] === 1;
  }

  /** False for a constant, and for a value computed from constants. */
  isDynamic(signal: number): boolean {
    return this.#isDynamic[signal] === 1;
  }

  hasValue(signal: number): boolean {
    return this.#hasValue[signal] === 1;
  }

  /** Sets a good value with the current observation time. */
  setGood(signal: number, from: Slots, slot: number): void {
    const { values } = this;
    const wasValid = this.#valid[signal] === 1;
    const isSame =
      wasValid &&
      values.numbers[signal] === from.numbers[slot] &&
      values.wide[signal] === from.wide[slot];
    this.#observe(signal);
    if (isSame) {
      this.#changed.detailChanged(signal);
      return;
    }
    values.copyFrom(signal, from, slot);
    this.#share(signal);
    if (!wasValid) this.#setQuality(signal, good);
    this.#changed.valueChanged(signal);
  }

  momentOf(signal: number): SignalMoment {
    return {
      number: this.values.numbers[signal] as number,
      wide: this.values.wide[signal] as bigint | null,
      hasValue: this.#hasValue[signal] as number,
      quality: this.#quality[signal] as number,
      observedUs: this.observedUs[signal] as number,
    };
  }

  restore(signal: number, { number, wide, hasValue, quality, observedUs }: SignalMoment): void {
    this.values.numbers[signal] = number;
    this.values.wide[signal] = wide;
    if (hasValue === 1) this.#share(signal);
    this.#hasValue[signal] = hasValue;
    this.#setQuality(signal, quality);
    this.observedUs[signal] = observedUs;
    this.#sharedObservedUs[signal] = observedUs + this.#unixOffsetUs;
    this.#changed.valueChanged(signal);
  }

  /** Stores a value that is not good. The caller sets the quality next. */
  setValue(signal: number, from: Slots, slot: number): void {
    this.values.copyFrom(signal, from, slot);
    this.#share(signal);
  }

  /** Changes the quality only. The time stays if nothing was observed. */
  setQuality(signal: number, quality: Quality): void {
    const number = qualityNumber(quality);
    const wasValid = this.isValid(signal);
    const isSame = this.#quality[signal] === number;
    if (!Number.isNaN(this.#time.observedUs)) this.#observe(signal);
    else if (isSame) return;
    if (!isSame) this.#setQuality(signal, number);
    if (wasValid === (number === good)) this.#changed.detailChanged(signal);
    else this.#changed.valueChanged(signal);
  }

  reset(signal: number): void {
    this.observedUs[signal] = Number.NaN;
    this.#sharedObservedUs[signal] = Number.NaN;
    const value = this.initialOf(signal);
    this.#setQuality(signal, initial);
    this.values.setValue(signal, value ?? 0);
    if (value === undefined) this.#hasValue[signal] = 0;
    else this.#share(signal);
    this.#changed.valueChanged(signal);
  }

  initialOf(signal: number): SignalValue | undefined {
    const { hasInitial, initial: cells } = this.#table;
    return hasInitial[signal] === 1
      ? cells.get(signal, cellKindOf(this.typeOf(signal)))
      : undefined;
  }

  /** Reads the value that was set in the shared tables before the engine existed. */
  adopt(signal: number): void {
    this.values.setValue(signal, this.#cells.get(signal, cellKindOf(this.typeOf(signal))));
    this.observedUs[signal] = (this.#sharedObservedUs[signal] as number) - this.#unixOffsetUs;
    this.#changed.valueChanged(signal);
  }

  qualityOf(signal: number): number {
    return this.#quality[signal] as number;
  }

  typeOf(signal: number): SignalType {
    return signalTypes[this.#types[signal] as number] as SignalType;
  }

  #observe(signal: number): void {
    const { observedUs } = this.#time;
    this.observedUs[signal] = observedUs;
    this.#sharedObservedUs[signal] = observedUs + this.#unixOffsetUs;
  }

  #setQuality(signal: number, quality: number): void {
    this.#quality[signal] = quality;
    this.#valid[signal] = quality === good ? 1 : 0;
  }

  #share(signal: number): void {
    const { numbers, wide } = this.values;
    const big = wide[signal] as bigint | null;
    this.#hasValue[signal] = 1;
    // A field, because V8 would allocate a double argument.
    if (big !== null) this.#cells.set(signal, big);
    else if (this.#types[signal] === floatType)
      this.#cells.floats[signal] = numbers[signal] as number;
    else this.#cells.setWhole(signal, numbers[signal] as number);
  }
}
