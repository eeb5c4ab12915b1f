import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { MergedTraces } from './merged-traces.ts';
import { TraceBatch } from './trace-batch.ts';
import type { TraceReader } from './trace-format.ts';

const account = {
  events: 0,
  skipped: {},
  malformed: 0,
  errors: [],
  gaps: 0,
  missed: 0,
  truncated: false,
};

/** A file of events at these milliseconds; its events have numbers from `firstId`. */
const fileOf = (
  times: readonly number[],
  { startUnixUs = 1e15 as number | null, firstId = 0, piece = 8, pauses = false } = {},
): TraceReader => {
  let next = 0;
  let calls = 0;
  return {
    format: 'asc',
    startUnixUs,
    position: 0,
    account,
    read(batch) {
      batch.clear();
      calls += 1;
      if (next === times.length) return false;
      if (pauses && calls % 2 === 1) return true;
      for (; batch.count < piece && next < times.length; next++) {
        batch.timeNs[batch.count] = (times[next] as number) * 1e6;
        batch.id[batch.count] = firstId + next;
        batch.count += 1;
      }
      return true;
    },
  };
};

const eventsOf = (readers: readonly TraceReader[], capacity = 8) => {
  const merged = new MergedTraces(readers);
  const batch = new TraceBatch(capacity);
  const found: { ms: number; id: number }[] = [];
  while (merged.read(batch)) {
    for (let row = 0; row < batch.count; row++) {
      found.push({ ms: (batch.timeNs[row] as number) / 1e6, id: batch.id[row] as number });
    }
  }
  return found;
};

describe('traces merged by time', () => {
  it('count their times from the earliest start', () => {
    const late = fileOf([0, 10], { startUnixUs: 1e15 + 5000, firstId: 100 });
    expect(eventsOf([late, fileOf([0, 7])])).toEqual([
      { ms: 0, id: 0 },
      { ms: 5, id: 100 },
      { ms: 7, id: 1 },
      { ms: 15, id: 101 },
    ]);
  });

  it('keep the order of a file, and of the files for events of the same time', () => {
    expect(eventsOf([fileOf([5, 2, 9]), fileOf([5, 6], { firstId: 100 })])).toEqual([
      { ms: 5, id: 0 },
      { ms: 2, id: 1 },
      { ms: 5, id: 100 },
      { ms: 6, id: 101 },
      { ms: 9, id: 2 },
    ]);
  });

  it('keep the gaps of each file before its next event', () => {
    const one = fileOf([1, 5], { piece: 1 });
    const two = fileOf([2, 6], { startUnixUs: 1e15 + 1000, firstId: 100 });
    const withGaps: TraceReader = {
      ...one,
      read(batch) {
        const hasMore = one.read(batch);
        if (batch.id[0] === 0 && hasMore) batch.gaps.push({ row: 1, timeNs: 4e6, missed: 7 });
        return hasMore;
      },
    };
    const merged = new MergedTraces([withGaps, two]);
    const batch = new TraceBatch(8);
    expect(merged.read(batch)).toBe(true);
    expect([...batch.id.subarray(0, batch.count)]).toEqual([0, 100, 1, 101]);
    expect(batch.gaps).toEqual([{ row: 1, timeNs: 4e6, missed: 7 }]);
  });

  it('start together where none has a date', () => {
    const relative = fileOf([1], { startUnixUs: 3_000_000, firstId: 100 });
    expect(eventsOf([fileOf([3002], { startUnixUs: null }), relative])).toEqual([
      { ms: 3001, id: 100 },
      { ms: 3002, id: 0 },
    ]);
  });

  it.each([null, 0, 5_000_000])('are refused where only one has no date: %j', (startUnixUs) => {
    const merge = () => new MergedTraces([fileOf([1]), fileOf([1], { startUnixUs })]);
    expect(merge).toThrow(BusbarError);
    expect(merge).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: { field: 'files[1]', reason: 'no_date' },
      }),
    );
  });

  it('contain every event of every file in order, however they are read', () => {
    const times = fc.array(fc.nat(50), { maxLength: 40 });
    const file = fc.record({ times, piece: fc.integer({ min: 1, max: 9 }), pauses: fc.boolean() });
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 5 }), (files) => {
        const sorted = files.map(({ times: unsorted, ...how }, at) => ({
          times: unsorted.toSorted((a, b) => a - b),
          how: { ...how, firstId: at * 1000 },
        }));
        const all = sorted
          .flatMap(({ times: own, how }) => own.map((ms, at) => ({ ms, id: how.firstId + at })))
          .sort((a, b) => a.ms - b.ms || a.id - b.id);
        expect(eventsOf(sorted.map(({ times: own, how }) => fileOf(own, how)))).toEqual(all);
      }),
    );
  });
});
