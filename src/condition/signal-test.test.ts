import { describe, expect, it } from 'vitest';
import { compareDecimals, parseDecimal, requireDecimal } from '../base/decimal/decimal.ts';
import { LinearScale } from '../base/decimal/linear-scale.ts';
import { cases } from '../base/testing/long.ts';
import { seededRandom } from '../base/testing/seeded-random.ts';
import type { Signal } from '../database/model.ts';
import { greaterOf, lesserOf, rawSpanOf } from '../database/raw-span.ts';
import { aSignal } from '../database/testing/a-signal.ts';
import { RawValues } from '../signal/raw-values.ts';
import { aMessage, viewOf } from '../signal/testing/models.ts';
import { comparisons } from './condition.ts';
import {
  type ComparisonError,
  CompiledReader,
  comparesWith,
  compileComparison,
  type RawTest,
} from './signal-test.ts';

const compiled = (signal: Signal, sign: string, text: string, isLabel = false) => {
  const comparison = comparisons.find((one) => one === sign);
  if (comparison === undefined) throw new Error(`No comparison ${sign}`);
  return compileComparison(signal, comparison, { text, isLabel, at: 0 });
};

const testOf = (signal: Signal, sign: string, text: string, isLabel = false): RawTest => {
  const test = compiled(signal, sign, text, isLabel);
  if ('part' in test) throw new Error(test.expected);
  return test;
};

const matches = (signal: Signal, test: RawTest, raw: number | bigint): boolean => {
  const values = new RawValues([signal]);
  values.set(0, raw);
  return test.matches(values);
};

const gear = aSignal({
  name: 'Gear',
  values: [
    { raw: 0n, text: 'Park' },
    { raw: 1n, text: 'in gear' },
    { raw: 5n, text: 'in gear' },
    { raw: 255n, text: 'SNA' },
  ],
});

describe('A comparison of a signal', () => {
  it.each([
    [gear, '=', 'in gear', [1, 5], [0, 2, 255]],
    [gear, '!=', 'in gear', [0, 2, 255], [1, 5]],
    [gear, '>', 'Park', [1, 255], [0]],
    [gear, '<=', 'SNA', [0, 255], []],
  ] as const)('with a label is one with its values: %# %s %s', (signal, sign, label, yes, no) => {
    const test = testOf(signal, sign, label, true);
    expect(yes.map((raw) => matches(signal, test, raw))).toEqual(yes.map(() => true));
    expect(no.map((raw) => matches(signal, test, raw))).toEqual(no.map(() => false));
  });

  it('uses the first matching range of a LIN signal, each with its own scale', () => {
    const signal = aSignal({
      ranges: [
        { from: 0n, to: 99n, factor: '0.5', offset: '0', unit: 'V' },
        { from: 100n, to: 200n, factor: '-1', offset: '250', unit: 'V' },
      ],
    });
    const test = testOf(signal, '>', '49');
    expect([98, 99, 100, 200, 201].map((raw) => matches(signal, test, raw))).toEqual([
      ...[false, true, true, true, false],
    ]);
  });

  it('of a float is one with the nearest float, and never true for what is no number', () => {
    const signal = aSignal({ kind: 'float32', length: 32, factor: '2', offset: '1' });
    const third = testOf(signal, '=', '1.2');
    expect(matches(signal, third, Math.fround(0.1))).toBe(true);
    for (const sign of comparisons) {
      expect(matches(signal, testOf(signal, sign, '3'), Number.NaN)).toBe(false);
    }
    const falling = aSignal({ kind: 'float64', length: 64, factor: '-1' });
    const test = testOf(falling, '>', '3');
    expect([-4, -3, 4].map((raw) => matches(falling, test, raw))).toEqual([true, false, false]);
    const constant = aSignal({ kind: 'float64', length: 64, factor: '0', offset: '5' });
    expect(matches(constant, testOf(constant, '>', '3'), 1)).toBe(true);
    expect(matches(constant, testOf(constant, '<', '3'), 1)).toBe(false);
  });

  it.each([
    [gear, '=', 'Neutral', { part: 'value', expected: 'a number or a label: Park, in gear' }],
    [aSignal(), '=', 'On', { part: 'value', expected: 'a number' }],
    [aSignal({ array: 'hex' }), '=', '1', { part: 'name' }],
    [
      aSignal({ kind: 'float32', length: 32, values: [{ raw: 1n, text: 'On' }] }),
      '=',
      'On',
      { part: 'value', expected: 'a number' },
    ],
  ] as const)('that cannot be is refused with what could be: %#', (signal, sign, text, error) => {
    const { part, expected } = compiled(signal, sign, text, true) as ComparisonError;
    expect(part).toBe(error.part);
    if ('expected' in error) expect(expected).toContain(error.expected);
  });

  it('is exact for integers of any length, sign, factor and offset', () => {
    let wide = 0;
    let met = 0;
    for (let seed = 1; seed <= cases(800, 10_000); seed++) {
      const random = seededRandom(seed);
      const below = (end: number): number => Math.floor(random() * end);
      const signal = aSignal({
        kind: random() < 0.5 ? 'signed' : 'unsigned',
        length: 1 + below(random() < 0.2 ? 128 : 64),
        factor: ['1', '0.25', '-3', '0.001', '-0.5', '1E3', '0'][below(7)] as string,
        offset: ['0', '-40', '0.125', '1E9'][below(4)] as string,
      });
      const { lowest, highest } = rawSpanOf(signal);
      const scale = new LinearScale(
        requireDecimal(signal.factor, 'factor'),
        requireDecimal(signal.offset, 'offset'),
      );
      const anyRaw = (): bigint => {
        const edges = [lowest, highest, 0n, highest / 2n, lowest / 3n];
        const raw = (edges[below(5)] as bigint) + BigInt(below(5) - 2);
        return lesserOf(greaterOf(raw, lowest), highest);
      };
      const { coefficient, exponent } = scale.physicalOf(anyRaw());
      const text = `${coefficient + BigInt(below(3) - 1)}E${exponent}`;
      const limit = parseDecimal(text);
      if (limit === null) continue;
      for (const sign of comparisons) {
        const test = testOf(signal, sign, text);
        const raw = anyRaw();
        const isTrue = comparesWith(sign, compareDecimals(scale.physicalOf(raw), limit));
        const given = signal.length > 53 ? raw : Number(raw);
        const shown = { seed, sign, text, raw, length: signal.length };
        expect({ ...shown, is: matches(signal, test, given) }).toEqual({ ...shown, is: isTrue });
        if (signal.length > 53) wide += 1;
        if (isTrue) met += 1;
      }
    }
    expect(Math.min(wide, met)).toBeGreaterThan(1000);
  });

  it('reads what is in the payload, and nothing from one that is too short', () => {
    const signal = aSignal({ kind: 'signed', length: 60, startBit: 4 });
    const reader = new CompiledReader(aMessage([aSignal(), signal]), 1);
    const test = testOf(signal, '<', '-5');
    const view = viewOf(Uint8Array.from([0xa0, ...Array(7).fill(0xff)]));
    expect(reader.read(view, 0, 8)).toBe(true);
    expect(test.matches(reader.values)).toBe(true);
    view.setUint8(0, 0xb0);
    reader.read(view, 0, 8);
    expect(test.matches(reader.values)).toBe(false);
    expect(reader.read(view, 0, 7)).toBe(false);
  });
});
