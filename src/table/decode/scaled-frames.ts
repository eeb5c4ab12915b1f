import type { LinearScale } from '../../base/decimal/linear-scale.ts';
import type { Signal } from '../../database/model.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { layoutOf } from '../../signal/layout.ts';
import { exactBits } from '../../signal/raw-values.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import { exactLimitOf } from '../rows/column-type.ts';
import { SampleBatch, sampleBytes } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import { newWasmMemory, type WasmMemory } from '../wasm/wasm-module.ts';
import {
  cellAt,
  cellOf,
  columns,
  extendedMark,
  labelsAt,
  maxLabels,
  maxRows,
  maxSignals,
  payloadAt,
  rowsAt,
  type SampleFrame,
  type SampleRows,
  sampleFrameIn,
  sampleRowsIn,
  samplesAt,
  signalAt,
  signalBytes,
  signalsAt,
  state,
} from './sample-frames.ts';

/** Raw values below are found in a table; others are searched. */
export const maxTabled = 256;
const rowColumns = ['timeNs', 'id', 'flags', 'channel', 'bus', 'length', 'detail'] as const;

/** Signals of a message, to be sampled from payloads of at least `bytes`. */
export interface ScaledSignals {
  readonly bytes: number;
  readonly at: number;
  readonly end: number;
  readonly count: number;
  /** Label plus 1 of each raw value of a signal, 0 if it is not known; null for other signals. */
  readonly labels: readonly (Uint32Array | null)[];
  /** Whether all labels are in tables, so that rows can be sampled. */
  readonly isTabled: boolean;
}

/** Times that rows must have. */
export interface SampleTimes {
  readonly startUnixUs: number;
  readonly fromUs: number;
  readonly toUs: number;
}

/** An integer of which every raw value has a scaled value, and that every frame contains. */
const isAlwaysScaled = (signal: Signal, scale: LinearScale): boolean => {
  const { kind, length, multiplexing, ranges, array } = signal;
  if (kind !== 'unsigned' && kind !== 'signed') return false;
  if (length > exactBits || multiplexing !== null) return false;
  if (ranges !== undefined || array !== undefined) return false;
  return 2 ** (kind === 'signed' ? length - 1 : length) - 1 < exactLimitOf(scale);
};

/** Samples frames of messages with nothing but scaled integers, without code of their own. */
export class ScaledFrames {
  readonly series: Series[];
  readonly batch: SampleBatch;
  readonly #memory: WasmMemory;
  readonly #sampleFrame: SampleFrame;
  readonly #common: Float64Array;
  readonly #row: Uint32Array;
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  #signals = 0;
  #labels = 0;
  readonly #sampleRows: SampleRows;
  readonly #view: DataView;
  readonly #all: Uint8Array;
  #rows: TraceBatch | null = null;
  #loadedFrom = 0;
  #loadedTo = 0;

  constructor(capacity: number, series: Series[] = []) {
    const memory = newWasmMemory(samplesAt + capacity * sampleBytes);
    const { buffer } = memory;
    this.series = series;
    this.batch = new SampleBatch(capacity, series, buffer, samplesAt);
    this.#memory = memory;
    this.#sampleFrame = sampleFrameIn(memory);
    this.#sampleRows = sampleRowsIn(memory);
    this.#view = new DataView(buffer);
    this.#all = new Uint8Array(buffer);
    this.#view.setFloat64(state.exactNs, 2 ** 53, true);
    this.#common = new Float64Array(buffer, state.timeUs, 1);
    this.#row = new Uint32Array(buffer, state.row, 1);
    this.#words = new Uint32Array(buffer, payloadAt, maxFdLength / 4);
    this.#bytes = new Uint8Array(buffer, payloadAt, maxFdLength);
    const starts = columns.map((name) => this.batch[name].byteOffset);
    new Uint32Array(buffer, state.columns, columns.length).set(starts);
  }

