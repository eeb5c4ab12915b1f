import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Bounds } from '../../base/subscription.ts';
import { cases } from '../../base/testing/long.ts';
import { SampleCursor } from './sample-cursor.ts';
import type { Sample } from './sample-record.ts';
import { LiveBench } from './testing/live-bench.ts';
import { pagedMessage } from './testing/paged-message.ts';
import { type ModelSample, StreamModel } from './testing/stream-model.ts';

const names = ['Page', 'A0', 'A1', 'B0', 'Always'];

type Step =
  | { readonly kind: 'frame'; readonly plan: number; readonly data: readonly number[] }
  | { readonly kind: 'missed' }
  | { readonly kind: 'serve'; readonly room: number; readonly limit: number }
  | {
      readonly kind: 'history';
      readonly plan: number;
      readonly name: string;
      readonly pick: number;
    };

const arbitraryFrame = fc
  .record({
    plan: fc.integer({ min: 0, max: 1 }),
    page: fc.integer({ min: 0, max: 2 }),
    rest: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 3, minLength: 0 }),
    isWhole: fc.boolean(),
  })
  .map(({ plan, page, rest, isWhole }) => ({
    kind: 'frame' as const,
    plan,
    data: isWhole ? [page, 1, 2, 3] : [page, ...rest],
  }));

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: arbitraryFrame },
  { weight: 1, arbitrary: fc.constant({ kind: 'missed' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('serve' as const),
      room: fc.integer({ min: 1, max: 6 }),
      limit: fc.integer({ min: 1, max: 20 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('history' as const),
      plan: fc.integer({ min: 0, max: 1 }),
      name: fc.constantFrom(...names),
      pick: fc.nat(),
    }),
  },
);

const history = fc.integer({ min: 1, max: 6 });
const arbitraryNames = fc.subarray(names, { minLength: 1 });

/** The plans and the model side by side. */
class Run {
  readonly bench = new LiveBench();
  readonly model: StreamModel;

  constructor(histories: readonly number[]) {
    this.model = new StreamModel(histories);
    histories.forEach((kept, channel) => {
      this.bench.plan(pagedMessage(), { planId: `p${channel}`, channel, history: kept });
    });
  }

  frame(plan: number, data: readonly number[]): void {
    this.bench.frame(data, { channel: plan });
    this.model.frame(plan, data);
    expect(this.bench.set.newestSequence).toBe(this.model.newest);
  }

  missed(): void {
    this.bench.set.missed(1);
    this.model.missed();
  }

  checkHistory(plan: number, name: string, pick: number): void {
    const { model } = this;
    const counts = (sample: ModelSample) => sample.plan === plan && sample.signal === name;
    const after = pick % (model.newest + 3);
    const ask = () => this.bench.set.history(`p${plan}`, name, after, 1000);
    const bounds = model.bounds(counts);
    if (!model.samples.some(counts)) {
      expect(ask).toThrow(expect.objectContaining({ code: 'no_sample' }));
    } else if (after > model.newest || (after > 0 && after < model.lost(counts))) {
      expect(ask).toThrow(BusbarError);
      expect(ask).toThrow(expect.objectContaining({ code: 'cursor_expired' }));
    } else {
      const { samples, nextAfter, ...reported } = ask();
      const expected = model.kept(counts).filter((sequence) => sequence > after);
      expect(samples.map(({ sequence }) => sequence)).toEqual(expected);
      expect(nextAfter).toBe(expected.at(-1) ?? model.newest);
      expect(reported).toEqual(bounds);
    }
  }
}

/** Follows a stream and checks it against every sample of the model. */
class Auditor {
  readonly #run: Run;
  readonly #cursor: SampleCursor;
  readonly #counts: (sample: ModelSample) => boolean;
  /** Everything up to here was returned or reported as missing. */
  #position: number;

  constructor(run: Run, chosen: readonly (readonly string[])[], pick: number | null) {
    const { bench, model } = run;
    const { set } = bench;
    this.#run = run;
    this.#counts = ({ plan, signal }) => chosen[plan]?.includes(signal) ?? false;
    this.#cursor = new SampleCursor(
      set,
      chosen.map((signals, plan) => ({ plan: set.get(`p${plan}`), signals })),
    );
    this.#position = model.newest;
    if (pick === null) return;
    const after = pick % (model.newest + 3);
    const lost = model.lost(this.#counts);
    const expired = after > model.newest || (after > 0 && after < lost);
    expect(this.#cursor.seek(after)).toBe(expired);
    this.#position = after === 0 || expired ? lost : after;
  }

  serve(room: number, limit: number): void {
    if (this.#cursor.hasLost) this.#skipLost();
    let taken = 0;
    const passed = this.#cursor.pass(
      { item: (one, id) => this.#take(one, id, ++taken < room) },
      limit,
    );
    expect(passed).toBe(taken);
    expect(taken).toBeLessThanOrEqual(Math.min(room, limit));
  }

  /** Reads all samples; nothing may be missing afterwards. */
  drain(): void {
    while (this.#cursor.hasLost || this.#cursor.hasBacklog) this.serve(100, 100);
    expect(this.#owed(Number.POSITIVE_INFINITY)).toEqual([]);
  }

  #owed(end: number): ModelSample[] {
    return this.#run.model.samples.filter(
      (sample) => this.#counts(sample) && sample.sequence > this.#position && sample.sequence < end,
    );
  }

  #take({ sequence, signal, raw }: Sample, planId: string, hasRoom: boolean): boolean {
    const [next] = this.#owed(Number.POSITIVE_INFINITY);
    expect({ sequence, plan: Number(planId.slice(1)), signal, raw }).toEqual(next);
    this.#position = sequence;
    return hasRoom;
  }

  #skipLost(): void {
    const { interruptions } = this.#run.model;
    const { bounds, missed } = this.#cursor.skipLost();
    const { oldestAvailable } = bounds;
    if (missed === null) {
      const isBetween = (at: number) => at > this.#position && at < oldestAvailable;
      expect(interruptions.some(isBetween)).toBe(true);
    } else {
      expect(missed).toBeGreaterThan(0);
      expect(missed).toBe(this.#owed(oldestAvailable).length);
      expect(bounds).toEqual<Bounds>(this.#run.model.bounds(this.#counts));
    }
    this.#position = Math.max(this.#position, oldestAvailable - 1);
  }
}

describe('SampleCursor beside a model', () => {
  it('gives every sample once and in order, or tells exactly how many are missing', () => {
    fc.assert(
      fc.property(
        fc.tuple(history, history),
        fc.tuple(arbitraryNames, arbitraryNames),
        fc.array(arbitraryStep, { maxLength: 60 }),
        fc.array(arbitraryStep, { maxLength: 120 }),
        fc.option(fc.nat()),
        (histories, chosen, before, steps, pick) => {
          const run = new Run(histories);
          let auditor: Auditor | undefined;
          const act = (step: Step): void => {
            if (step.kind === 'frame') run.frame(step.plan, step.data);
            else if (step.kind === 'missed') run.missed();
            else if (step.kind === 'history') run.checkHistory(step.plan, step.name, step.pick);
            else auditor?.serve(step.room, step.limit);
          };
          before.forEach(act);
          auditor = new Auditor(run, chosen, pick);
          steps.forEach(act);
          auditor.drain();
        },
      ),
      { seed: 20_240_611, numRuns: cases(80, 400) },
    );
  });
});
