import { describe, expect, it } from 'vitest';
import type { Signal } from '../database/model.ts';
import { RawValues } from './raw-values.ts';
import { SampleText } from './sample-text.ts';
import { aSignal } from './testing/models.ts';

const textOf = (given: Partial<Signal>, raw: number | bigint) => {
  const signals = [aSignal(given)];
  const values = new RawValues(signals);
  values.set(0, raw);
  return new SampleText(signals).textOf(values, 0);
};

describe('SampleText', () => {
  it('writes value, raw value, label and unit', () => {
    const values = [{ raw: 3n, text: 'Third' }];
    const given = { factor: '0.1', offset: '0', unit: '°C', values };
    expect(textOf(given, 3)).toEqual({ value: '0.3', raw: '3', label: 'Third', unit: '°C' });
    expect(textOf(given, 4)?.label).toBeNull();
  });

  it('gives nothing for a signal that is absent', () => {
    const signals = [aSignal()];
    expect(new SampleText(signals).textOf(new RawValues(signals), 0)).toBeNull();
  });

  it('keeps 64 bits and more to the last digit', () => {
    const value = 2n ** 64n - 1n;
    expect(textOf({ length: 64, factor: '0.001' }, value)?.value).toBe('18446744073709551.615');
    expect(textOf({ length: 64 }, value)?.raw).toBe('18446744073709551615');
    expect(textOf({ length: 128, kind: 'signed' }, -(2n ** 100n))?.value).toBe(
      '-1267650600228229401496703205376',
    );
  });

  it('writes unscaled floats short and scaled ones to the last digit of what they are', () => {
    const single = { kind: 'float32', length: 32 } as const;
    const raw = Math.fround(0.1);
    expect(textOf(single, raw)).toMatchObject({ raw: '0.1', value: '0.1' });
    expect(textOf({ ...single, factor: '2' }, raw)).toMatchObject({
      raw: '0.1',
      value: '0.20000000298023223876953125',
    });
    expect(textOf({ kind: 'float64', length: 64 }, 1e21)?.value).toBe('1000000000000000000000');
  });

  it('has no value for a float that is no number', () => {
    const double = { kind: 'float64', length: 64 } as const;
    expect(textOf(double, Number.NaN)).toMatchObject({ value: null, raw: 'NaN' });
    expect(textOf(double, Number.NEGATIVE_INFINITY)).toMatchObject({
      value: null,
      raw: '-Infinity',
    });
  });

  it('refuses signals whose factor is no number', () => {
    expect(() => new SampleText([aSignal({ factor: 'x' })])).toThrow(
      'Speed.factor must be a decimal',
    );
  });
});
