import { describe, expect, it } from 'vitest';
import { parseIdPattern } from './id-pattern.ts';

const all = 0x1fff_ffff;

describe('parseIdPattern', () => {
  it.each([
    ['123', false, all, 0x123, 0x123],
    ['0x123', false, all, 0x123, 0x123],
    ['123h', false, all, 0x123, 0x123],
    ['21', false, all, 0x21, 0x21],
    ['0', false, all, 0, 0],
    ['00000123', true, all, 0x123, 0x123],
    ['18ff50e5', true, all, 0x18ff50e5, 0x18ff50e5],
    ['18FF50E5h', true, all, 0x18ff50e5, 0x18ff50e5],
    ['FFFF', true, all, 0xffff, 0xffff],
    ['800', true, all, 0x800, 0x800],
    ['100-1FF', false, all, 0x100, 0x1ff],
    ['0x100-0x1FF', false, all, 0x100, 0x1ff],
    ['18FF0000-18FFFFFF', true, all, 0x18ff0000, 0x18ffffff],
    ['123:7FF', false, 0x7ff, 0x123, 0x123],
    ['123:700', false, 0x700, 0x100, 0x100],
    ['000:000', false, 0, 0, 0],
    ['18FF50E5:00FFFF00', true, 0x00ffff00, 0x00ff5000, 0x00ff5000],
  ])('reads %s', (text, extended, mask, low, high) => {
    expect(parseIdPattern(text, 'id')).toEqual({ extended, mask, low, high });
  });

  it.each([
    ['', 'pattern'],
    ['12G', 'pattern'],
    ['123-', 'pattern'],
    ['1-2-3', 'pattern'],
    ['123#', 'pattern'],
    ['123456789', 'pattern'],
    ['20000000', 'out_of_range'],
    ['FFFFFFFF', 'out_of_range'],
    ['0123', 'unclear_width'],
    ['0000-7FF', 'unclear_width'],
    ['100-18FF50E5', 'mixed_widths'],
    ['00000100-1FF', 'mixed_widths'],
    ['1FF-100', 'order'],
    ['123:1FFFFFFF', 'out_of_range'],
    ['00000123:3FFFFFFF', 'out_of_range'],
  ])('refuses %j and names the field', (text, reason) => {
    expect(() => parseIdPattern(text, 'id[2]')).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: expect.stringMatching(/^id\[2\] /),
        details: { field: 'id[2]', reason },
      }),
    );
  });
});
