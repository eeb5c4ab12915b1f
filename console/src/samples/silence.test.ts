import { describe, expect, it } from 'vitest';
import { isSilence } from './silence.ts';

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

  it('is no pause of up to 50 ms, nor of 200 ms until now, however short the cycle is', () => {
    expect(silences([0, 1, 2, 52, 53], 1)).toEqual([]);
    expect(silences([0, 1, 2, 53, 54], 1)).toEqual([3]);
    expect(silences([0, 1, 2, 52, 53, 104])).toEqual([5]);
    expect(silences([0, 1, 2], 1, 202)).toEqual([]);
    expect(silences([0, 1, 2], 1, 203)).toEqual([3]);
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

  it('begins after 1 s where intervals tell no cycle', () => {
    const bursts = [0, 10, 9000, 9010, 18_000, 18_010, 27_000, 27_010];
    expect(silences(bursts)).toEqual([2, 4, 6]);
    expect(silences([0, 900, 1000, 1950, 2000, 2900], null, 3950)).toEqual([6]);
  });

  it('lasts until now, and begins after 1 s where there is no other sample to measure by', () => {
    expect(silences([0, 100, 200], null, 500)).toEqual([]);
    expect(silences([0, 100, 200], null, 501)).toEqual([3]);
    expect(silences([0], null, 1000)).toEqual([]);
    expect(silences([0], null, 1001)).toEqual([1]);
    expect(silences([0], 5000, 9000)).toEqual([]);
  });
});
