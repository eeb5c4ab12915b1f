import { describe, expect, it } from 'vitest';
import { TraceBatch } from './trace-batch.ts';
import { gapRemark, missedBy } from './trace-gap.ts';

describe('the remark of a place where events are missing', () => {
  it.each([0, 1, 812, null])('tells how many are: %j', (missed) => {
    expect(missedBy(gapRemark(missed))).toBe(missed);
    expect(missedBy(`${gapRemark(missed)}\r`)).toBe(missed);
  });

  it.each([
    '',
    'events are missing here',
    '5 events',
    'x 5 events are missing here',
    '-1 events are missing here',
  ])('is not %j', (text) => {
    expect(missedBy(text)).toBeUndefined();
  });
});

describe('the gaps of a batch', () => {
  it('are one in one place, however many remarks there are, and go with its rows', () => {
    const batch = new TraceBatch(8);
    for (let i = 0; i < 1000; i++) batch.addGap(i, 2);
    batch.count = 3;
    batch.addGap(5, 1);
    batch.addGap(6, null);
    expect(batch.gaps).toEqual([
      { row: 0, timeNs: 0, missed: 2000 },
      { row: 3, timeNs: 5, missed: null },
    ]);
    batch.clear();
    expect(batch.gaps).toEqual([]);
  });
});
