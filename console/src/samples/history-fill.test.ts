import { describe, expect, it } from 'vitest';
import type { SignalSample } from '../api/client.ts';
import { SampleSeries } from './sample-series.ts';
import { HistoryFill, type Place } from './signals-state.ts';
import { aSample } from './testing/samples.ts';

const aPlace = (frames: number): Place => {
  const series = new SampleSeries();
  series.bind('plan-1');
  return { plan: 'plan-1', name: 'EngineSpeed', frames, series };
};

/** A service with these samples, which records its requests. */
const aFill = (...samples: SignalSample[]) => {
  const asked: number[] = [];
  const fill = new HistoryFill(async (_plan, _signal, after) => {
    asked.push(after);
    return samples.filter(({ sequence }) => sequence > after);
  });
  return { fill, asked };
};

describe('the history of signals before their stream', () => {
  it('is not asked for where nothing was decoded, until something was', async () => {
    const { fill, asked } = aFill(aSample(1));
    const place = aPlace(0);
    await fill.fill([place]);
    await fill.fill([place]);
    expect(asked).toEqual([]);
    await fill.fill([{ ...place, frames: 1 }]);
    expect([asked, place.series.length]).toEqual([[0], 1]);
  });

  it('is asked for once in a connection, also of a signal without a sample', async () => {
    const { fill, asked } = aFill();
    const place = aPlace(5);
    await fill.fill([place]);
    await fill.fill([place]);
    expect(asked).toEqual([0]);
    fill.renew();
    await fill.fill([place]);
    expect(asked).toEqual([0, 0]);
  });

  it('comes before live samples that had to wait for it', async () => {
    const { fill } = aFill(aSample(1), aSample(2));
    const place = aPlace(2);
    fill.hold([place]);
    place.series.take(aSample(3));
    expect(place.series.length).toBe(0);
    await fill.fill([place]);
    expect([1, 2, 3].map((_, at) => place.series.textAt(at))).toEqual(['1', '2', '3']);
  });

  it('lets live samples through where there was nothing before them', async () => {
    const { fill, asked } = aFill();
    const place = aPlace(0);
    fill.hold([place]);
    place.series.take(aSample(1));
    await fill.fill([place]);
    expect([asked, place.series.length]).toEqual([[], 1]);
  });

  it('confirms what was stale with what came behind it', async () => {
    const { fill, asked } = aFill(aSample(1));
    const place = aPlace(1);
    place.series.take(aSample(1));
    await fill.fill([place]);
    expect(asked).toEqual([]);
    place.series.isStale = true;
    fill.renew();
    await fill.fill([place]);
    expect([asked, place.series.isStale]).toEqual([[1], false]);
  });

  it('lets live samples through where the question fails', async () => {
    const fill = new HistoryFill(async () => {
      throw new Error('away');
    });
    const place = aPlace(1);
    fill.hold([place]);
    place.series.take(aSample(4));
    await fill.fill([place]);
    expect(place.series.length).toBe(1);
  });
});
