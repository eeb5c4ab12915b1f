import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import {
  add,
  addF64,
  and,
  bitsOf,
  type Code,
  divideF64,
  doubleOf,
  either,
  get,
  i32,
  isBelow,
  isDifferent,
  isDifferentF64,
  isEqual,
  isEqualF64,
  isZero,
  loadF64,
  loadI32,
  longOf,
  lowOf,
  multiply,
  or,
  repeat,
  returned,
  set,
  shiftLeft,
  shiftRight,
  shiftRightI64,
  storeF64,
  storeI32,
  when,
  xor,
} from '../wasm/instructions.ts';
import { compileFunction, newWasmMemory } from '../wasm/wasm-module.ts';
import { dictionaryBytes, free, hashFactors, ValueDictionary } from './value-dictionary.ts';

/**
 * Memory: columns of some samples; labels; indices of a part; its dictionary; series.
 *
 *     label    0 series   4 label   8 index in the part
 *     series   0 last value   8 10^places   16 index of the last value   20 ordinal + 1, or 0
 */
const maxRows = 8192;
const scaledAt = 64;
const ofAt = scaledAt + maxRows * 8;
const labelAt = ofAt + maxRows * 4;
const labelCellsAt = labelAt + maxRows * 4;
const labelCells = 1024;
const labelCell = { series: 0, label: 4, index: 8, bytes: 16 } as const;
const partAt = labelCellsAt + labelCells * labelCell.bytes;
/** A prime: labels of neighbours are spread. */
const labelStep = 1031;
const seriesCell = { last: 0, power: 8, index: 16, ordinal: 20, bytes: 24 } as const;
/** Ordinals of samples; indices of values and their rows; the same of labels. */
const columns = 5;
const wordBytes = 4;

/** Addresses of what comes next, and of what depends on the capacity. */
const state = {
  ordinal: 0,
  value: 4,
  label: 8,
  columnBytes: 12,
  numbers: 16,
  cells: 20,
  series: 24,
} as const;
const stateWords = 7;

const [row, rows, firstRow, mask] = [0, 1, 2, 3];
const [ordinal, valueTo, labelTo, columnBytes, numbers, cells, seriesAt] = [4, 5, 6, 7, 8, 9, 10];
const [series, cell, label, known, index, hash] = [11, 12, 13, 14, 15, 16];
const [bits, value, number] = [17, 18, 19];
const stateLocals = [ordinal, valueTo, labelTo, columnBytes, numbers, cells, seriesAt];

const step = (local: number, bytes: number): Code => set(local, add(get(local), i32(bytes)));
const elementAt = (log: number): Code => shiftLeft(get(row), i32(log));
const stop: Code = [
  ...stateLocals.slice(0, 3).flatMap((local, at) => storeI32(i32(at * wordBytes), get(local))),
  ...returned(get(row)),
];

/** The address of a label's cell. */
const labelCellOf = (of: Code, text: Code): Code =>
  add(
    multiply(
      and(add(of, multiply(text, i32(labelStep))), i32(labelCells - 1)),
      i32(labelCell.bytes),
    ),
    i32(labelCellsAt),
  );

const findLabel: Code = [
  ...set(known, labelCellOf(get(series), get(label))),
  ...when(
    or(
      isDifferent(loadI32(get(known), labelCell.series), get(series)),
      isDifferent(loadI32(get(known), labelCell.label), get(label)),
    ),
    stop,
  ),
];

/** As the dictionary searches. */
const findValue: Code = [
  ...when(isDifferentF64(get(value), get(value)), stop),
  ...set(number, divideF64(get(value), loadF64(get(cell), seriesCell.power))),
  ...set(bits, bitsOf(addF64(get(number), doubleOf(i32(0))))),
  ...set(
    hash,
    multiply(
      xor(
        lowOf(get(bits)),
        multiply(lowOf(shiftRightI64(get(bits), longOf(i32(32)))), i32(hashFactors.high)),
      ),
      i32(hashFactors.all),
    ),
  ),
  ...set(hash, xor(get(hash), shiftRight(get(hash), i32(hashFactors.shift)))),
  ...repeat(
    [
      ...set(hash, and(get(hash), get(mask))),
      ...set(index, loadI32(add(get(cells), shiftLeft(get(hash), i32(2))))),
      ...when(isEqual(get(index), i32(free)), stop),
      ...step(hash, 1),
    ],
    isDifferentF64(loadF64(add(get(numbers), shiftLeft(get(index), i32(3)))), get(number)),
  ),
  ...storeF64(get(cell), get(value), seriesCell.last),
  ...storeI32(get(cell), get(index), seriesCell.index),
];

