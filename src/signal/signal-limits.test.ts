import { describe, expect, it } from 'vitest';
import { limitsOf } from './signal-limits.ts';
import { aSignal } from './testing/models.ts';

const includes = (minimum: string | null, maximum: string | null, value: string): boolean =>
  limitsOf(aSignal({ minimum, maximum })).include(value);

describe('limitsOf', () => {
  it.each([
    ['-40', true],
    ['215', true],
    ['0', true],
    ['-40.5', false],
    ['215.5', false],
  ])('counts both limits in: %s is within -40 and 215: %s', (value, expected) => {
    expect(includes('-40', '215', value)).toBe(expected);
  });

  it.each([
    ['100.00000000125', true],
    ['100.19', true],
    ['100.2', false],
    ['-0.19', true],
    ['-0.2', false],
  ])('counts in what rounding may have cut off, %s: %s', (value, expected) => {
    for (const factor of ['0.4', '-0.4']) {
      const limits = limitsOf(aSignal({ factor, minimum: '0', maximum: '100' }));
      expect(limits.include(value)).toBe(expected);
    }
  });

  it('has no steps for floats, and none for a factor of zero', () => {
    for (const given of [{ kind: 'float32', length: 32 } as const, { factor: '0' }]) {
      const limits = limitsOf(aSignal({ ...given, minimum: '0', maximum: '1' }));
      expect([limits.include('1'), limits.include('1.1')]).toEqual([true, false]);
    }
  });

  it('tells numbers apart that are the same double', () => {
    expect(includes('0', '18446744073709551614', '18446744073709551614')).toBe(true);
    expect(includes('0', '18446744073709551614', '18446744073709551615')).toBe(false);
    const half = { factor: '0.2', minimum: '0.2', maximum: '1' };
    const limits = limitsOf(aSignal(half));
    expect(limits.include('0.10000000000000000001')).toBe(true);
    expect(limits.include('0.1')).toBe(false);
  });

  it.each([
    [null, '5', '-1e3', true],
    ['5', null, '1e300', true],
    ['5', null, '4', false],
    [null, null, '7', true],
  ])('takes a limit that is not given as none: %s..%s', (minimum, maximum, value, expected) => {
    expect(includes(minimum, maximum, value)).toBe(expected);
  });

  it('takes limits as a range that only digits beyond a double tell apart', () => {
    const near = ['9007199254740992', '9007199254740993'] as const;
    expect(includes(...near, '5')).toBe(false);
    expect(includes(...near, '9007199254740993')).toBe(true);
  });

  it.each([
    ['0.0', '0.0'],
    ['10', '-10'],
    ['9007199254740993', '9007199254740992'],
    ['1e2', '100.0'],
  ])('takes %s..%s as no limits', (minimum, maximum) => {
    expect(includes(minimum, maximum, '77')).toBe(true);
  });
});
