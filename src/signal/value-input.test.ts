import { describe, expect, it } from 'vitest';
import type { Signal } from '../database/model.ts';
import { RawValues } from './raw-values.ts';
import { aSignal } from './testing/models.ts';
import { ValueInput } from './value-input.ts';

const input = (given: Partial<Signal>) => {
  const signals = [aSignal(given)];
  const values = new RawValues(signals);
  const valueInput = new ValueInput(signals);
  return {
    raw: (raw: number | bigint | string) => {
      valueInput.setRaw(values, 0, raw);
      return values.get(0);
    },
    physical: (physical: string | number, enforceLimits = false) => ({
      exact: valueInput.setPhysical(values, 0, physical, { enforceLimits }),
      raw: values.get(0),
    }),
  };
};

const refused = (message: string) =>
  expect.objectContaining({
    code: 'invalid_argument',
    message: expect.stringContaining(message),
    details: expect.objectContaining({ field: 'Speed' }),
  });

describe('ValueInput', () => {
  it('takes both ends of limits that the file has rounded', () => {
    const rounded = input({ length: 8, factor: '0.39215686275', minimum: '0', maximum: '100' });
    expect(rounded.physical('100', true)).toEqual({ raw: 255, exact: false });
    expect(rounded.physical('100.00000000125', true)).toEqual({ raw: 255, exact: true });
    expect(rounded.physical('100.000000001', true)).toEqual({ raw: 255, exact: false });
    for (const beyond of ['100.0000000013', '100.1', '100.2', '-0.1']) {
      expect(() => rounded.physical(beyond, true)).toThrow(refused('within 0 to 100'));
    }
    const coarse = input({ length: 8, factor: '0.391', minimum: '0', maximum: '100' });
    expect(coarse.physical('100', true)).toEqual({ raw: 255, exact: false });
    const negative = input({ length: 8, factor: '-0.391', minimum: '-100', maximum: '0' });
    expect(negative.physical('-100', true)).toEqual({ raw: 255, exact: false });
  });

  it('rounds no value beyond a limit back to it', () => {
    const speed = input({ length: 16, factor: '0.25', minimum: '0', maximum: '8000' });
    expect(speed.physical('7999.9', true)).toEqual({ raw: 32_000, exact: false });
    expect(() => speed.physical('8000.1', true)).toThrow(refused('within 0 to 8000'));
    expect(() => speed.physical('-0.1', true)).toThrow(refused('within 0 to 8000'));
    expect(speed.physical('8000.1')).toEqual({ raw: 32_000, exact: false });
  });

  it('takes no value beyond the limits where the bits hold less than they allow', () => {
    const cut = input({ length: 8, factor: '0.4', minimum: '0', maximum: '102.3' });
    expect(cut.physical('102.2', true)).toEqual({ raw: 255, exact: false });
    expect(() => cut.physical('102.31', true)).toThrow(refused('within 0 to 102.3'));
  });

  it.each([
    ['0.5', '0', '100.25', '100.25', 200],
    ['-0.5', '-100.25', '0', '-100.25', 200],
    ['1', '0.2', '9', '0.3', 1],
  ])('takes the raw value within the limits: %s, %s to %s', (factor, minimum, maximum, at, raw) => {
    const signal = input({ length: 8, factor, minimum, maximum });
    expect(signal.physical(at, true)).toEqual({ raw, exact: false });
    const sent = String(Number(factor) * raw);
    expect(signal.physical(sent, true)).toEqual({ raw, exact: true });
  });

  it('takes no value where no raw value is within the limits', () => {
    const narrow = input({ length: 8, minimum: '0.2', maximum: '0.4' });
    expect(() => narrow.physical('0.3', true)).toThrow(refused('within 0.2 to 0.4'));
  });

  it('takes no number that is too large as infinite', () => {
    const wide = input({ kind: 'float64', length: 64 });
    expect(() => wide.raw('1e309')).toThrow(refused('too large'));
    expect(wide.raw('Infinity')).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes nothing that lies a step or more beyond what the bits hold', () => {
    const wrong = input({ length: 8, factor: '0.39', minimum: '0', maximum: '100' });
    expect(() => wrong.physical('100')).toThrow(refused('from 0 to 255'));
    expect(() => input({ length: 8, factor: '0.391' }).physical('100')).toThrow(
      refused('from 0 to 255'),
    );
  });

  it('takes the raw values that the bits can hold', () => {
    const signed = input({ kind: 'signed', length: 8 });
    expect([signed.raw(-128), signed.raw(127n), signed.raw('-1')]).toEqual([-128, 127, -1]);
    expect(() => signed.raw(128)).toThrow(refused('from -128 to 127'));
    expect(() => signed.raw(-129)).toThrow(refused('from -128 to 127'));
    const unsigned = input({ length: 3 });
    expect([unsigned.raw(0), unsigned.raw('7')]).toEqual([0, 7]);
    expect(() => unsigned.raw(8)).toThrow(refused('from 0 to 7'));
    expect(() => unsigned.raw(-1)).toThrow(refused('from 0 to 7'));
  });

  it('keeps raw values of 64 bits exact', () => {
    const wide = input({ length: 64 });
    expect(wide.raw('18446744073709551615')).toBe(2n ** 64n - 1n);
    expect(() => wide.raw(2n ** 64n)).toThrow(refused('to 18446744073709551615'));
    expect(input({ length: 64, kind: 'signed' }).raw(-(2n ** 63n))).toBe(-(2n ** 63n));
    expect(input({ length: 200, kind: 'signed' }).raw(-(2n ** 150n))).toBe(-(2n ** 150n));
  });

  it('refuses raw values that are no integers', () => {
    const { raw } = input({});
    for (const bad of [1.5, '1.5']) expect(() => raw(bad)).toThrow(refused('requires an integer'));
    for (const bad of [Number.NaN, '', '0x10', 'many']) {
      expect(() => raw(bad)).toThrow(refused('requires a decimal number'));
    }
  });

  it('takes floats as raw values, numbers or not', () => {
    const single = input({ kind: 'float32', length: 32 });
    expect(single.raw('0.1')).toBe(Math.fround(0.1));
    expect(single.raw('-Infinity')).toBe(Number.NEGATIVE_INFINITY);
    expect(single.raw('-0')).toBe(-0);
    expect(() => single.raw(1e300)).toThrow(refused('too large'));
    expect(() => single.raw('fast')).toThrow(refused('requires a decimal number'));
    expect(input({ kind: 'float64', length: 64 }).raw(Number.NaN)).toBeNaN();
  });

  it('finds the raw value of a physical one and tells whether it is exact', () => {
    const { physical } = input({ length: 16, factor: '0.1', offset: '-40' });
    expect(physical('12.3')).toEqual({ raw: 523, exact: true });
    expect(physical(12.3)).toEqual({ raw: 523, exact: true });
    expect(physical('12.34')).toEqual({ raw: 523, exact: false });
    expect(physical('12.35')).toEqual({ raw: 524, exact: false });
    expect(() => physical('-40.1')).toThrow(refused('from 0 to 65535'));
    expect(() => physical('warm')).toThrow(refused('requires a decimal number'));
  });

  it('finds the float for a physical value', () => {
    const { physical } = input({ kind: 'float32', length: 32, factor: '2', offset: '1' });
    expect(physical('2')).toEqual({ raw: 0.5, exact: true });
    expect(physical('1.2')).toEqual({ raw: Math.fround(0.1), exact: false });
    expect(() => physical('1e50')).toThrow(refused('too large'));
  });

  it('refuses physical values where a factor of 0 makes all raw values equal', () => {
    expect(() => input({ factor: '0' }).physical('0')).toThrow(refused('has the factor 0'));
  });

  it('enforces the limits of the database only when asked', () => {
    const { physical } = input({ minimum: '0.5', maximum: '10' });
    expect(physical('11')).toEqual({ raw: 11, exact: true });
    expect(physical('10.0', true)).toEqual({ raw: 10, exact: true });
    expect(() => physical('10.5', true)).toThrow(refused('within 0.5 to 10'));
    expect(() => physical('0', true)).toThrow(refused('within 0.5 to 10'));
    expect(input({}).physical('255', true).raw).toBe(255);
  });

  it('refuses a signal that it does not know', () => {
    const values = new RawValues([]);
    expect(() => new ValueInput([]).setRaw(values, 0, 1)).toThrow('No such signal: 0');
  });
});
