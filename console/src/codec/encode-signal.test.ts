import { describe, expect, it } from 'vitest';
import type { DatabaseSignal } from '../api/client.ts';
import { encodeSignal, limitsText } from './encode-signal.ts';
import { aSignal } from './testing/models.ts';

const physical = (given: Partial<DatabaseSignal>, text: string) =>
  encodeSignal(aSignal(given), { as: 'physical', text });
const labelled = (given: Partial<DatabaseSignal>, text: string) =>
  encodeSignal(aSignal(given), { as: 'raw', text });

describe('encodeSignal', () => {
  it.each([
    [{ factor: '0.1' }, '0.3', '3'],
    [{ factor: '0.1', length: 64 }, '1844674407370955161.5', '18446744073709551615'],
    [{ factor: '-0.25', offset: '3' }, '-2', '20'],
    [{ factor: '2', kind: 'signed' as const }, '-256', '-128'],
    [{ factor: '1e-3', length: 16 }, '1.5e1', '15000'],
  ])('with %j makes of %s the raw value %s exactly', (given, text, raw) => {
    expect(physical(given, text)).toMatchObject({ raw, problem: null, warning: null });
  });

  it.each([
    ['1', '2', 'Rounded to 1.2'],
    ['0.5', '1', 'Rounded to 0.6'],
    ['-0.5', '-1', 'Rounded to -0.6'],
    ['0.89', '1', 'Rounded to 0.6'],
  ])('takes the raw value nearest to %s and says what is sent', (text, raw, warning) => {
    const given = { factor: '0.6', kind: 'signed' as const };
    expect(physical(given, text)).toMatchObject({ raw, warning });
  });

  it('takes values within the ranges of an encoding, and rounds none beyond back to its end', () => {
    const ranges = [
      { from: '10', to: '20', factor: '0.5', offset: '0', unit: 'V' },
      { from: '30', to: '40', factor: '1', offset: '0', unit: 'V' },
    ];
    expect(physical({ ranges }, '9.9')).toMatchObject({ raw: '20', warning: 'Rounded' });
    expect(physical({ ranges }, '40')).toMatchObject({ raw: '40', problem: null });
    for (const text of ['4.9', '10.1', '29.9', '40.1']) {
      expect(physical({ ranges }, text).problem).toBe('Outside the ranges of its encoding');
    }
  });

  it('rounds halves away from zero', () => {
    expect(physical({ factor: '2' }, '3').raw).toBe('2');
    expect(physical({ factor: '2', kind: 'signed' }, '-3').raw).toBe('-2');
  });

  it('refuses what the bits cannot hold and what is no number', () => {
    expect(physical({ factor: '0.5', offset: '-40' }, '88').problem).toBe(
      '8 bits hold -40 to 87.5',
    );
    expect(physical({ kind: 'signed' }, '-129').problem).toBe('8 bits hold -128 to 127');
    expect(physical({}, '0x10').problem).toBe('Must be a decimal number');
    expect(physical({}, '').problem).toBe('Must be a decimal number');
    expect(physical({ kind: 'float64', length: 64 }, '1e500').problem).toBe(
      'Must be a decimal number',
    );
    expect(physical({}, ' 7 ').raw).toBe('7');
    expect(physical({ factor: '0' }, '1').problem).toBe('Factor is 0');
    expect(physical({ kind: 'float32', length: 32 }, '1e39').problem).toBe('Too large for float32');
  });

  it('warns of values outside the limits of the database but encodes them', () => {
    const given = { minimum: '0', maximum: '100' };
    expect(physical(given, '101')).toMatchObject({
      raw: '101',
      warning: 'Outside the range 0 … 100',
    });
    expect(physical(given, '100').warning).toBeNull();
  });

  it('takes both ends of limits that the file has rounded', () => {
    const given = { factor: '0.39215686275', minimum: '0', maximum: '100' };
    expect(physical(given, '100')).toMatchObject({ raw: '255', problem: null });
    expect(physical(given, '100.00000000125')).toMatchObject({ raw: '255', warning: null });
    expect(physical(given, '100.2')).toMatchObject({
      problem: '8 bits hold 0 to 100.00000000125',
    });
    const coarse = { factor: '0.391', minimum: '0', maximum: '100' };
    expect(physical(coarse, '100')).toMatchObject({ raw: '255', warning: 'Rounded to 99.705' });
    expect(physical({ factor: '0.39', minimum: '0', maximum: '100' }, '100').pattern).toBeNull();
    const negative = { factor: '-0.391', minimum: '-100', maximum: '0' };
    expect(physical(negative, '-100')).toMatchObject({ raw: '255' });
    expect(physical({ factor: '0.391' }, '100').pattern).toBeNull();
  });

  it('writes floats as IEEE 754 has them', () => {
    const single = { kind: 'float32' as const, length: 32 };
    const double = { kind: 'float64' as const, length: 64 };
    expect(physical(single, '1').pattern).toBe(0x3f800000n);
    expect(physical(single, '-0.1').pattern).toBe(0xbdcccccdn);
    // A tie between two singles; rounding to a double first would choose the wrong one.
    expect(physical(single, '1.00000005960464477541').pattern).toBe(0x3f800001n);
    expect(physical(double, '0.1').pattern).toBe(0x3fb999999999999an);
    expect(physical({ ...double, factor: '3' }, '1').pattern).toBe(0x3fd5555555555555n);
    expect(physical(double, '4.9406564584124654e-324').pattern).toBe(1n);
  });

  it('takes the raw value of a label, however the file wrote its sign', () => {
    const signed = { kind: 'signed' as const };
    expect(labelled(signed, '255')).toMatchObject({ pattern: 255n, raw: '-1' });
    expect(labelled(signed, '-1')).toMatchObject({ pattern: 255n, raw: '-1' });
    expect(labelled({}, '-1')).toMatchObject({ pattern: 255n, raw: '255' });
    expect(labelled({}, '256').problem).toBe('Exceeds 8 bits');
  });
});

describe('limitsText', () => {
  it('is what the database says, or else what the bits hold', () => {
    expect(limitsText(aSignal({ minimum: '-5', maximum: '5.5' }))).toBe('-5 … 5.5');
    expect(limitsText(aSignal({ factor: '-0.5', offset: '1' }))).toBe('-126.5 … 1');
    expect(limitsText(aSignal({ kind: 'float32', length: 32 }))).toBeNull();
    expect(limitsText(aSignal({ minimum: '2', maximum: null }))).toBe('2 … ');
  });

  it.each([
    ['equal', { minimum: '0.0', maximum: '0' }],
    ['reversed', { minimum: '5', maximum: '-5' }],
  ])('takes %s limits for none', (_, given) => {
    expect(limitsText(aSignal(given))).toBe('0 … 255');
    expect(physical(given, '7').warning).toBeNull();
  });
});
