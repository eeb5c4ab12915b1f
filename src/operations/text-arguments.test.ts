import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { valueOfText } from './text-arguments.ts';

const refusalOf = (type: string, text: string): BusbarError => {
  try {
    valueOfText({ type }, 'size', text);
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown;
  }
  throw new Error(`${text} was taken for ${type}`);
};

describe('valueOfText', () => {
  it.each<[type: string, text: string, value: unknown]>([
    ['integer', '0', 0],
    ['integer', '42', 42],
    ['integer', '-7', -7],
    ['integer', '9007199254740991', 9_007_199_254_740_991],
    ['integer', '-9007199254740991', -9_007_199_254_740_991],
    ['number', '0', 0],
    ['number', '-1.5', -1.5],
    ['number', '2e3', 2000],
    ['number', '2.5E-1', 0.25],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['string', '', ''],
    ['string', '007', '007'],
    ['string', 'true', 'true'],
    ['string', ' kept ', ' kept '],
  ])('reads the %s %j', (type, text, value) => {
    expect(valueOfText({ type }, 'size', text)).toBe(value);
  });

  it('reads a number of an enumeration as a number', () => {
    expect(valueOfText({ enum: [8, 64] }, 'size', '64')).toBe(64);
    expect(valueOfText({ enum: ['8'] }, 'size', '8')).toBe('8');
  });

  it.each([
    ['0x123', 0x123],
    ['0X1f', 0x1f],
    ['123h', 0x123],
    ['FFH', 0xff],
    ['123', 123],
  ])('reads %s where people think in hex, and decimal where nothing says hex', (text, value) => {
    expect(valueOfText({ type: 'integer', 'x-hex': true }, 'id', text)).toBe(value);
  });

  it.each(['1F', '0x', 'h', '0x1h', '12Gh', '0123'])('takes %s for neither', (text) => {
    const read = () => valueOfText({ type: 'integer', 'x-hex': true }, 'id', text, '--id');
    expect(read).toThrow('--id must be an integer: hex as 0x1F or 1Fh, otherwise decimal');
  });

  it.each([
    ['integer', ''],
    ['integer', ' 1'],
    ['integer', '1 '],
    ['integer', '+1'],
    ['integer', '01'],
    ['integer', '1.0'],
    ['integer', '1e3'],
    ['integer', '0x10'],
    ['integer', '1_000'],
    ['integer', '١'],
    ['integer', 'one'],
    ['integer', '-'],
    ['integer', '9007199254740992'],
    ['integer', '-9007199254740992'],
    ['number', ''],
    ['number', '.5'],
    ['number', '5.'],
    ['number', '1,5'],
    ['number', 'NaN'],
    ['number', 'Infinity'],
    ['number', '0x1'],
    ['number', '1e999'],
    ['boolean', ''],
    ['boolean', '1'],
    ['boolean', 'yes'],
    ['boolean', 'True'],
    ['string', 'a\0b'],
  ])('refuses as %s the text %j, naming the field', (type, text) => {
    const { code, details, message } = refusalOf(type, text);
    expect({ code, details }).toEqual({ code: 'invalid_argument', details: { field: 'size' } });
    expect(message).toMatch(/^size /);
  });

  it.each([
    ['0x0', 0],
    ['0x1F', 31],
    ['0XabC', 2748],
    ['291', 291],
  ])('reads %s where an integer may be in hex', (text, value) => {
    expect(valueOfText({ type: 'integer', 'x-hex': true }, 'id', text)).toBe(value);
  });

  it.each(['0x', 'x1', '1F', '-0x1', '0x1G', '0x20000000000000'])(
    'refuses %s even where an integer may be in hex',
    (text) => {
      expect(() => valueOfText({ type: 'integer', 'x-hex': true }, 'id', text)).toThrow(/^id /);
    },
  );

  it('reads a bit rate with its unit, and refuses what is none', () => {
    const schema = { type: 'integer', 'x-bit-rate': true };
    expect(valueOfText(schema, 'bitrate', '2.5M')).toBe(2_500_000);
    expect(() => valueOfText(schema, 'bitrate', '500q', '--bitrate')).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: '--bitrate must be a bit rate, such as 500000, 500k or 2M',
        details: { field: 'bitrate' },
      }),
    );
  });

  it('leaves text alone where the schema has no type', () => {
    expect(valueOfText({ enum: ['1', '2'] }, 'size', '1')).toBe('1');
  });
});
