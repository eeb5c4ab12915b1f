import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf, requireDecimal } from './decimal.ts';
import { float64Text } from './float-text.ts';
import { LinearScale } from './linear-scale.ts';
import {
  add,
  compare,
  multiply,
  type Rational,
  rationalOfDouble,
  rationalOfInteger,
  rationalOfPlain,
} from './testing/rational.ts';

const scale = (factor: string, offset: string): LinearScale =>
  new LinearScale(requireDecimal(factor, 'factor'), requireDecimal(offset, 'offset'));

/** Typical decimals from databases, and some unusual ones. */
const decimal = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: -100000n, max: 100000n }),
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
    ),
    fc.integer({ min: 0, max: 30 }),
  )
  .map(([digits, places]) => {
    const magnitude = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0');
    const point = magnitude.length - places;
    const text =
      places === 0 ? magnitude : `${magnitude.slice(0, point)}.${magnitude.slice(point)}`;
    return digits < 0n ? `-${text}` : text;
  });
const nonZero = decimal.filter((text) => rationalOfPlain(text).over !== 0n);
const raw = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
  fc.bigInt({ min: -(2n ** 512n), max: 2n ** 512n }),
);

const exactly = (factor: string, offset: string, value: Rational): Rational =>
  add(multiply(rationalOfPlain(factor), value), rationalOfPlain(offset));

describe('LinearScale', () => {
  it.each([
    [3, '0.1', '0', '0.3'],
    [0, '1', '-10', '-10'],
    [61389, '0.5', '-10', '30684.5'],
    [7, '-1', '7', '0'],
    [-5, '0.01', '0', '-0.05'],
    [2, '5e-1', '0', '1'],
    [2, '1e3', '1e2', '2100'],
    [18446744073709551615n, '0.1', '0', '1844674407370955161.5'],
    [9007199254740991, '0.001', '0.0005', '9007199254740.9915'],
    [9007199254740991, '10', '5', '90071992547409915'],
    [5, '0', '1.5', '1.5'],
  ])('scales %s by %s and %s to %s', (value, factor, offset, text) => {
    expect(scale(factor, offset).textOf(value)).toBe(text);
  });

  it('agrees with fractions of integers', () => {
    fc.assert(
      fc.property(raw, decimal, decimal, (value, factor, offset) => {
        const text = scale(factor, offset).textOf(value);
        const expected = exactly(factor, offset, rationalOfInteger(BigInt(value)));
        expect(compare(rationalOfPlain(text), expected)).toBe(0);
        expect(text).toMatch(/^(?:0|-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?)$/);
        expect(text).not.toBe('-0');
      }),
      { seed: 6, numRuns: 600 },
    );
  });

  it('agrees with fractions of integers for doubles', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(double, decimal, decimal, (value, factor, offset) => {
        const text = scale(factor, offset).textOfFloat(value);
        const expected = exactly(factor, offset, rationalOfDouble(value));
        expect(compare(rationalOfPlain(text), expected)).toBe(0);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('knows the scale that changes nothing', () => {
    expect(scale('1.0', '0.0').isIdentity).toBe(true);
    for (const [factor, offset] of [
      ['1', '1'],
      ['-1', '0'],
      ['10', '0'],
      ['0.1', '0'],
    ] as const) {
      expect(scale(factor, offset).isIdentity).toBe(false);
    }
  });

  it('finds every integer again from its text', () => {
    fc.assert(
      fc.property(raw, nonZero, decimal, (value, factor, offset) => {
        const line = scale(factor, offset);
        const physical = requireDecimalOfAnySize(line.textOf(value));
        expect(line.rawOf(physical)).toEqual({ raw: BigInt(value), exact: true });
      }),
      { seed: 8, numRuns: 600 },
    );
  });

  it('takes the nearest integer', () => {
    fc.assert(
      fc.property(decimal, nonZero, decimal, (physical, factor, offset) => {
        const found = scale(factor, offset).rawOf(requireDecimal(physical, 'physical'));
        if (found === null) throw new Error('a factor that is not zero has an inverse');
        // |physical − (raw × factor + offset)| × 2 ≤ |factor|
        const near = exactly(factor, offset, rationalOfInteger(found.raw));
        const miss = add(rationalOfPlain(physical), multiply(near, rationalOfInteger(-1n)));
        const size = ({ over, under }: Rational): Rational => ({
          over: over < 0n ? -over : over,
          under,
        });
        const twice = multiply(size(miss), rationalOfInteger(2n));
        expect(compare(twice, size(rationalOfPlain(factor)))).toBeLessThanOrEqual(0);
        expect(found.exact).toBe(miss.over === 0n);
      }),
      { seed: 9, numRuns: 600 },
    );
  });

  it('rounds halves away from zero', () => {
    const whole = scale('1', '0');
    const rounded = (text: string) => whole.rawOf(requireDecimal(text, 'text'))?.raw;
    expect(['0.5', '1.5', '-0.5', '-1.5', '0.49', '-0.49'].map(rounded)).toEqual([
      1n,
      2n,
      -1n,
      -2n,
      0n,
      0n,
    ]);
    expect(scale('-2', '0').rawOf(requireDecimal('1', 'text'))?.raw).toBe(-1n);
  });

  it('has no inverse when the factor is zero', () => {
    const physical = requireDecimal('5', 'physical');
    expect(scale('0', '5').rawOf(physical)).toBeNull();
    expect(scale('0', '5').rawFloatOf(physical, 'float64')).toBeNull();
  });

  it('finds the nearest float and tells whether it is exact', () => {
    const at = (text: string) => requireDecimal(text, 'physical');
    expect(scale('1', '0').rawFloatOf(at('0.1'), 'float64')).toEqual({ raw: 0.1, exact: false });
    expect(scale('1', '0').rawFloatOf(at('-0.5'), 'float32')).toEqual({ raw: -0.5, exact: true });
    expect(scale('3', '1').rawFloatOf(at('2'), 'float64')).toEqual({ raw: 1 / 3, exact: false });
    expect(scale('3', '1').rawFloatOf(at('1'), 'float64')).toEqual({ raw: 0, exact: true });
    expect(scale('1', '0').rawFloatOf(at('1e350'), 'float64')?.raw).toBe(Number.POSITIVE_INFINITY);
    // Just above halfway between 1 and the next double, by a digit far to the right.
    const justAbove = `1.00000000000000011102230246251565404236316680908203125${'0'.repeat(60)}1`;
    expect(scale('1', '0').rawFloatOf(at(justAbove), 'float64')?.raw).toBe(1 + Number.EPSILON);
  });

  it('finds every double again from its text', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 });
    fc.assert(
      fc.property(double, nonZero, decimal, (value, factor, offset) => {
        const line = scale(factor, offset);
        const physical = requireDecimalOfAnySize(line.textOfFloat(value));
        const found = line.rawFloatOf(physical, 'float64');
        expect(found?.exact).toBe(true);
        expect(found?.raw === value).toBe(true);
      }),
      { seed: 10, numRuns: 150 },
    );
  });

  it.each([
    ['1e300', '1e-10', '0.0000000001'],
    ['1e300', '0', '0'],
  ])(
    'is exact for 0 with a factor of %s, beyond all doubles at its places',
    (factor, offset, text) => {
      expect(scale(factor, offset).textOf(0)).toBe(text);
    },
  );
});

