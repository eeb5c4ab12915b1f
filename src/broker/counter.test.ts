import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceCounter, nearest, readCounter, startCounter } from './counter.ts';

const count = fc.integer({ min: 0, max: 2 ** 52 });

describe('a counter in shared words', () => {
  it('counts past every border of its two words', () => {
    for (const border of [2 ** 30, 2 ** 31, 2 ** 32, 3 * 2 ** 31, 2 ** 33, 2 ** 50]) {
      const words = new Int32Array(new SharedArrayBuffer(8));
      startCounter(words, 0, border - 3);
      const seen = Array.from({ length: 6 }, () => [
        advanceCounter(words, 0, 1),
        readCounter(words, 0),
      ]);
      expect(seen).toEqual([-3, -2, -1, 0, 1, 2].map((at) => [border + at, border + at + 1]));
    }
  });

  it('gives what it was before, whatever is added', () => {
    fc.assert(
      fc.property(count, fc.array(fc.integer({ min: 1, max: 2 ** 20 })), (start, steps) => {
        const words = new Int32Array(new SharedArrayBuffer(8));
        startCounter(words, 0, start);
        let expected = start;
        for (const step of steps) {
          expect(advanceCounter(words, 0, step)).toBe(expected);
          expected += step;
          expect(readCounter(words, 0)).toBe(expected);
        }
      }),
    );
  });

  it('reads right and mends itself when a thread died between its two words', () => {
    const words = new Int32Array(new SharedArrayBuffer(8));
    const border = 5 * 2 ** 30;
    startCounter(words, 0, border - 1);
    Atomics.add(words, 0, 2);
    expect(readCounter(words, 0)).toBe(border + 1);
    advanceCounter(words, 0, 1);
    expect(readCounter(words, 0)).toBe(border + 2);
    expect(Atomics.load(words, 1)).toBe(5);
  });

  it('finds the nearest number with given low bits', () => {
    const offset = fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(count, offset, (reference, distance) => {
        const number = reference + distance;
        expect(nearest(reference, number | 0)).toBe(number);
      }),
    );
  });
});
