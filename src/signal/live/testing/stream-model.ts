import type { Bounds } from '../../../base/subscription.ts';

/** A sample as stored in the model, without limit. */
export interface ModelSample {
  readonly sequence: number;
  readonly plan: number;
  readonly signal: string;
  readonly raw: string;
}

interface ModelGroup {
  readonly signals: readonly string[];
  readonly history: number;
  readonly frames: ModelSample[][];
}

/** The byte of each signal of the paged message. */
const byteOf: Readonly<Record<string, number>> = { Page: 0, A0: 1, A1: 1, B0: 2, Always: 3 };
const pages = [['A0', 'B0'], ['A1']];

/** A simple model of the samples that plans of the paged message return and retain. */
export class StreamModel {
  readonly samples: ModelSample[] = [];
  readonly #plans: readonly ModelGroup[][];
  newest = 0;
  /** Positions of lost records. */
  readonly interruptions: number[] = [];

  constructor(histories: readonly number[]) {
    this.#plans = histories.map((history) =>
      [['Page', 'Always'], ...pages].map((signals) => ({ signals, history, frames: [] })),
    );
  }

  frame(plan: number, data: readonly number[]): void {
    const groups = this.#plans[plan] ?? [];
    groups.forEach((group, at) => {
      if (at > 0 && data[0] !== at - 1) return;
      const first = this.newest + 1;
      const frame = group.signals.flatMap((signal, place) => {
        const byte = data[byteOf[signal] ?? 0];
        if (byte === undefined) return [];
        return [{ sequence: first + place, plan, signal, raw: String(byte) }];
      });
      if (frame.length === 0) return;
      group.frames.push(frame);
      this.samples.push(...frame);
      this.newest += group.signals.length;
    });
  }

  missed(): void {
    this.interruptions.push(++this.newest);
  }

  /** The newest discarded sample of the selection; 0 if none. */
  lost(counts: (sample: ModelSample) => boolean): number {
    return Math.max(0, ...this.#split(counts).lost);
  }

  bounds(counts: (sample: ModelSample) => boolean): Bounds {
    const lost = this.lost(counts);
    const kept = this.#split(counts).kept.filter((sequence) => sequence > lost);
    const newestAvailable = Math.max(lost, ...kept);
    return { oldestAvailable: Math.min(newestAvailable + 1, ...kept), newestAvailable };
  }

  /** The retained samples of the selection, in order. */
  kept(counts: (sample: ModelSample) => boolean): number[] {
    return this.#split(counts).kept.sort((one, other) => one - other);
  }

  #split(counts: (sample: ModelSample) => boolean): { lost: number[]; kept: number[] } {
    const lost: number[] = [];
    const kept: number[] = [];
    for (const { frames, history } of this.#plans.flat()) {
      frames.forEach((frame, at) => {
        const list = at < frames.length - history ? lost : kept;
        list.push(...frame.filter(counts).map(({ sequence }) => sequence));
      });
    }
    return { lost, kept };
  }
}
