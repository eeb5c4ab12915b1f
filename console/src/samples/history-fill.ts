import type { SignalSample } from '../api/schema.ts';
import type { SampleSeries } from './sample-series.ts';

/** A signal of a plan, and where its samples go. */
export interface Place {
  readonly plan: string;
  readonly name: string;
  /** Frames that the plan had decoded when it was listed. */
  readonly frames: number;
  readonly series: SampleSeries;
}

type LoadSamples = (
  plan: string,
  signal: string,
  sequence: number,
) => Promise<readonly SignalSample[]>;

/** Fetches what signals were before the stream began: once for each of them and each connection. */
export class HistoryFill {
  readonly #load: LoadSamples;
  /** The plan for which each of them has asked. */
  #asked = new WeakMap<SampleSeries, string>();

  constructor(load: LoadSamples) {
    this.#load = load;
  }

  /** What was asked before tells no more whether samples are missing. */
  renew(): void {
    this.#asked = new WeakMap();
  }

  /** Live samples wait, until `fill` knows whether there are older ones. */
  hold(places: Iterable<Place>): void {
    for (const { series } of places) if (series.lastSequence === 0) series.beginFill();
  }

  /** Fetches what is missing; the list of plans tells where nothing can be. */
  async fill(places: Iterable<Place>): Promise<void> {
    await Promise.all([...places].map((place) => this.#fillOne(place)));
  }

  async #fillOne({ plan, name, frames, series }: Place): Promise<void> {
    if (this.#asked.get(series) === plan) return;
    if (frames === 0) {
      series.endFill([]);
      return;
    }
    if (series.lastSequence > 0 && !series.isStale) return;
    this.#asked.set(series, plan);
    series.beginFill();
    try {
      series.endFill(await this.#load(plan, name, series.lastSequence));
      if (series.lastSequence > 0) series.isStale = false;
    } catch {
      // The stream and the list of plans meet the same trouble, and tell it.
      series.endFill([]);
    }
  }
}
