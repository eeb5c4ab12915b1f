import { sourceOf } from '../../database/j1939.ts';
import type { Signal } from '../../database/model.ts';
import type { ValueLimits } from '../../database/value-limits.ts';
import { frm2EventId, frm2Id, frm2TimestampUs } from '../../frame/frm2-codec.ts';
import { RawValues, slotTableOf } from '../raw-values.ts';
import { SampleText } from '../sample-text.ts';
import { limitsOf } from '../signal-limits.ts';
import type { Sample } from './sample-record.ts';

/** Labels and units are for display; files can contain megabytes of them. */
const maxTextLength = 1000;

const shortened = (text: string): string =>
  text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;

interface KeptFrames {
  readonly signals: readonly Signal[];
  /** The signals and the multiplexers that select them. */
  readonly kept: readonly Signal[];
  sourceOf(frame: number): number | null;
  load(frame: number, values: RawValues): void;
  sequenceOf(frame: number): number;
  eventIdOf(frame: number): number;
  timestampUsOf(frame: number): number;
}

class SampleReader {
  readonly #group: KeptFrames;
  readonly #values: RawValues;
  readonly #texts: SampleText;
  /** Null if a value is valid whenever there is one. */
  readonly #limits: readonly (ValueLimits | null)[];
  #loaded = -1;

