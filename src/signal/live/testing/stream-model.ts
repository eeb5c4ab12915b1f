import type { SampleBounds } from '../sample.ts';

/** A sample as the model remembers it: for ever. */
export interface ModelSample {
  readonly sequence: number;
  readonly plan: number;
  readonly signal: string;
  readonly raw: string;
}

/** Every signal of the paged message ends with another byte of its page: none shares its frames. */
interface ModelSignal {
  readonly signal: string;
  readonly byte: number;
  readonly page: number | null;
  readonly history: number;
  readonly samples: ModelSample[];
}

/** The signals of the paged message, in the order of their samples. */
const signals = [
  { signal: 'Page', byte: 0, page: null },
  { signal: 'Always', byte: 3, page: null },
  { signal: 'A0', byte: 1, page: 0 },
  { signal: 'B0', byte: 2, page: 0 },
  { signal: 'A1', byte: 1, page: 1 },
];

/** What plans about the paged message have to hand out and to keep, told as plainly as possible. */
export class StreamModel {
  readonly samples: ModelSample[] = [];
  readonly #plans: readonly ModelSignal[][];
  newest = 0;
  /** Where records were lost. */
  readonly interruptions: number[] = [];

  constructor(histories: readonly number[]) {
    this.#plans = histories.map((history) =>
      signals.map((signal) => ({ ...signal, history, samples: [] })),
    );
  }

  frame(plan: number, data: readonly number[]): void {
    for (const { signal, byte, page, samples } of this.#plans[plan] ?? []) {
      const raw = data[byte];
      if (raw === undefined || (page !== null && data[0] !== page)) continue;
      const sample = { sequence: ++this.newest, plan, signal, raw: String(raw) };
      samples.push(sample);
      this.samples.push(sample);
    }
  }

  missed(): void {
    this.interruptions.push(++this.newest);
  }

  /** The newest sample pushed out among those that count; 0 if there is none. */
  lost(counts: (sample: ModelSample) => boolean): number {
    return Math.max(0, ...this.#split(counts).lost);
  }

  bounds(counts: (sample: ModelSample) => boolean): SampleBounds {
    const lost = this.lost(counts);
    const kept = this.#split(counts).kept.filter((sequence) => sequence > lost);
    const newestAvailable = Math.max(lost, ...kept);
    return { oldestAvailable: Math.min(newestAvailable + 1, ...kept), newestAvailable };
  }

  /** The samples kept among those that count, in order. */
  kept(counts: (sample: ModelSample) => boolean): number[] {
    return this.#split(counts).kept.sort((one, other) => one - other);
  }

  #split(counts: (sample: ModelSample) => boolean): { lost: number[]; kept: number[] } {
    const lost: number[] = [];
    const kept: number[] = [];
    for (const { samples, history } of this.#plans.flat()) {
      samples.forEach((sample, at) => {
        const list = at < samples.length - history ? lost : kept;
        if (counts(sample)) list.push(sample.sequence);
      });
    }
    return { lost, kept };
  }
}
