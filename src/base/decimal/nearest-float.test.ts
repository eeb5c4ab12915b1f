import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestFloat } from './nearest-float.ts';
import { rationalOfDouble } from './testing/rational.ts';

describe('nearestFloat', () => {
  it('agrees with the division of doubles where these are exact', () => {
    const integer = fc.maxSafeInteger();
    fc.assert(
      fc.property(
        integer,
        integer.filter((value) => value !== 0),
        (over, under) => {
          // Adding zero turns −0 into 0, which a quotient of integers has.
          const expected = over / under + 0;
          expect(nearestFloat(BigInt(over), BigInt(under), 'float64') + 0).toBe(expected);
        },
      ),
      { seed: 11, numRuns: 1000 },
    );
  });

  it('finds every float from its own fraction', () => {
    const float = fc.float({ noNaN: true, noDefaultInfinity: true }).filter((value) => value !== 0);
    const double = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((value) => value !== 0);
    fc.assert(
      fc.property(float, double, (one, other) => {
        const single = rationalOfDouble(one);
        const wide = rationalOfDouble(other);
        expect(nearestFloat(single.over, single.under, 'float32')).toBe(one);
        expect(nearestFloat(wide.over, wide.under, 'float64')).toBe(other);
      }),
      { seed: 12, numRuns: 500 },
    );
  });

  it('rounds once where a double has few bits left, as reading the decimal does', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 16n }),
        fc.integer({ min: 308, max: 340 }),
        (coefficient, exponent) => {
          expect(nearestFloat(coefficient, 10n ** BigInt(exponent), 'float64')).toBe(
            Number(`${coefficient}e-${exponent}`),
          );
        },
      ),
      { seed: 13, numRuns: 2000 },
    );
  });

  it('sees what lies just beside a tie, however far behind', () => {
    const tie = 2n ** 24n + 1n;
    const fine = 10n ** 80n;
    expect(nearestFloat(tie, 1n, 'float32')).toBe(2 ** 24);
    expect(nearestFloat(tie * fine + 1n, fine, 'float32')).toBe(2 ** 24 + 2);
    expect(nearestFloat(-(tie * fine) - 1n, fine, 'float32')).toBe(-(2 ** 24) - 2);
    expect(nearestFloat(tie * fine - 1n, fine, 'float32')).toBe(2 ** 24);
  });

  it('is infinite beyond the largest float and zero below the smallest', () => {
    expect(nearestFloat(-(10n ** 400n), 1n, 'float64')).toBe(Number.NEGATIVE_INFINITY);
    expect(nearestFloat(10n ** 39n, 1n, 'float32')).toBe(Number.POSITIVE_INFINITY);
    expect(nearestFloat(1n, 10n ** 1500n, 'float64')).toBe(0);
    expect(nearestFloat(0n, 7n, 'float32')).toBe(0);
  });
});
