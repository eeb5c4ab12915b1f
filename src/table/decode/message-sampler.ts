import type { Message } from '../../database/model.ts';
import { compileDecoder, type Decode } from '../../signal/compile-decoder.ts';
import { isStoredAsWords, type RawValues } from '../../signal/raw-values.ts';
import { SampleText } from '../../signal/sample-text.ts';
import { scaleOf } from '../../signal/signal-scale.ts';
import { exactLimitOf } from '../rows/column-type.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';

interface SignalSampler {
  /** Largest raw value that is scaled in doubles; -1 for none. */
  readonly limit: number;
  readonly multiplier: number;
  readonly addend: number;
  readonly labels: string[] | null;
  readonly labelOf: Map<number | bigint, number>;
}

/** A selected signal of a message: its index there, and its column of a wide table. */
export interface ChosenSignal {
  readonly index: number;
  readonly column: number;
}

/** Decodes the selected signals of a message on a channel into samples. */
export class MessageSampler {
  readonly signals: number;
  readonly #message: Message;
  readonly #decode: Decode;
  readonly #values: RawValues;
  readonly #texts: SampleText;
  readonly #samplers: readonly SignalSampler[];
  readonly firstSeries: number;

  /** Adds its series, one for each signal, to those of the batches. */
  constructor(
    message: Message,
    chosen: readonly ChosenSignal[],
    channel: string,
    series: Series[],
  ) {
    const decoder = compileDecoder(
      message,
      chosen.map(({ index }) => index),
    );
    this.#message = message;
    this.#decode = decoder.decode;
    this.#values = decoder.newValues();
    this.#texts = new SampleText(decoder.signals);
    this.firstSeries = series.length;
    this.signals = chosen.length;
    this.#samplers = decoder.signals.map((signal, number) => {
      const scale = scaleOf(signal);
      const isInteger = signal.kind === 'unsigned' || signal.kind === 'signed';
      const limit = isInteger && !isStoredAsWords(signal) ? exactLimitOf(scale) : -1;
      const { multiplier, addend, divisor } = scale.fast ?? {
        multiplier: 1,
        addend: 0,
        divisor: 1,
      };
      const labels: string[] | null = signal.values.length > 0 ? [] : null;
      series.push({
        channel,
        message: message.name,
        signal: signal.name,
        unit: signal.unit,
        labels: labels ?? [],
        places: Math.round(Math.log10(divisor)),
        column: (chosen[number] as ChosenSignal).column,
      });
      return { limit, multiplier, addend, labels, labelOf: new Map() };
    });
  }

  get message(): Message {
    return this.#message;
  }

  /** Decodes a payload of any length. The batch needs room for all signals. */
  sample(
    view: DataView,
    at: number,
    length: number,
    timeUs: number,
    row: number,
    batch: SampleBatch,
  ): void {
    const values = this.#values;
    this.#decode(view, at, length, values);
    const { numbers, present } = values;
    const samplers = this.#samplers;
    for (let number = 0; number < samplers.length; number++) {
      if ((((present[number >>> 5] as number) >>> (number & 31)) & 1) === 0) continue;
      const sampler = samplers[number] as SignalSampler;
      const i = batch.count++;
      batch.timeUs[i] = timeUs;
      batch.row[i] = row;
      batch.of[i] = this.firstSeries + number;
      const raw = numbers[number] as number;
      if (raw <= sampler.limit && -raw <= sampler.limit) {
        // Adding 0 turns a negative zero into zero.
        batch.scaled[i] = raw * sampler.multiplier + sampler.addend + 0;
        batch.label[i] = sampler.labels === null ? 0 : this.#label(sampler, number, raw);
      } else this.#sampleText(sampler, number, i, batch);
    }
  }

  #sampleText(sampler: SignalSampler, number: number, i: number, batch: SampleBatch): void {
    batch.scaled[i] = Number.NaN;
    batch.texts.set(i, this.#texts.textOf(this.#values, number)?.value ?? null);
    const raw = sampler.labels === null ? null : this.#values.get(number);
    batch.label[i] = raw === null ? 0 : this.#label(sampler, number, raw);
  }

  #label({ labels, labelOf }: SignalSampler, number: number, raw: number | bigint): number {
    const known = labelOf.get(raw);
    if (known !== undefined) return known;
    const label = this.#texts.textOf(this.#values, number)?.label ?? null;
    if (label === null || labels === null) return 0;
    const index = labels.indexOf(label) + 1 || labels.push(label);
    labelOf.set(raw, index);
    return index;
  }
}
