import { describe, expect, it } from 'vitest';
import type { SignalType } from '../project/tables/signals.ts';
import { Slots } from '../values/slots.ts';
import { LinearDecoder } from './decode-linear.ts';
import type { LinearFormat, Raw } from './encode-linear.ts';

const decode = (format: Partial<LinearFormat>, type: SignalType, raw: Raw) => {
  const decoder = new LinearDecoder(
    { raw: 'unsigned', factor: 1, offset: 0, specials: [], ...format },
    type,
  );
  const slots = new Slots(1);
  const quality = decoder.decode(raw, slots);
  return quality === 'good' ? (slots.wide[0] ?? slots.numbers[0]) : quality;
};

describe('a decoder', () => {
  it.each([
    [{ factor: 0.1 }, 'float64', 3, 0.3],
    [{ offset: -40 }, 'int64', 130, 90],
    [{}, 'uint64', 2n ** 64n - 1n, 2n ** 64n - 1n],
    [{ factor: 0.5 }, 'int64', 4, 2],
    [{ factor: 0.5 }, 'int64', 3, 'error'],
    [{ offset: -1 }, 'uint64', 0, 'error'],
    [{}, 'int64', 2n ** 63n, 'error'],
    [{}, 'bool', 2, 'error'],
    [{}, 'bool', 1, 1],
    [{ specials: [{ raw: '255', state: 'not_available' }] }, 'uint64', 255, 'not_available'],
    [{ specials: [{ raw: '255', state: 'not_available' }] }, 'uint64', 254, 254],
    [{ rawMax: '100' }, 'uint64', 101, 'error'],
    [{ rawMin: '5' }, 'uint64', 4, 'error'],
    [{ specials: [{ raw: '200', state: 'invalid' }], rawMax: '100' }, 'uint64', 200, 'invalid'],
    [{ raw: 'float32' }, 'float64', Math.fround(0.1), Math.fround(0.1)],
    [{ raw: 'float32' }, 'float64', Number.NaN, 'error'],
    [{ raw: 'float64' }, 'float64', Number.POSITIVE_INFINITY, 'error'],
    [{ raw: 'float64', factor: 10 }, 'float64', 1e308, 'error'],
    [{ raw: 'float64' }, 'int64', 2.5, 'error'],
    [{ raw: 'float64' }, 'int64', 2 ** 60, 2n ** 60n],
    [{ raw: 'float64', factor: 0.5 }, 'int64', 5, 'error'],
    [{ raw: 'float64', factor: 0.5 }, 'int64', 6, 3],
    [{ factor: 1e300 }, 'float64', 1e15, 'error'],
  ] as const)('with %o for %s: %s is %s', (format, type, raw, expected) => {
    expect(decode(format, type, raw)).toBe(expected);
  });
});

describe('a decoder that is asked whether raws mean something', () => {
  const decoder = new LinearDecoder(
    {
      raw: 'unsigned',
      factor: 0.5,
      offset: 0,
      rawMax: '100',
      specials: [
        { raw: '200', state: 'invalid' },
        { raw: '201', state: 'error' },
      ],
    },
    'uint64',
  );

  it.each([
    [100, true],
    [102, false],
    [3, false],
    [200, true],
    [201, true],
    [202, false],
  ])('says of %i: %s', (raw, isAccepted) => {
    expect(decoder.accepts(raw)).toBe(isAccepted);
  });
});
