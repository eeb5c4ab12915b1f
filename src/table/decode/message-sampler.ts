import type { LinearScale } from '../../base/decimal/linear-scale.ts';
import type { Message, Signal } from '../../database/model.ts';
import { compileDecoder, type Decode } from '../../signal/compile-decoder.ts';
import { isStoredAsWords, RawValues } from '../../signal/raw-values.ts';
import { SampleText } from '../../signal/sample-text.ts';
import { scaleOf } from '../../signal/signal-scale.ts';
import { exactLimitOf } from '../rows/column-type.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import { maxTabled, type ScaledFrames, type ScaledSignals } from './scaled-frames.ts';

/** One array of all is in fewer lines of the processor's cache. */
const scaleFields = 3;

/** Labels of a signal, as indices plus 1 in the labels of its series. */
interface SignalLabels {
  readonly texts: string[];
  /** The label plus 1; 0 if it is not known yet. */
  readonly tabled: Uint32Array;
  readonly others: Map<number | bigint, number>;
}

const isScaled = (signal: Signal): boolean =>
  (signal.kind === 'unsigned' || signal.kind === 'signed') &&
  !isStoredAsWords(signal) &&
  signal.ranges === undefined &&
  signal.array === undefined;

/** Units that values can have; those outside of all ranges have none. */
const unitsOf = ({ ranges }: Signal): readonly string[] =>
  ranges === undefined ? [] : [...ranges.map(({ unit }) => unit), ''];

/** A selected signal of a message: its index there, and its column of a wide table. */
export interface ChosenSignal {
  readonly index: number;
  readonly column: number;
}

/** Decodes the selected signals of a message on a channel into samples. */
export class MessageSampler {
  readonly signals: number;
  readonly #message: Message;
  readonly #chosen: readonly number[];
  readonly #frames: ScaledFrames;
  /** Null for messages that need a decoder. */
  readonly #scaled: ScaledSignals | null;
  #decoder: Decode | undefined;
  readonly #values: RawValues;
  readonly #texts: SampleText;
  /** Of each signal: `limit`, `multiplier` and `addend`. */
  readonly #scales: Float64Array;
  readonly #labels: readonly (SignalLabels | null)[];
  /** Signals with labels. */
  readonly #labelled: readonly number[];
  /** Series of a signal by unit; most have one. */
  readonly #units: readonly ReadonlyMap<string, number>[];
  readonly firstSeries: number;

