import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LevelBuilder } from '../samples/sample-levels.ts';
import { SampleSeries } from '../samples/sample-series.ts';
import { aSample } from '../samples/testing/samples.ts';
import { labelSpans, linePoints } from './line-points.ts';
import { statisticsOver } from './statistics.ts';

const cycleUs = 10_000;
const texts = ['off', 'on'];

interface Story {
  readonly count: number;
  readonly seed: number;
}

/** Samples with pauses, values without a number and runs of labels; the same for a seed. */
const samplesOf = ({ count, seed }: Story) => {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let us = 1_000_000;
  let label = 0;
  return Array.from({ length: count }, () => {
    us += random() < 0.002 ? 5_000_000 : Math.round(cycleUs * (0.9 + random() / 5));
    if (random() < 0.01) label = 1 - label;
    return { us, value: random() < 0.002 ? null : Math.round(random() * 1000) / 8, label };
  });
};

/** The same samples as a service sends them, and as a file has them. */
const bothOf = (story: Story, known: number | null) => {
  const samples = samplesOf(story);
  const live = new SampleSeries(story.count);
  live.bind('plan');
  for (const [at, { us, value, label }] of samples.entries()) {
    const text = { value: value === null ? null : String(value), label: texts[label] ?? '' };
    live.take({ ...aSample(0), plan_id: 'plan', sequence: at + 1, timestamp_us: us, ...text });
  }
  const times = Float64Array.from(samples, ({ us }) => us);
  const values = Float64Array.from(samples, ({ value }) => value ?? Number.NaN);
  const labels = Int32Array.from(samples, ({ label }) => label);
  const starts = [...labels.keys()].filter((at) => at > 0 && labels[at] !== labels[at - 1]);
  const builder = new LevelBuilder(1);
  for (let length = 0; length < times.length; length += 777) builder.take(times, values, length);
  const file = new SampleSeries();
  const levels = builder.end(times, values, times.length);
  const columns = { times, values, labels, labelTexts: texts, labelled: times.length, levels };
  file.load({ ...columns, labelStarts: Uint32Array.from(starts) }, null);
  live.cycleUs = known;
  file.cycleUs = known;
  return { live, file };
};

describe('a signal of a file', () => {
  const story = fc.record({ count: fc.integer({ min: 1, max: 6000 }), seed: fc.nat() });
  const knownCycle = fc.constantFrom(null, cycleUs);

  it('is drawn and measured like the same samples of a stream, in ranges of any length', () => {
    const place = fc.double({ min: -0.05, max: 1.05, noNaN: true });
    fc.assert(
      fc.property(story, knownCycle, place, place, (given, known, one, other) => {
        const { live, file } = bothOf(given, known);
        const spanUs = live.timeAt(live.length - 1) - live.timeAt(0);
        const usAt = (share: number): number => live.timeAt(0) + share * spanUs;
        const range = { fromUs: usAt(Math.min(one, other)), toUs: usAt(Math.max(one, other)) };
        expect(linePoints(file, range, 40)).toEqual(linePoints(live, range, 40));
        expect(labelSpans(file, range, 0)).toEqual(labelSpans(live, range, 0));
        const { mean, ...figures } = statisticsOver(live, range);
        const { mean: meanOfGroups, ...ofGroups } = statisticsOver(file, range);
        expect(ofGroups).toEqual(figures);
        if (mean === null) expect(meanOfGroups).toBeNull();
        else expect(meanOfGroups).toBeCloseTo(mean, 9);
      }),
      { seed: 37, numRuns: 60 },
    );
  });

  it('is summed up from a few groups, however long the range is', () => {
    const { file } = bothOf({ count: 300_000, seed: 5 }, null);
    let read = 0;
    const valueAt = file.valueAt.bind(file);
    file.valueAt = (index) => {
      read++;
      return valueAt(index);
    };
    file.summaryOf(1, file.length - 1);
    expect(read).toBeLessThan(200);
  });
});