const quickRaw = (line: LinearScale, value: number): number => {
  const numbers = Float64Array.of(value);
  line.putCompiledRaw(numbers, 0);
  return numbers[0] ?? 0;
};

describe('a linear scale in doubles', () => {
  const raws = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer({ min: -70_000, max: 70_000 }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  );

  it('gives the double nearest to the exact value', () => {
    fc.assert(
      fc.property(raws, decimal, decimal, (raw, factor, offset) => {
        const line = scale(factor, offset);
        const nearest = Number(line.textOf(raw));
        expect(line.nearestOf(raw)).toBe(nearest);
        const numbers = new Float64Array(1);
        line.putNearest(raw, numbers, 0);
        expect(numbers[0]).toBe(nearest);
      }),
      { seed: 11, numRuns: 500 },
    );
    expect(scale('0.1', '0').nearestOf(3)).toBe(0.3);
  });

  it('gives whole values as they are, and no others', () => {
    fc.assert(
      fc.property(raws, decimal, decimal, (raw, factor, offset) => {
        const line = scale(factor, offset);
        const text = line.textOf(raw);
        const whole = line.wholeOf(raw);
        expect(whole === null ? null : String(whole)).toBe(text.includes('.') ? null : text);
      }),
      { seed: 12, numRuns: 500 },
    );
    expect(scale('1', '0').wholeOf(2n ** 64n - 1n)).toBe(2n ** 64n - 1n);
    expect(scale('0.5', '0').wholeOf(4)).toBe(2);
  });

  it('finds raws as the exact inverse does wherever it is sure', () => {
    const doubles = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value / 1000),
      fc.maxSafeInteger(),
    );
    let sure = 0;
    fc.assert(
      fc.property(doubles, nonZero, decimal, (value, factor, offset) => {
        const line = scale(factor, offset);
        const quick = quickRaw(line, value);
        if (Number.isNaN(quick)) return;
        sure += 1;
        const exact = requireDecimalOfAnySize(
          Number.isInteger(value) ? BigInt(value).toString() : float64Text(value),
        );
        expect(BigInt(quick)).toBe(line.rawOf(exact)?.raw);
      }),
      { seed: 13, numRuns: 1000 },
    );
    expect(sure).toBeGreaterThan(150);
  });

  it('leaves halves to the exact inverse', () => {
    expect(quickRaw(scale('1', '0'), 2.5)).toBeNaN();
    expect(quickRaw(scale('0.1', '0'), 0.25)).toBeNaN();
    expect(quickRaw(scale('0.1', '0'), 0.3)).toBe(3);
    expect(quickRaw(scale('0', '0'), 1)).toBeNaN();
  });

  it('takes float raws as the numbers they are', () => {
    expect(scale('1', '0').nearestOfFloat(0.1)).toBe(0.1);
    expect(scale('2', '0.5').nearestOfFloat(0.25)).toBe(1);
    expect(scale('10', '0').nearestOfFloat(Math.fround(0.1))).toBe(1.0000000149011612);
  });
});

/** Results may have more digits than the input limit allows. */
const requireDecimalOfAnySize = (text: string) => {
  const [whole = '', fraction = ''] = text.split('.');
  return decimalOf(BigInt(whole + fraction), -fraction.length);
};
