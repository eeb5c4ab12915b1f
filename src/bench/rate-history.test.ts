import { describe, expect, it } from 'vitest';
import { keptSeconds, RateHistory } from './rate-history.ts';

const busy = (busLoadPercent: number) => ({ rxFps: 10, txFps: 20, busLoadPercent });

/** Times, in milliseconds, that end a second. */
const dueAt = (history: RateHistory, timesMs: readonly number[]): readonly number[] =>
  timesMs.filter((ms) => history.isDue(ms * 1000));

describe('RateHistory', () => {
  it('ends a second each second, whenever it is asked', () => {
    const times = [0, 250, 500, 750, 1000, 1250, 1999, 2001, 2250, 2999, 3000];
    expect(dueAt(new RateHistory(), times)).toEqual([1000, 2001, 3000]);
  });

  it('goes on with the seconds of now after a pause, and has none twice', () => {
    expect(dueAt(new RateHistory(), [0, 1000, 9400, 9500, 9999, 10_000])).toEqual([
      1000, 9400, 10_000,
    ]);
  });

  it('tells the seconds that ended later than the one known, the oldest first', () => {
    const history = new RateHistory();
    for (const second of [1, 2, 3]) history.add(second * 1_000_000, busy(second));
    expect(history.after(1_000_000)).toEqual([
      { atUs: 2_000_000, rates: busy(2) },
      { atUs: 3_000_000, rates: busy(3) },
    ]);
    expect(history.after(3_000_000)).toEqual([]);
  });

  it('keeps the last minute and no more', () => {
    const history = new RateHistory();
    for (let second = 1; second <= keptSeconds + 5; second++) history.add(second, busy(0));
    const kept = history.after(0).map(({ atUs }) => atUs);
    expect(kept).toHaveLength(keptSeconds);
    expect([kept[0], kept.at(-1)]).toEqual([6, keptSeconds + 5]);
  });
});
