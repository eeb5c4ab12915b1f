import { describe, expect, it } from 'vitest';
import { Random } from './random.ts';
import {
  asWritten,
  exactly,
  nearestDouble,
  nearestSingle,
  parseRational,
  rational,
  roundHalfAway,
} from './rational.ts';
import { doubleText, singleText, valueOfResult } from './values.ts';

const view = new DataView(new ArrayBuffer(8));
const anyDouble = (random: Random): number => {
  for (;;) {
    view.setUint32(0, random.integer(0, 2 ** 32 - 1));
    view.setUint32(4, random.integer(0, 2 ** 32 - 1));
    const double = view.getFloat64(0);
    if (Number.isFinite(double)) return double;
  }
};

describe('exact numbers', () => {
  it('find the double that the language reads', () => {
    const random = new Random(1);
    for (let left = 300; left > 0; left -= 1) {
      const double = anyDouble(random);
      expect(nearestDouble(exactly(double))).toBe(double);
      expect(nearestDouble(asWritten(double))).toBe(double);
      const text = `${random.integer(-9999, 9999)}.${random.integer(0, 9999)}e${random.integer(-300, 300)}`;
      expect(nearestDouble(parseRational(text))).toBe(Number(text) + 0);
    }
  });

  it('find the float32 that the language rounds to', () => {
    const random = new Random(2);
    for (let left = 300; left > 0; left -= 1) {
      const double = (random.fraction() - 0.5) * 2 ** random.integer(-160, 140);
      expect(nearestSingle(exactly(double))).toBe(Math.fround(double) + 0);
    }
  });

  it('round ties to even, and too large ones to infinity', () => {
    expect(nearestDouble(rational(2n ** 53n + 1n))).toBe(2 ** 53);
    expect(nearestDouble(rational(2n ** 53n + 3n))).toBe(2 ** 53 + 4);
    expect(nearestDouble(parseRational('1e309'))).toBe(Number.POSITIVE_INFINITY);
    expect(nearestSingle(parseRational('-3.5e38'))).toBe(Number.NEGATIVE_INFINITY);
  });

  it('round halves away from zero to integers', () => {
    const rounded = ['0.5', '-0.5', '1.49', '-2.5', '7'].map((text) =>
      roundHalfAway(parseRational(text)),
    );
    expect(rounded).toEqual([1n, -1n, 1n, -3n, 7n]);
  });
});

describe('texts of numbers', () => {
  it('have no exponent', () => {
    expect([1e21, 1e-7, -1.5e-9, 0.1, -3].map(doubleText)).toEqual([
      '1000000000000000000000',
      '0.0000001',
      '-0.0000000015',
      '0.1',
      '-3',
    ]);
  });

  it('have the digits that a float32 needs', () => {
    const singles = [Math.fround(0.1), 16777216, Math.fround(3.4e38), 0];
    expect(singles.map(singleText)).toEqual(['0.1', '16777216', doubleText(3.4e38), '0']);
  });
});

it('results are checked against the type that takes them', () => {
  expect(valueOfResult('int64', 3.5)).toBeUndefined();
  expect(valueOfResult('int64', 3)).toBe(3n);
  expect(valueOfResult('uint64', -1n)).toBeUndefined();
  expect(valueOfResult('float64', 2n ** 53n + 1n)).toBeUndefined();
  expect(valueOfResult('float64', 2n ** 60n)).toBe(2 ** 60);
  expect(valueOfResult('bool', 2n)).toBeUndefined();
  expect(valueOfResult('float64', -0)).toBe(0);
});