const putIndex = (to: number, value: Code): Code => [
  ...storeI32(get(to), value),
  ...storeI32(add(get(to), get(columnBytes)), add(get(firstRow), get(row))),
  ...step(to, wordBytes),
];

const indexRow: Code = [
  ...set(series, loadI32(elementAt(2), ofAt)),
  ...set(cell, add(get(seriesAt), multiply(get(series), i32(seriesCell.bytes)))),
  ...when(isZero(loadI32(get(cell), seriesCell.ordinal)), stop),
  ...set(label, loadI32(elementAt(2), labelAt)),
  ...when(get(label), findLabel),
  ...set(value, loadF64(elementAt(3), scaledAt)),
  ...either(
    isEqualF64(get(value), loadF64(get(cell), seriesCell.last)),
    set(index, loadI32(get(cell), seriesCell.index)),
    findValue,
  ),
  ...putIndex(valueTo, get(index)),
  ...when(get(label), putIndex(labelTo, loadI32(get(known), labelCell.index))),
  ...storeI32(get(ordinal), add(loadI32(get(cell), seriesCell.ordinal), i32(-1))),
  ...step(ordinal, wordBytes),
  ...step(row, 1),
];

/**
 * Indexes rows up to `rows`. Returns the first one that it cannot: its series, label or value is
 * new in the part, or the value is a text.
 */
type IndexRows = (row: number, rows: number, firstRow: number, mask: number) => number;

const indexRowsIn = compileFunction<IndexRows>({
  parameters: 4,
  integers: 13,
  longs: 1,
  doubles: 2,
  body: [
    ...stateLocals.flatMap((local, at) => set(local, loadI32(i32(at * wordBytes)))),
    ...when(isBelow(get(row), get(rows)), repeat(indexRow, isBelow(get(row), get(rows)))),
    ...stop,
    ...get(row),
  ],
});

/** What is new in a part. */
export interface NewInPart {
  /** Adds a series; returns its ordinal. */
  addSeries(series: number): number;
  /** Returns the index of a label in the part. */
  labelOf(series: number, label: number): number;
  /** Returns the index of the text of a sample, or null if it has none. */
  textOf(sample: number): number | null;
}

/** Indices of the samples of a part: of their series, of their values and of their labels. */
export class SampleIndex {
  readonly values: ValueDictionary;
  readonly ordinals: Uint32Array;
  readonly indices: Uint32Array;
  /** Rows with a value. */
  readonly valueRows: Uint32Array;
  readonly labelIndices: Uint32Array;
  readonly labelRows: Uint32Array;
  readonly #capacity: number;
  readonly #series: number;
  readonly #state: Uint32Array;
  readonly #view: DataView;
  readonly #index: IndexRows;

  constructor(capacity: number, series: number) {
    const [columnBytes, valuesAt] = [capacity * wordBytes, partAt + columns * capacity * wordBytes];
    const aligned = Math.ceil(valuesAt / 8) * 8;
    const seriesAt = aligned + dictionaryBytes(capacity);
    const memory = newWasmMemory(seriesAt + series * seriesCell.bytes);
    const { buffer } = memory;
    const column = (number: number) =>
      new Uint32Array(buffer, partAt + number * columnBytes, capacity);
    this.ordinals = column(0);
    this.indices = column(1);
    this.valueRows = column(2);
    this.labelIndices = column(3);
    this.labelRows = column(4);
    this.values = new ValueDictionary(capacity, buffer, aligned);
    this.#capacity = capacity;
    this.#series = series;
    this.#state = new Uint32Array(buffer, 0, stateWords);
    this.#view = new DataView(buffer);
    this.#index = indexRowsIn(memory);
    this.#state[state.columnBytes / wordBytes] = columnBytes;
    this.#state[state.numbers / wordBytes] = this.values.numbers.byteOffset;
    this.#state[state.cells / wordBytes] = this.values.cells.byteOffset;
    this.#state[state.series / wordBytes] = seriesAt;
  }

  /** Whether it has room for samples. */
  fits({ capacity, series }: SampleBatch): boolean {
    return capacity <= this.#capacity && series.length <= this.#series;
  }

