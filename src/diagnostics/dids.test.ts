import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHex, parseHex } from '../frame/hex-bytes.ts';
import { type DidFile, DidTable, didProblems } from './dids.ts';

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'data', maxLength: 64 });
type Definition = DidFile[string];
type Codec = NonNullable<Definition['codec']>;
const linear = (codec: object): Codec => ({
  kind: 'linear',
  raw: 'unsigned',
  ...codec,
});
const didOf = (definition: Definition) => new DidTable({ '1234': definition }).find('1234');

describe('a data identifier', () => {
  it.each<[Definition, string, string]>([
    [{ codec: 'ascii', length: 4 }, '41424344', 'ABCD'],
    [{}, '00FF', '00FF'],
    [{ length: 2 }, '00FF', '00FF'],
    [{ codec: linear({}) }, 'FF', '255'],
    [{ codec: linear({ offset: -40 }), length: 1 }, '82', '90'],
    [{ codec: linear({ factor: 0.1 }), length: 2 }, '0003', '0.3'],
    [{ codec: linear({ factor: 0.1, byte_order: 'intel' }), length: 2 }, '0300', '0.3'],
    [{ codec: linear({ raw: 'signed', factor: 0.5 }), length: 2 }, 'FFFD', '-1.5'],
    [{ codec: linear({ bit_length: 12 }) }, '0FFF', '4095'],
    [{ codec: linear({ raw: 'signed', bit_length: 12 }) }, '0FFF', '-1'],
    [{ codec: linear({ raw: 'bool' }) }, '01', '1'],
    [{ codec: linear({ raw: 'float32' }) }, '3FC00000', '1.5'],
    [{ codec: linear({ raw: 'float64', byte_order: 'intel' }) }, '000000000000F83F', '1.5'],
    [{ codec: linear({ bit_length: 64 }) }, 'FFFFFFFFFFFFFFFF', '18446744073709551615'],
    [
      { codec: linear({ bit_length: 64, factor: 0.1 }) },
      'FFFFFFFFFFFFFFFF',
      '1844674407370955161.5',
    ],
  ])('of %j reads %s as %s and writes it back', (definition, data, value) => {
    const did = didOf(definition);
    expect(did.decode(bytes(data))).toEqual({ value, quality: 'good', label: null });
    expect(formatHex(did.encode(value))).toBe(data);
  });

  it.each<[Definition, string, string, string | null]>([
    [{ codec: linear({ invalid_raw: '255' }) }, 'FF', 'invalid', null],
    [
      {
        codec: linear({
          invalid_raw: '255',
          special: [{ raw: '255', state: 'not_available', label: 'SNA' }],
        }),
      },
      'FF',
      'not_available',
      'SNA',
    ],
    [{ codec: linear({ raw_max: '100' }) }, '65', 'error', null],
    [{ codec: linear({ raw_min: '5' }) }, '04', 'error', null],
    [{ codec: linear({ raw: 'float32' }) }, '7FC00000', 'error', null],
    [{ codec: 'ascii', length: 2 }, 'FFFF', 'error', null],
  ])('of %j has no value for %s: %s', (definition, data, quality, label) => {
    expect(didOf(definition).decode(bytes(data))).toEqual({ value: null, quality, label });
  });

  it('reads text without the zeros that fill it', () => {
    expect(didOf({ codec: 'ascii', length: 4 }).decode(bytes('41420000')).value).toBe('AB');
  });

  it.each<[Definition, string, RegExp]>([
    [{ codec: 'ascii', length: 17 }, 'WBA', /has 3 bytes, but 1234 has 17/],
    [{ codec: 'ascii' }, 'Ä', /printable ASCII/],
    [{ codec: 'ascii' }, '', /must not be empty/],
    [{ name: 'key', length: 2 }, '00', /has 1 byte, but key has 2/],
    [{}, '0G', /not a hex digit/],
    [{ codec: linear({}) }, '256', /out of the range/],
    [{ codec: linear({}) }, '-1', /out of the range/],
    [{ codec: linear({ raw: 'float32' }) }, '1e39', /out of the range/],
    [{ codec: linear({ raw_max: '100' }) }, '101', /out of the range/],
    [{ codec: linear({ invalid_raw: '255' }) }, '255', /means something else/],
    [{ codec: linear({}) }, 'many', /must be a decimal number/],
  ])('of %j refuses to write %s', (definition, value, message) => {
    expect(() => didOf(definition).encode(value, 'value')).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: expect.stringMatching(message),
        details: expect.objectContaining({ field: 'value' }),
      }),
    );
  });

  it('of a linear codec writes back what it reads, for every raw value', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 8 }),
        fc.constantFrom('unsigned', 'signed'),
        fc.constantFrom('intel', 'motorola'),
        fc.constantFrom(1, 0.1, -0.25, 3),
        fc.constantFrom(0, -40, 0.5),
        (data, raw, byteOrder, factor, offset) => {
          const did = didOf({
            length: data.length,
            codec: linear({ raw, byte_order: byteOrder, factor, offset }),
          });
          expect(did.encode(did.decode(data).value ?? '')).toEqual(data);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('a table of identifiers', () => {
  const table = new DidTable({ f190: { name: 'vin', length: 17 }, '0100': {} });

  it.each([
    ['vin', 0xf190, 'vin'],
    ['F190', 0xf190, 'vin'],
    ['0xf190', 0xf190, 'vin'],
    ['0100', 0x100, undefined],
    ['ABCD', 0xabcd, undefined],
  ])('finds %s', (text, did, name) => {
    expect(table.find(text)).toMatchObject({ did, name });
  });

  it.each([
    ['wheel', 'No such data identifier: wheel; use four hex digits or a name in dids'],
    ['F19', 'No such data identifier: F19; use four hex digits or a name in dids'],
    ['vim', 'No such data identifier: vim; did you mean vin?'],
  ])('refuses %s', (text, message) => {
    expect(() => table.find(text)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', message, details: { field: 'did' } }),
    );
  });

  it.each<[unknown, string]>([
    [[], 'dids must be an object'],
    [{ F19: {} }, 'dids.F19 must be four hex digits, such as F190'],
    [{ F190: {}, f190: {} }, 'dids.f190 is defined twice'],
    [{ F190: 1 }, 'dids.F190 must be an object'],
    [{ F190: { size: 1 } }, 'dids.F190.size is not a known field'],
    [{ F190: { length: 0 } }, 'dids.F190.length must be at least 1'],
    [
      { F190: { name: '1a' } },
      'dids.F190.name must be letters, digits and _ . - and begin with a letter or _',
    ],
    [{ F190: { name: 'FACE' } }, 'dids.F190.name must not be four hex digits, as identifiers are'],
    [{ F190: { name: 'a' }, F191: { name: 'a' } }, 'dids.F191.name is the name of another'],
    [{ F190: { codec: 'utf8' } }, 'dids.F190.codec must be one of ascii, hex'],
    [{ F190: { codec: { kind: 'linear' } } }, 'dids.F190.codec.raw is required'],
    [
      { F190: { codec: linear({ bit_length: 9 }), length: 1 } },
      'dids.F190.codec.bit_length must be at most 8, as length is 1',
    ],
    [
      { F190: { codec: linear({ raw: 'float32' }), length: 2 } },
      'dids.F190.codec.raw has 4 bytes, and length is 2',
    ],
    [
      { F190: { codec: linear({}), length: 9 } },
      'dids.F190.codec.raw has at most 8 bytes, and length is 9',
    ],
    [{ F190: { codec: linear({ factor: 0 }) } }, 'dids.F190.codec.factor must not be 0'],
    [{ F190: { codec: linear({ factor: '1' }) } }, 'dids.F190.codec.factor must be a number'],
  ])('of %j is refused', (file, message) => {
    expect(didProblems(file, ['dids']).map((problem) => problem.message)).toContain(message);
  });

  it('of sound definitions has no problems', () => {
    expect(didProblems({ F190: { name: 'vin', length: 17, codec: 'ascii' }, F18C: {} })).toEqual(
      [],
    );
  });
});