  /** Adds its series, first one for each signal. */
  constructor(
    message: Message,
    chosen: readonly ChosenSignal[],
    channel: string,
    frames: ScaledFrames,
  ) {
    const { series } = frames;
    const signals = chosen.map(({ index }) => message.signals[index] as Signal);
    const scales = signals.map(scaleOf);
    this.#message = message;
    this.#chosen = chosen.map(({ index }) => index);
    this.#frames = frames;
    this.#scaled = frames.describe(signals, scales, series.length);
    this.#values = new RawValues(signals);
    this.#texts = new SampleText(signals);
    this.firstSeries = series.length;
    this.signals = chosen.length;
    this.#scales = new Float64Array(chosen.length * scaleFields);
    const known = signals.map((signal, number) => {
      const scale = scales[number] as LinearScale;
      const { multiplier, addend, divisor } = scale.fast ?? {
        multiplier: 1,
        addend: 0,
        divisor: 1,
      };
      const limit = isScaled(signal) ? exactLimitOf(scale) : -1;
      this.#scales.set([limit, multiplier, addend], number * scaleFields);
      const own: Series = {
        channel,
        message: message.name,
        signal: signal.name,
        unit: signal.unit,
        labels: [],
        places: Math.round(Math.log10(divisor)),
        isText: signal.array === 'hex' || signal.array === 'ascii',
        column: (chosen[number] as ChosenSignal).column,
      };
      series.push(own);
      return own;
    });
    this.#labels = signals.map(({ values, length }, number) =>
      values.length === 0
        ? null
        : {
            texts: (known[number] as Series).labels as string[],
            tabled:
              this.#scaled?.labels[number] ?? new Uint32Array(Math.min(maxTabled, 2 ** length)),
            others: new Map(),
          },
    );
    this.#labelled = [...this.#labels.keys()].filter((number) => this.#labels[number] !== null);
    this.#units = signals.map((signal, number) => {
      const units = new Map([[signal.unit, this.firstSeries + number]]);
      for (const unit of unitsOf(signal)) {
        if (units.has(unit)) continue;
        units.set(unit, series.push({ ...(known[number] as Series), unit }) - 1);
      }
      return units;
    });
  }

  get message(): Message {
    return this.#message;
  }

  /** Lets rows with its identifier be sampled without it, if they can be. */
  remember(key: number, id: number, extended: boolean): void {
    if (this.#scaled?.isTabled) this.#frames.remember(key, id, extended, this.#scaled);
  }

  /** Decodes a payload of any length. The batch needs room for all signals. */
  sample(view: DataView, at: number, length: number, timeUs: number, row: number): void {
    const scaled = this.#scaled;
    if (scaled === null || length < scaled.bytes) {
      this.#sampleDecoded(view, at, length, timeUs, row, this.#frames.batch);
      return;
    }
    const { batch } = this.#frames;
    const start = batch.count;
    this.#frames.sample(scaled, view, at, timeUs, row);
    batch.count = start + this.signals;
    this.#addLabels(start, batch);
  }

  #decode(view: DataView, at: number, length: number): void {
    this.#decoder ??= compileDecoder(this.#message, this.#chosen).decode;
    this.#decoder(view, at, length, this.#values);
  }

  #sampleDecoded(
    view: DataView,
    at: number,
    length: number,
    timeUs: number,
    row: number,
    batch: SampleBatch,
  ): void {
    const values = this.#values;
    this.#decode(view, at, length);
    const { numbers, present } = values;
    const { timeUs: times, row: rows, of, scaled, raw: raws, label } = batch;
    const scales = this.#scales;
    const { firstSeries } = this;
    const start = batch.count;
    let i = start;
    let hasTexts = false;
    for (let number = 0, at = 0; at < scales.length; number++, at += scaleFields) {
      if ((((present[number >>> 5] as number) >>> (number & 31)) & 1) === 0) continue;
      times[i] = timeUs;
      rows[i] = row;
      of[i] = firstSeries + number;
      label[i] = 0;
      const limit = scales[at] as number;
      const raw = numbers[number] as number;
      raws[i] = raw;
      if (raw <= limit && -raw <= limit) {
        // Adding 0 turns a negative zero into zero.
        scaled[i] = raw * (scales[at + 1] as number) + (scales[at + 2] as number) + 0;
      } else {
        scaled[i] = Number.NaN;
        hasTexts = true;
      }
      i++;
    }
    batch.count = i;
    // With calls in the loop above, the compiler would check the arrays for each signal again.
    if (hasTexts || i - start < this.signals) this.#sampleOthers(start, batch);
    else this.#addLabels(start, batch);
  }

  /** Adds labels to scaled samples of all signals. */
  #addLabels(start: number, { label, raw }: SampleBatch): void {
    const labelled = this.#labelled;
    for (let i = 0; i < labelled.length; i++) {
      const number = labelled[i] as number;
      label[start + number] = this.#label(number, raw[start + number] as number);
    }
  }

  /** Adds labels, and texts of values that are not scaled, to samples of some signals. */
  #sampleOthers(start: number, batch: SampleBatch): void {
    const { of, scaled, raw, label, count } = batch;
    for (let i = start; i < count; i++) {
      const number = (of[i] as number) - this.firstSeries;
      if (Number.isNaN(scaled[i])) label[i] = this.#sampleText(number, i, batch);
      else if (this.#labels[number]) label[i] = this.#label(number, raw[i] as number);
    }
  }

  #sampleText(number: number, i: number, batch: SampleBatch): number {
    const known = this.#labels[number] ?? null;
    const text = this.#texts.textOf(this.#values, number);
    batch.texts.set(i, text?.value ?? null);
    const series = this.#units[number]?.get(text?.unit ?? '');
    if (series !== undefined) batch.of[i] = series;
    const raw = known === null ? null : this.#values.get(number);
    return known === null || raw === null ? 0 : this.#searchLabel(known, number, raw);
  }

  #label(number: number, raw: number): number {
    const known = this.#labels[number] as SignalLabels;
    const { tabled } = known;
    const index = raw | 0;
    if (index !== raw || index < 0 || index >= tabled.length) {
      return this.#searchLabel(known, number, raw);
    }
    const label = tabled[index] as number;
    if (label > 0) return label - 1;
    const found = this.#findLabel(known, number, raw);
    tabled[index] = found + 1;
    return found;
  }

  #searchLabel(known: SignalLabels, number: number, raw: number | bigint): number {
    const label = known.others.get(raw);
    if (label !== undefined) return label;
    const found = this.#findLabel(known, number, raw);
    if (found > 0) known.others.set(raw, found);
    return found;
  }

  #findLabel({ texts }: SignalLabels, number: number, raw: number | bigint): number {
    this.#values.set(number, raw);
    const label = this.#texts.textOf(this.#values, number)?.label ?? null;
    return label === null ? 0 : texts.indexOf(label) + 1 || texts.push(label);
  }
}
