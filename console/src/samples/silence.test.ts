import { describe, expect, it } from 'vitest';
import { isSilence } from './sample-series.ts';

const ms = 1000;

/** Indexes of the samples after a silence, including the next sample at `nowMs`. */
const silences = (
  timesMs: readonly number[],
  cycleMs: number | null = null,
  nowMs?: number,
): number[] => {
  const times = Float64Array.from(timesMs, (each) => each * ms);
  const until = nowMs === undefined ? times : [...times, nowMs * ms];
  return [...until.keys()].slice(1).filter((index) => {
    const spanUs = (until[index] as number) - (until[index - 1] as number);
    return isSilence(spanUs, cycleMs && cycleMs * ms, times, index, times.length);
  });
};

describe('isSilence', () => {
  it('begins after three cycles that the database tells', () => {
    expect(silences([0, 100, 400, 800, 900], 100)).toEqual([3]);
    expect(silences([0, 100, 400, 800, 900], 500)).toEqual([]);
  });

  it('begins after three measured cycles where none is told', () => {
    expect(silences([0, 100, 200, 300, 601, 701, 1000])).toEqual([4]);
    expect(silences([0, 1000, 2000, 4900, 6000, 9500, 10_500])).toEqual([5]);
  });

  it('is no pause of up to 200 ms, however short the cycle is', () => {
    expect(silences([0, 1, 2, 202, 203], 1)).toEqual([]);
    expect(silences([0, 1, 2, 203, 204], 1)).toEqual([3]);
    expect(silences([0, 1, 2, 202, 203, 404])).toEqual([5]);
  });

  it('is found before the second sample, too, by those that follow', () => {
    expect(silences([0, 9000, 9010, 9020])).toEqual([1]);
  });

  it('follows a cycle that changes, without a hole where it does', () => {
    const quick = Array.from({ length: 50 }, (_, at) => at * 10);
    const slow = Array.from({ length: 20 }, (_, at) => 500 + at * 1000);
    expect(silences([...quick, ...slow, 28_000])).toEqual([70]);
  });

  it('is not led astray by one interval that is short by chance', () => {
    expect(silences([0, 1000, 2000, 3900, 4000, 5000, 6000])).toEqual([]);
  });

  it('goes on until now, and begins after 3 s where there is no other sample to measure by', () => {
    expect(silences([0, 100, 200], null, 500)).toEqual([]);
    expect(silences([0, 100, 200], null, 501)).toEqual([3]);
    expect(silences([0], null, 3000)).toEqual([]);
    expect(silences([0], null, 3001)).toEqual([1]);
    expect(silences([0], 5000, 9000)).toEqual([]);
  });
});
