import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanFrame } from './frame.ts';
import { formatHex } from './hex-bytes.ts';
import { formatCanId, formatNotation, parseNotation } from './notation.ts';
import { arbitraryCanFrame } from './testing/arbitrary-frames.ts';

const plain: CanFrame = {
  bus: 'can',
  id: 0x123,
  extended: false,
  remote: false,
  fd: false,
  brs: false,
  esi: false,
  error: false,
  dlc: 0,
  data: new Uint8Array(0),
};

const eight = Uint8Array.of(0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88);

describe('parseNotation', () => {
  it.each<[string, Partial<CanFrame>]>([
    ['123#', {}],
    ['123#DEADBEEF', { dlc: 4, data: Uint8Array.of(0xde, 0xad, 0xbe, 0xef) }],
    ['123#de.ad.be.ef', { dlc: 4, data: Uint8Array.of(0xde, 0xad, 0xbe, 0xef) }],
    ['7ff#00', { id: 0x7ff, dlc: 1, data: Uint8Array.of(0) }],
    ['18FF50E5#', { id: 0x18ff50e5, extended: true }],
    ['00000123#', { extended: true }],
    ['1FFFFFFF#', { id: 0x1fffffff, extended: true }],
    ['123#R', { remote: true }],
    ['123#r4', { remote: true, dlc: 4 }],
    ['123#R8_F', { remote: true, dlc: 15 }],
    ['123#1122334455667788_E', { dlc: 14, data: eight }],
    ['123#11.22.33.44.55.66.77.88_9', { dlc: 9, data: eight }],
    ['123##0', { bus: 'canfd', fd: true }],
    ['123##1', { bus: 'canfd', fd: true, brs: true }],
    ['123##2', { bus: 'canfd', fd: true, esi: true }],
    [
      '123##3.11',
      { bus: 'canfd', fd: true, brs: true, esi: true, dlc: 1, data: eight.slice(0, 1) },
    ],
    ['123##4', { bus: 'canfd', fd: true }],
    ['20000004#', { id: 4, error: true }],
  ])('reads %s', (text, differs) => {
    expect(parseNotation(text)).toEqual({ ...plain, ...differs });
  });

  it.each([
    ['', 'no_hash'],
    ['123', 'no_hash'],
    ['#11', 'bad_id'],
    ['12#11', 'bad_id'],
    ['1234#11', 'bad_id'],
    ['0x123#11', 'bad_id'],
    ['12G#11', 'bad_id'],
    [' 123#11', 'bad_id'],
    ['800#11', 'bad_id'],
    ['40000000#11', 'bad_id'],
    ['123456789#11', 'bad_id'],
    ['123#1', 'half_byte'],
    ['123#1.1', 'half_byte'],
    ['123#11 22', 'bad_character'],
    ['123#GG', 'bad_character'],
    ['123#11#22', 'bad_character'],
    ['123#112233445566778899', 'too_long'],
    ['123#R9', 'bad_remote'],
    ['123#R4_9', 'bad_remote'],
    ['123#R8_8', 'bad_remote'],
    ['123#R411', 'bad_remote'],
    ['123#1122334455667788_8', 'bad_raw_dlc'],
    ['123#1122334455667788_', 'bad_raw_dlc'],
    ['123#1122334455667788_EE', 'bad_raw_dlc'],
    ['123#1122334455667788_E_E', 'bad_raw_dlc'],
    ['123#11_E', 'bad_raw_dlc'],
    ['123##', 'bad_flags'],
    ['123##8', 'bad_flags'],
    ['123##G', 'bad_flags'],
    [`123##0${'00'.repeat(9)}`, 'no_such_length'],
    [`123##0${'00'.repeat(65)}`, 'too_long'],
    ['123##R', 'bad_flags'],
    ['20000004#R', 'error_frame'],
    ['20000004##0', 'error_frame'],
  ])('refuses %j: %s', (text, reason) => {
    expect(() => parseNotation(text)).toThrowError(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining({ field: 'frame', reason }),
      }),
    );
  });

  it('calls the text by the name of the argument it came in', () => {
    expect(() => parseNotation('12#', 'message')).toThrowError(
      expect.objectContaining({
        message: 'message must begin with 3 or 8 hex digits and #, not with 2',
        details: expect.objectContaining({ field: 'message' }),
      }),
    );
  });
});

const notationOf = (frame: CanFrame): string =>
  formatNotation({ ...frame, data: formatHex(frame.data) });

describe('a notation', () => {
  it.each([
    '123#',
    '123#DEADBEEF',
    '18FF50E5#01',
    '00000001#',
    '123#R',
    '123#R4',
    '123#R8_9',
    '123#1122334455667788',
    '123#1122334455667788_E',
    '123##3AA',
  ])('keeps all of %s', (text) => {
    expect(notationOf(parseNotation(text))).toBe(text);
  });

  it('is read back as the frame that it denotes', () => {
    fc.assert(
      fc.property(arbitraryCanFrame, (frame) => {
        expect(parseNotation(notationOf(frame))).toEqual(frame);
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});

describe('formatCanId', () => {
  it('shows the width of the identifier in its digits', () => {
    expect(formatCanId(0x12, false, false)).toBe('012');
    expect(formatCanId(0x12, true, false)).toBe('00000012');
    expect(formatCanId(0x12, false, true)).toBe('20000012');
  });
});