  constructor(group: KeptFrames) {
    this.#group = group;
    this.#values = new RawValues(group.kept);
    this.#texts = new SampleText(group.signals);
    this.#limits = group.signals.map((signal) =>
      signal.ranges === undefined && signal.array === undefined ? limitsOf(signal) : null,
    );
  }

  sampleAt(frame: number, place: number): Sample | null {
    const group = this.#group;
    if (this.#loaded !== frame) {
      group.load(frame, this.#values);
      this.#loaded = frame;
    }
    const text = this.#texts.textOf(this.#values, place);
    if (text === null) return null;
    const { value, raw, label, unit } = text;
    return {
      sequence: group.sequenceOf(frame) + place,
      signal: group.signals[place]?.name ?? '',
      value,
      raw,
      label: label === null ? null : shortened(label),
      unit: shortened(unit),
      valid: value !== null && (this.#limits[place]?.include(value) ?? true),
      timestamp_us: group.timestampUsOf(frame),
      event_id: group.eventIdOf(frame),
      mux: this.#muxText(),
      source_address: group.sourceOf(frame),
    };
  }

  #muxText(): string | null {
    const { kept, signals } = this.#group;
    if (kept.length === signals.length) return null;
    return kept
      .slice(signals.length)
      .map((_, index) => String(this.#values.get(signals.length + index)))
      .join('.');
  }
}

export interface SampleGroupOptions {
  /** Multiplexers that select the group, from the outermost on, by their number. */
  readonly mux?: readonly number[];
  /** Whether the frames have J1939 source addresses. */
  readonly hasSource?: boolean;
  readonly planSignals: readonly Signal[];
  readonly numbers: readonly number[];
  readonly capacity: number;
}

// A row stores one frame in doubles: three timestamps, the raw values in the layout of
// `RawValues`, and the presence bits. They are adjacent because cache misses dominate the cost.
const sequenceAt = 0;
const eventIdAt = 1;
const timestampAt = 2;
const rawAt = 3;

const firstRows = 8;

const wordsPerRawValue = 2;

/** Source word in the plan's values for every word of a group's raw values. */
const wordTableOf = (
  planSignals: readonly Signal[],
  numbers: readonly number[],
  signals: readonly Signal[],
  slots: number,
): Int32Array => {
  const planSlots = slotTableOf(planSignals);
  const ownSlots = slotTableOf(signals);
  const table = new Int32Array(slots * wordsPerRawValue);
  numbers.forEach((number, place) => {
    const from = (planSlots[number] ?? 0) * wordsPerRawValue;
    const to = (ownSlots[place] ?? 0) * wordsPerRawValue;
    const words = Math.ceil((signals[place]?.length ?? 0) / 64) * wordsPerRawValue;
    for (let word = 0; word < words; word++) table[to + word] = from + word;
  });
  return table;
};

const planSignalsAt = (planSignals: readonly Signal[], numbers: readonly number[]): Signal[] =>
  numbers.flatMap((number) => planSignals[number] ?? []);

/** Bits of the group for every word of the plan's presence bits. */
const maskOf = (planSignals: readonly Signal[], numbers: readonly number[]): Uint32Array => {
  const mask = new Uint32Array(Math.ceil(planSignals.length / 32));
  for (const number of numbers) {
    mask[number >>> 5] = (mask[number >>> 5] ?? 0) | (1 << (number & 31));
  }
  return mask;
};

/**
 * Signals of a plan that appear together, and the newest frames that contain them. A frame uses
 * one sequence for each signal of the group, even if its payload is too short for some. The
 * sequence of a signal is the frame's plus its index in the group. Frames are numbered from 0.
 * Memory grows until `capacity` frames are stored; then each frame overwrites the oldest.
 */
export class SampleGroup implements KeptFrames {
  readonly signals: readonly Signal[];
  readonly kept: readonly Signal[];
  readonly #sourceAt: number;
  readonly #numbers: readonly number[];
  readonly #capacity: number;
  readonly #mask: Uint32Array;
  readonly #wordTable: Int32Array;
  readonly #presentAt: number;
  readonly #stride: number;
  readonly #lostCounts: Float64Array;
  readonly #lostSequences: Float64Array;
  #doubles = new Float64Array(0);
  /** Same memory as `#doubles`: bits of long integers must not pass through a double. */
  #words = new Uint32Array(0);
  #rows = 0;
  #nextRow = 0;
  #frames = 0;
  #incomplete = 0;
  #newestComplete = -1;
  readonly #newestIncomplete: Float64Array;
  /** Latest samples whose frames were overwritten by frames without their signals. */
  readonly #survivors = new Map<number, Sample>();
  #reader: SampleReader | undefined;

  constructor({ planSignals, numbers, mux = [], hasSource = false, capacity }: SampleGroupOptions) {
    this.signals = planSignals.filter((_, number) => numbers.includes(number));
    this.kept = [...this.signals, ...planSignalsAt(planSignals, mux)];
    this.#numbers = numbers;
    this.#capacity = capacity;
    this.#mask = maskOf(planSignals, numbers);
    const { numbers: slots, present } = new RawValues(this.kept);
    this.#wordTable = wordTableOf(planSignals, [...numbers, ...mux], this.kept, slots.length);
    this.#presentAt = rawAt + slots.length;
    this.#sourceAt = hasSource ? this.#presentAt + Math.ceil(present.length / 2) : 0;
    this.#stride = this.#presentAt + Math.ceil(present.length / 2) + (hasSource ? 1 : 0);
    this.#lostCounts = new Float64Array(numbers.length);
    this.#lostSequences = new Float64Array(numbers.length);
    this.#newestIncomplete = new Float64Array(numbers.length).fill(-1);
  }

  get maxBytes(): number {
    return this.#capacity * this.#stride * Float64Array.BYTES_PER_ELEMENT;
  }

  get frames(): number {
    return this.#frames;
  }

  get oldestFrame(): number {
    return this.#frames > this.#rows ? this.#frames - this.#rows : 0;
  }

  /** True while every stored frame has all signals, so no counting is needed. */
  get isComplete(): boolean {
    return this.#incomplete === 0;
  }

  get reader(): SampleReader {
    this.#reader ??= new SampleReader(this);
    return this.#reader;
  }

  get bytes(): number {
    return this.#doubles.byteLength;
  }

  isIn(present: Uint32Array): boolean {
    const mask = this.#mask;
    for (let word = 0; word < mask.length; word++) {
      if (((mask[word] as number) & (present[word] as number)) !== 0) return true;
    }
    return false;
  }

  push(found: RawValues, record: DataView, from: number, sequence: number): number {
    if (this.#nextRow === this.#rows) {
      if (this.#rows < this.#capacity) this.#grow();
      else this.#nextRow = 0;
    }
    const at = this.#nextRow * this.#stride;
    if (this.#frames >= this.#rows) this.#pushOut(at);
    const doubles = this.#doubles;
    doubles[at + sequenceAt] = sequence;
    doubles[at + eventIdAt] = frm2EventId(record, from);
    doubles[at + timestampAt] = frm2TimestampUs(record, from);
    if (this.#sourceAt > 0) doubles[at + this.#sourceAt] = sourceOf(frm2Id(record, from));
    const words = this.#words;
    const source = found.words;
    const table = this.#wordTable;
    const raw = (at + rawAt) * 2;
    for (let word = 0; word < table.length; word++) {
      words[raw + word] = source[table[word] as number] as number;
    }
    const samples = this.#keepPresence((at + this.#presentAt) * 2, found.present);
    if (samples < this.#numbers.length) this.#noteIncomplete(at);
    else this.#newestComplete = this.#frames;
    this.#nextRow++;
    this.#frames++;
    return samples;
  }

  sequenceOf(frame: number): number {
    return this.#doubles[this.#offsetOf(frame) + sequenceAt] as number;
  }

  eventIdOf(frame: number): number {
    return this.#doubles[this.#offsetOf(frame) + eventIdAt] as number;
  }

  timestampUsOf(frame: number): number {
    return this.#doubles[this.#offsetOf(frame) + timestampAt] as number;
  }

  sourceOf(frame: number): number | null {
    if (this.#sourceAt === 0) return null;
    return this.#doubles[this.#offsetOf(frame) + this.#sourceAt] as number;
  }

  has(frame: number, place: number): boolean {
    return this.#isPresent(this.#offsetOf(frame), place);
  }

  load(frame: number, values: RawValues): void {
    const at = this.#offsetOf(frame);
    const { words, present } = values;
    const raw = (at + rawAt) * 2;
    for (let word = 0; word < words.length; word++) words[word] = this.#words[raw + word] as number;
    const bits = (at + this.#presentAt) * 2;
    for (let word = 0; word < present.length; word++) {
      present[word] = this.#words[bits + word] as number;
    }
    // The group is only stored for frames whose multiplexers were read.
    for (let index = this.signals.length; index < this.kept.length; index++) {
      present[index >>> 5] = (present[index >>> 5] ?? 0) | (1 << (index & 31));
    }
  }

  firstFrameAfter(sequence: number): number {
    const last = this.#numbers.length - 1;
    let low = this.oldestFrame;
    let high = this.#frames;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.sequenceOf(middle) + last > sequence) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  lostCountOf(place: number): number {
    return this.#lostCounts[place] as number;
  }

  latestOf(place: number): Sample | undefined {
    const frame = this.#newestFrameOf(place);
    if (frame < this.oldestFrame) return this.#survivors.get(place);
    return this.reader.sampleAt(frame, place) ?? undefined;
  }

  lostSequenceOf(place: number): number {
    return this.#lostSequences[place] as number;
  }

  #offsetOf(frame: number): number {
    const row = this.#nextRow - (this.#frames - frame);
    return (row < 0 ? row + this.#rows : row) * this.#stride;
  }

  #isPresent(at: number, place: number): boolean {
    const word = this.#words[(at + this.#presentAt) * 2 + (place >>> 5)] as number;
    return ((word >>> (place & 31)) & 1) === 1;
  }

  /** Nothing was overwritten before the last growth, so rows keep their positions. */
  #grow(): void {
    const rows = Math.min(this.#capacity, Math.max(firstRows, this.#rows * 2));
    const doubles = new Float64Array(rows * this.#stride);
    doubles.set(this.#doubles);
    this.#doubles = doubles;
    this.#words = new Uint32Array(doubles.buffer);
    this.#rows = rows;
  }

  #keepPresence(at: number, present: Uint32Array): number {
    const numbers = this.#numbers;
    const words = this.#words;
    let samples = 0;
    for (let first = 0; first < numbers.length; first += 32) {
      const end = Math.min(numbers.length, first + 32);
      let bits = 0;
      for (let place = first; place < end; place++) {
        const number = numbers[place] as number;
        const bit = ((present[number >>> 5] as number) >>> (number & 31)) & 1;
        bits |= bit << (place - first);
        samples += bit;
      }
      words[at + (first >>> 5)] = bits;
    }
    return samples;
  }

  #newestFrameOf(place: number): number {
    return Math.max(this.#newestComplete, this.#newestIncomplete[place] as number);
  }

  #noteIncomplete(at: number): void {
    this.#incomplete++;
    for (let place = 0; place < this.#numbers.length; place++) {
      if (this.#isPresent(at, place)) this.#newestIncomplete[place] = this.#frames;
    }
  }

  #keepLatest(): void {
    const frame = this.oldestFrame;
    for (let place = 0; place < this.#numbers.length; place++) {
      if (this.#newestFrameOf(place) !== frame) continue;
      const sample = this.reader.sampleAt(frame, place);
      if (sample !== null) this.#survivors.set(place, sample);
    }
  }

  #pushOut(at: number): void {
    if (this.#incomplete > 0) this.#keepLatest();
    const sequence = this.#doubles[at + sequenceAt] as number;
    const places = this.#numbers.length;
    let samples = 0;
    for (let place = 0; place < places; place++) {
      if (!this.#isPresent(at, place)) continue;
      this.#lostCounts[place] = (this.#lostCounts[place] as number) + 1;
      this.#lostSequences[place] = sequence + place;
      samples++;
    }
    if (samples < places) this.#incomplete--;
  }
}