  get found(): number {
    return this.#countOf(state.value, this.indices);
  }

  get labels(): number {
    return this.#countOf(state.label, this.labelIndices);
  }

  /** Indexes a part from its start. */
  index(samples: SampleBatch, part: NewInPart): void {
    const { count, of, label, scaled, series } = samples;
    this.#begin(series);
    const { buffer } = this.#state;
    for (let from = 0; from < count; from += maxRows) {
      const rows = Math.min(maxRows, count - from);
      new Float64Array(buffer, scaledAt, rows).set(scaled.subarray(from, from + rows));
      new Uint32Array(buffer, ofAt, rows).set(of.subarray(from, from + rows));
      new Uint32Array(buffer, labelAt, rows).set(label.subarray(from, from + rows));
      for (let row = 0; ; ) {
        row = this.#index(row, rows, from, this.values.mask);
        if (row === rows) break;
        if (this.#learn(samples, from + row, part)) continue;
        this.#put(samples, from + row, part);
        row++;
      }
    }
  }

  #begin(series: readonly Series[]): void {
    const [view, words] = [this.#view, this.#state];
    const seriesAt = words[state.series / wordBytes] as number;
    series.forEach(({ places }, number) => {
      const cell = seriesAt + number * seriesCell.bytes;
      view.setFloat64(cell + seriesCell.last, Number.NaN, true);
      view.setFloat64(cell + seriesCell.power, 10 ** places, true);
      view.setUint32(cell + seriesCell.ordinal, 0, true);
    });
    new Uint8Array(view.buffer, labelCellsAt, labelCells * labelCell.bytes).fill(0);
    words[state.ordinal / wordBytes] = this.ordinals.byteOffset;
    words[state.value / wordBytes] = this.indices.byteOffset;
    words[state.label / wordBytes] = this.labelIndices.byteOffset;
    this.values.clear();
  }

  /** Learns what is new in a sample; false if its value is a text. */
  #learn({ of, label, scaled, series }: SampleBatch, sample: number, part: NewInPart): boolean {
    const view = this.#view;
    const number = of[sample] as number;
    const cell = (this.#state[state.series / wordBytes] as number) + number * seriesCell.bytes;
    if (view.getUint32(cell + seriesCell.ordinal, true) === 0) {
      view.setUint32(cell + seriesCell.ordinal, part.addSeries(number) + 1, true);
      return true;
    }
    const text = label[sample] as number;
    if (text !== 0) {
      const at = labelCellAt(number, text);
      const isKnown =
        view.getUint32(at + labelCell.series, true) === number &&
        view.getUint32(at + labelCell.label, true) === text;
      if (!isKnown) {
        view.setUint32(at + labelCell.series, number, true);
        view.setUint32(at + labelCell.label, text, true);
        view.setUint32(at + labelCell.index, part.labelOf(number, text), true);
        return true;
      }
    }
    const value = scaled[sample] as number;
    if (Number.isNaN(value)) return false;
    this.values.indexOf(value, (series[number] as Series).places);
    return true;
  }

  /** Indexes a sample that is not scaled. */
  #put({ of, label }: SampleBatch, sample: number, part: NewInPart): void {
    const [view, words] = [this.#view, this.#state];
    const put = (next: number, indices: Uint32Array, rows: Uint32Array, index: number): void => {
      const at = this.#countOf(next, indices);
      indices[at] = index;
      rows[at] = sample;
      words[next / wordBytes] = (words[next / wordBytes] as number) + wordBytes;
    };
    const number = of[sample] as number;
    const cell = (words[state.series / wordBytes] as number) + number * seriesCell.bytes;
    this.ordinals[sample] = view.getUint32(cell + seriesCell.ordinal, true) - 1;
    words[state.ordinal / wordBytes] = (words[state.ordinal / wordBytes] as number) + wordBytes;
    const index = part.textOf(sample);
    if (index !== null) put(state.value, this.indices, this.valueRows, index);
    const text = label[sample] as number;
    if (text === 0) return;
    put(state.label, this.labelIndices, this.labelRows, part.labelOf(number, text));
  }

  #countOf(next: number, column: Uint32Array): number {
    return ((this.#state[next / wordBytes] as number) - column.byteOffset) / wordBytes;
  }
}

const labelCellAt = (series: number, label: number): number =>
  labelCellsAt + ((series + label * labelStep) & (labelCells - 1)) * labelCell.bytes;
