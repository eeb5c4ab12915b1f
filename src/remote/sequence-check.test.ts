import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SequenceCheck } from './sequence-check.ts';

const countsAfter = (...sequences: number[]): object => {
  const check = new SequenceCheck();
  for (const sequence of sequences) check.accept(sequence);
  const { lost, reordered, duplicates } = check;
  return { lost, reordered, duplicates };
};

const counts = (lost: number, reordered = 0, duplicates = 0): object => ({
  lost,
  reordered,
  duplicates,
});

describe('following sequence numbers', () => {
  it('starts with whatever number comes first', () => {
    expect(countsAfter(200, 201, 202)).toEqual(counts(0));
  });

  it('goes from 255 to 0', () => {
    expect(countsAfter(254, 255, 0, 1)).toEqual(counts(0));
    expect(countsAfter(254, 1)).toEqual(counts(2));
  });

  it('counts what was skipped, up to 127 datagrams', () => {
    expect(countsAfter(0, 4)).toEqual(counts(3));
    expect(countsAfter(0, 128)).toEqual(counts(127));
  });

  it('takes back the loss of a datagram that comes late', () => {
    expect(countsAfter(10, 12, 11, 13)).toEqual(counts(0, 1));
    expect(countsAfter(254, 1, 255, 2)).toEqual(counts(1, 1));
    expect(countsAfter(10, 13, 11, 12, 14)).toEqual(counts(0, 2));
  });

  it('counts a number that had come already, also the second time a late one comes', () => {
    expect(countsAfter(10, 10, 11)).toEqual(counts(0, 0, 1));
    expect(countsAfter(10, 12, 11, 11, 13)).toEqual(counts(0, 1, 1));
  });

  it('goes along with a peer that starts anew after its second datagram', () => {
    expect(countsAfter(98, 99, 100, 0, 1, 2, 3)).toEqual(counts(0, 0, 1));
  });

  it('is not led astray by a peer that always sends the same number', () => {
    expect(countsAfter(0, 0, 0, 0)).toEqual(counts(0, 0, 3));
  });

  it('accounts for every datagram of a lossy link that keeps the order', () => {
    const runs = fc.array(fc.integer({ min: 0, max: 127 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), runs, (first, skips) => {
        const check = new SequenceCheck();
        let sent = 0;
        check.accept(first);
        for (const skip of skips) {
          sent += skip + 1;
          check.accept((first + sent) & 0xff);
        }
        expect(check.lost + skips.length).toBe(sent);
        expect(check.duplicates + check.reordered).toBe(0);
      }),
      { seed: 20_002 },
    );
  });
});
