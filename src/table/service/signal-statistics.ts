import { placedDigits } from '../../base/decimal/decimal.ts';
import { DurationHistogram } from '../../base/durations/duration-histogram.ts';
import type { MessageSampler } from '../decode/message-sampler.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import type { MessageSummary, SignalSummary } from '../table-records.ts';

/** A value of a batch that is kept: as scaled integer, or as text. */
interface Kept {
  scaled: number;
  text: string | null;
}

const kept = (): Kept => ({ scaled: Number.NaN, text: null });

const textOf = ({ scaled, text }: Kept, places: number): string | null =>
  Number.isNaN(scaled) ? text : placedDigits(scaled < 0, String(Math.abs(scaled)), places);

class SignalStatistics {
  readonly #series: Series;
  readonly #unit: number;
  readonly #first = kept();
  readonly #last = kept();
  readonly #minimum = kept();
  readonly #maximum = kept();
  #count = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;

  constructor(series: Series) {
    this.#series = series;
    this.#unit = 10 ** series.places;
  }

  take(batch: SampleBatch, i: number): void {
    const scaled = batch.scaled[i] as number;
    const text = Number.isNaN(scaled) ? (batch.texts.get(i) ?? null) : null;
    const put = (to: Kept): void => {
      to.scaled = scaled;
      to.text = text;
    };
    if (this.#count++ === 0) put(this.#first);
    put(this.#last);
    if (Number.isNaN(scaled) && text === null) return;
    const isText = this.#series.isText;
    const number = isText ? Number.NaN : Number.isNaN(scaled) ? Number(text) : scaled / this.#unit;
    if (number < this.#least) {
      this.#least = number;
      put(this.#minimum);
    }
    if (number > this.#most) {
      this.#most = number;
      put(this.#maximum);
    }
  }

  get record(): SignalSummary {
    const { signal, unit, places } = this.#series;
    return {
      signal,
      unit,
      count: this.#count,
      first: textOf(this.#first, places),
      last: textOf(this.#last, places),
      minimum: textOf(this.#minimum, places),
      maximum: textOf(this.#maximum, places),
    };
  }
}

/** Frames of a message on a channel. */
export class MessageStatistics {
  readonly #series: readonly Series[];
  readonly #signals: readonly SignalStatistics[];
  readonly #firstColumn: number;
  readonly #cycles = new DurationHistogram();
  #count = 0;
  #firstUs = Number.NaN;
  #lastUs = Number.NaN;
  #shortestUs = Number.POSITIVE_INFINITY;

  constructor({ firstSeries, signals }: MessageSampler, series: readonly Series[]) {
    this.#series = series.slice(firstSeries, firstSeries + signals);
    this.#firstColumn = (this.#series[0] as Series).column;
    this.#signals = this.#series.map((one) => new SignalStatistics(one));
  }

  take(timeUs: number, batch: SampleBatch): void {
    if (this.#count++ === 0) this.#firstUs = timeUs;
    else {
      const cycleUs = Math.max(0, timeUs - this.#lastUs);
      this.#cycles.record(cycleUs);
      if (cycleUs < this.#shortestUs) this.#shortestUs = cycleUs;
    }
    this.#lastUs = timeUs;
    for (let i = 0; i < batch.count; i++) {
      // A signal has a series for each of its units, and one column.
      const { column } = batch.series[batch.of[i] as number] as Series;
      (this.#signals[column - this.#firstColumn] as SignalStatistics).take(batch, i);
    }
  }

  get record(): MessageSummary {
    const { channel, message } = this.#series[0] as Series;
    const hasCycle = this.#count > 1;
    const meanUs = (this.#lastUs - this.#firstUs) / (this.#count - 1);
    return {
      channel,
      message,
      count: this.#count,
      cycle_us: {
        minimum: hasCycle ? this.#shortestUs : null,
        mean: hasCycle ? Math.max(0, Math.round(meanUs)) : null,
        p99: hasCycle ? this.#cycles.quantileUs(0.99) : null,
        maximum: hasCycle ? this.#cycles.maxUs : null,
      },
      signals: this.#signals.map(({ record }) => record),
    };
  }
}