  /** Null for a message that this cannot sample. Its series follow each other from the first. */
  describe(
    signals: readonly Signal[],
    scales: readonly LinearScale[],
    firstSeries: number,
  ): ScaledSignals | null {
    const isScaled = signals.every((each, number) =>
      isAlwaysScaled(each, scales[number] as LinearScale),
    );
    if (!isScaled || this.#signals + signals.length > maxSignals) return null;
    const bytes = Math.max(...signals.map((each) => layoutOf(each).endByte));
    if (bytes > maxFdLength) return null;
    const at = signalsAt + this.#signals * signalBytes;
    this.#signals += signals.length;
    const labels = signals.map((each) => this.#tableFor(each));
    signals.forEach((each, number) => {
      const { byteOrder, length, firstByte } = layoutOf(each);
      const { multiplier, addend } = (scales[number] as LinearScale).fast ?? {
        multiplier: 1,
        addend: 0,
      };
      // From the first bit of the first byte, in the byte order of the signal.
      const isMotorola = byteOrder === 'motorola';
      const before = each.startBit & 7;
      const left = isMotorola ? 7 - before : 64 - before - length;
      const view = new DataView(this.#memory.buffer, at + number * signalBytes, signalBytes);
      view.setUint32(signalAt.firstByte, firstByte, true);
      view.setUint32(signalAt.isMotorola, Number(isMotorola), true);
      view.setUint32(signalAt.left, left, true);
      view.setUint32(signalAt.right, 64 - length, true);
      view.setFloat64(signalAt.multiplier, multiplier, true);
      view.setFloat64(signalAt.addend, addend, true);
      view.setUint32(signalAt.series, firstSeries + number, true);
      view.setUint32(signalAt.isSigned, Number(each.kind === 'signed'), true);
      view.setUint32(signalAt.labels, labels[number]?.byteOffset ?? 0, true);
    });
    const isTabled = signals.every(({ values }, number) => values.length === 0 || labels[number]);
    const { length: count } = signals;
    return { bytes, at, end: at + count * signalBytes, count, labels, isTabled };
  }

  #tableFor({ kind, length, values }: Signal): Uint32Array | null {
    const labels = 2 ** length;
    if (values.length === 0 || kind !== 'unsigned' || labels > maxTabled) return null;
    if (this.#labels + labels > maxLabels) return null;
    const at = labelsAt + this.#labels * 4;
    this.#labels += labels;
    return new Uint32Array(this.#memory.buffer, at, labels);
  }

  /** Starts with the rows of a trace. */
  begin(rows: TraceBatch, { startUnixUs, fromUs, toUs }: SampleTimes, maxSignals: number): void {
    const view = this.#view;
    view.setFloat64(state.startUs, startUnixUs, true);
    view.setFloat64(state.fromUs, fromUs, true);
    view.setFloat64(state.toUs, toUs, true);
    view.setInt32(state.maxCount, this.batch.capacity - maxSignals, true);
    this.#rows = rows;
    this.#loadedFrom = 0;
    this.#loadedTo = 0;
  }

  /** Lets rows with this identifier be sampled. */
  remember(key: number, id: number, extended: boolean, scaled: ScaledSignals): void {
    const view = this.#view;
    const cell = cellOf(key, id);
    view.setUint32(cell + cellAt.id, id, true);
    view.setUint32(cell + cellAt.channel, extended ? key + extendedMark : key, true);
    view.setUint32(cell + cellAt.signals, scaled.at, true);
    view.setUint32(cell + cellAt.end, scaled.end, true);
    view.setUint32(cell + cellAt.bytes, scaled.bytes, true);
    view.setUint32(cell + cellAt.count, scaled.count, true);
  }

  /** Samples rows from `row` up to `until`; returns the first that is not sampled. */
  sampleRows(row: number, until: number): number {
    const { batch } = this;
    let next = row;
    this.#view.setUint32(state.count, batch.count, true);
    while (next < until) {
      if (next >= this.#loadedTo) this.#load(next);
      const from = this.#loadedFrom;
      const end = Math.min(until, this.#loadedTo);
      next = from + this.#sampleRows(next - from, end - from, from);
      if (next < end) break;
    }
    batch.count = this.#view.getUint32(state.count, true);
    return next;
  }

  #load(from: number): void {
    const rows = this.#rows as TraceBatch;
    const to = Math.min(from + maxRows, rows.count);
    const bytes = this.#all;
    for (const name of rowColumns) {
      const { buffer, byteOffset, BYTES_PER_ELEMENT: each } = rows[name];
      bytes.set(new Uint8Array(buffer, byteOffset + from * each, (to - from) * each), rowsAt[name]);
    }
    bytes.set(rows.payload.subarray(from * maxFdLength, to * maxFdLength), rowsAt.payload);
    this.#loadedFrom = from;
    this.#loadedTo = to;
  }

  sample(
    { bytes, at, end }: ScaledSignals,
    view: DataView,
    from: number,
    timeUs: number,
    row: number,
  ): void {
    let byte = 0;
    for (; byte + 4 <= bytes; byte += 4) {
      this.#words[byte >> 2] = view.getUint32(from + byte, true);
    }
    for (; byte < bytes; byte++) this.#bytes[byte] = view.getUint8(from + byte);
    this.#common[0] = timeUs;
    this.#row[0] = row;
    this.#sampleFrame(at, end, this.batch.count);
  }
}
