import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { rawKinds } from '../project/tables/codecs.ts';
import { decimalOfValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import { LinearEncoder, type LinearFormat } from './encode-linear.ts';
import { initialRaw, ValueEncoder } from './value-encoder.ts';

const parameter = fc.oneof(
  fc.constantFrom(1, 0.1, 0.5, 0.01, 2, -1, 0.0625, 3, 1e-7, 1e6),
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const value = fc.oneof(
  fc.integer({ min: -300, max: 70_000 }),
  fc.integer({ min: -4000, max: 4000 }).map((eighths) => eighths / 8),
  fc.integer({ min: -100_000, max: 100_000 }).map((hundredths) => hundredths / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
);
const format = fc.record({
  raw: fc.constantFrom(...rawKinds),
  bitLength: fc.integer({ min: 1, max: 64 }),
  factor: parameter,
  offset: parameter,
  rawMin: fc.option(fc.constantFrom('0', '1', '-5'), { nil: undefined }),
  rawMax: fc.option(fc.constantFrom('100', '250', '9007199254740993'), { nil: undefined }),
  specials: fc
    .constantFrom([], ['0'], ['1', '255'])
    .map((raws) => raws.map((raw) => ({ raw, state: 'error' as const }))),
});

const slots = new Slots(1);

describe('an encoder of values', () => {
  it('encodes as exact arithmetic does', () => {
    fc.assert(
      fc.property(format, fc.array(value, { minLength: 8, maxLength: 8 }), (any, values) => {
        const wire: LinearFormat = { ...any, bitLength: any.raw === 'bool' ? 1 : any.bitLength };
        const exact = new LinearEncoder(wire);
        const encoder = new ValueEncoder(wire);
        for (const each of values) {
          const { raw, error = null } = exact.encode(decimalOfValue(each));
          slots.setValue(0, each);
          expect(encoder.encode(slots, 0)).toBe(error);
          if (error === null) expect(String(encoder.raw)).toBe(String(raw));
        }
      }),
      { seed: 21, numRuns: cases(300, 1500) },
    );
  });

  it('rounds shortest decimals near the middle of two float32 as they are written', () => {
    const encoder = new ValueEncoder({
      raw: 'float32',
      bitLength: 32,
      factor: 1,
      offset: 0,
      specials: [],
    });
    const middle = 1 + 2 ** -24;
    for (const each of [middle, middle + 2 ** -52, middle - 2 ** -53, 0.1, 1e-40]) {
      const exact = new LinearEncoder({
        raw: 'float32',
        bitLength: 32,
        factor: 1,
        offset: 0,
        specials: [],
      });
      slots.setValue(0, each);
      expect(encoder.encode(slots, 0)).toBeNull();
      expect(encoder.raw).toBe(exact.encode(decimalOfValue(each)).raw);
    }
  });

  it('has the raw of an invalid signal as small as it can be', () => {
    const wire = { raw: 'unsigned', bitLength: 64, factor: 1, offset: 0, specials: [] } as const;
    expect(new ValueEncoder({ ...wire, invalidRaw: '255' }).invalidRaw).toBe(255);
    expect(new ValueEncoder({ ...wire, invalidRaw: '18446744073709551615' }).invalidRaw).toBe(
      2n ** 64n - 1n,
    );
    expect(new ValueEncoder(wire).invalidRaw).toBeUndefined();
  });

  it('encodes an initial value, or 0 for one that does not fit', () => {
    const wire = { raw: 'unsigned', bitLength: 8, factor: 1, offset: 0, specials: [] } as const;
    expect(initialRaw(new ValueEncoder(wire), 7n)).toBe(7);
    expect(initialRaw(new ValueEncoder({ ...wire, rawMax: '6' }), 7n)).toBe(0);
    expect(initialRaw(new ValueEncoder(wire), undefined)).toBe(0);
  });
});
