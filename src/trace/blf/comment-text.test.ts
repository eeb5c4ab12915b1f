import { describe, expect, it } from 'vitest';
import { MemorySource } from '../testing/memory-bytes.ts';
import { TraceBatch } from '../trace-batch.ts';
import { gapRemark } from '../trace-gap.ts';
import { readBlf } from './read-blf.ts';
import { container, file, message, object, words } from './testing/blf-bytes.ts';

const comment = (text: string, claimed = text.length): Buffer => {
  const body = Buffer.concat([words([4, 0], [4, claimed], [8, 0]), Buffer.from(text)]);
  return object(92, body, { timeNs: 1500 });
};

const read = (...containers: Buffer[]) => {
  const reader = readBlf(new MemorySource(file(...containers)));
  const batch = new TraceBatch(8);
  reader.read(batch);
  return { gaps: batch.gaps, account: reader.account };
};

describe('a comment in a BLF file', () => {
  it('tells where events are missing, wherever its container ends', () => {
    const contents = Buffer.concat([message(1), comment(gapRemark(812)), message(2)]);
    for (let cut = 1; cut < contents.length; cut++) {
      const parts = [contents.subarray(0, cut), contents.subarray(cut)];
      const { gaps, account } = read(...parts.map((part) => container(part)));
      expect(gaps).toEqual([{ row: 1, timeNs: 1500, missed: 812 }]);
      expect(account).toMatchObject({ events: 2, gaps: 1, missed: 812, skipped: {}, malformed: 0 });
    }
  });

  it('is passed over where it says anything else, or is damaged', () => {
    const others = [
      comment('812 events'),
      comment(''),
      comment(gapRemark(1).padEnd(3000, '.')),
      comment(gapRemark(1), 5),
      object(92, Buffer.alloc(8)),
    ];
    const { gaps, account } = read(container(Buffer.concat(others)));
    expect(gaps).toEqual([]);
    expect(account).toMatchObject({ gaps: 0, skipped: { comment: 5 }, malformed: 0 });
  });
});
