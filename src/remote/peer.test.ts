import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SequenceCheck } from './peer.ts';

const countsAfter = (...sequences: number[]): object => {
  const check = new SequenceCheck();
  for (const sequence of sequences) check.accept(sequence);
  const { lost, reordered, duplicates, jumps } = check;
  return { lost, reordered, duplicates, jumps };
};

const counts = (lost: number, reordered = 0, duplicates = 0, jumps = 0): object => ({
  lost,
  reordered,
  duplicates,
  jumps,
});

/** Sequence numbers on the wire for datagrams counted from 0. */
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => (from + index) & 0xff);

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

  it('goes along with a peer that starts anew after its second datagram, and calls it a jump', () => {
    expect(countsAfter(98, 99, 100, 0, 1, 2, 3)).toEqual(counts(0, 0, 0, 1));
  });

  it('notices that 128 to 254 datagrams are missing, but not how many', () => {
    for (const missing of [128, 129, 130, 200, 254]) {
      const after = numbers(50 + missing, 50 + missing + 79);
      expect(countsAfter(...numbers(0, 49), ...after)).toEqual(counts(0, 0, 0, 1));
    }
  });

  it('tells each jump and each loss of its own', () => {
    const sent = [...numbers(0, 49), ...numbers(180, 259), ...numbers(270, 299)];
    expect(countsAfter(...sent, ...numbers(440, 480))).toEqual(counts(10, 0, 0, 2));
  });

  it('cannot notice that exactly all the numbers are missing', () => {
    const sent = [...numbers(0, 49), ...numbers(180, 259), ...numbers(516, 555)];
    expect(countsAfter(...sent)).toEqual(counts(0, 0, 0, 1));
  });

  it('takes a single number from far behind for a duplicate', () => {
    expect(countsAfter(...numbers(0, 49), 200, ...numbers(50, 60))).toEqual(counts(0, 0, 1));
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
