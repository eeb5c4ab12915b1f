import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dlcToLength } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import {
  isSupported,
  maxFrameTextLength,
  putFrame,
  readFrame,
  SlcanFrame,
  type StampDigits,
} from './frame-text.ts';

const { brs, esi, extended, fd, remote } = frameFlag;

const written = (id: number, flags: number, dlc: number, data: readonly number[]): string => {
  const bytes = new Uint8Array(maxFrameTextLength);
  const end = putFrame(bytes, 0, id, flags, dlc, Uint8Array.from(data), 0, data.length);
  return Buffer.from(bytes.subarray(0, end)).toString('latin1');
};

const read = (line: string, digits: StampDigits = 0) => {
  const frame = new SlcanFrame();
  const bytes = Buffer.from(line, 'latin1');
  if (!readFrame(bytes, bytes.length, digits, frame)) return undefined;
  const { id, flags, dlc, stamp } = frame;
  return { id, flags, dlc, stamp, data: formatHex(frame.data.subarray(0, frame.length)) };
};

describe('frames as text', () => {
  it.each([
    ['t1232AABB', 0x123, 0, 2, 'AABB'],
    ['T1FFFFFFF0', 0x1fff_ffff, extended, 0, ''],
    ['r7FF8', 0x7ff, remote, 8, ''],
    ['R000000012', 1, remote | extended, 2, ''],
    [`d0019${'0F'.repeat(12)}`, 1, fd, 9, '0F'.repeat(12)],
    [`D00000001F${'A5'.repeat(64)}`, 1, fd | extended, 15, 'A5'.repeat(64)],
    ['b0000', 0, fd | brs, 0, ''],
    ['B000000AA101', 0xaa, fd | brs | extended, 1, '01'],
  ])('%s', (line, id, flags, dlc, data) => {
    const bytes = [...Buffer.from(data, 'hex')];
    expect(written(id, flags, dlc, bytes)).toBe(`${line}\r`);
    expect(read(line)).toEqual({ id, flags, dlc, data, stamp: -1 });
  });

  it.each([
    ['an identifier above 11 bits', 't8000'],
    ['an identifier above 29 bits', 'T200000000'],
    ['a digit that is none', 't12G0'],
    ['a length that is none', 't123X'],
    ['too little data', 't1232AAB'],
    ['too much data', 't1232AABBC'],
    ['a remote frame with data', 'r1231AA'],
    ['a time stamp that was not asked for', 't1231AA1234'],
    ['nothing but its letter', 't'],
    ['another letter', 'x1230'],
    ['no line at all', ''],
    ['letters beyond ASCII', '\u00f4123' + '0'],
  ])('are not %s', (_, line) => {
    expect(read(line)).toBeUndefined();
  });

  it('carry a time stamp where there is to be one, and none of another length', () => {
    expect(read('t1231AAEA5F', 4)).toMatchObject({ data: 'AA', stamp: 59_999 });
    expect(read('t1231AAD693A3FF', 8)).toMatchObject({ data: 'AA', stamp: 3_599_999_999 });
    expect(read('t1231AA', 4)).toBeUndefined();
    expect(read('t1231AAEA5F', 8)).toBeUndefined();
    expect(read('t1231AAEA5G', 4)).toBeUndefined();
  });

  it('are read in small letters too', () => {
    expect(read('t7ff2abcd')).toMatchObject({ id: 0x7ff, data: 'ABCD' });
  });

  it('have neither an error state nor classic lengths above 8', () => {
    expect(isSupported(fd | esi, 8)).toBe(false);
    expect(isSupported(frameFlag.error, 8)).toBe(false);
    expect(isSupported(brs, 8)).toBe(false);
    expect(isSupported(0, 9)).toBe(false);
    expect(isSupported(fd, 9)).toBe(true);
  });

  it('are the same after the way there and back', () => {
    const kind = fc.constantFrom(0, remote, fd, fd | brs);
    fc.assert(
      fc.property(
        kind,
        fc.boolean(),
        fc.nat(0x1fff_ffff),
        fc.nat(15),
        fc.uint8Array({ minLength: 64, maxLength: 64 }),
        fc.constantFrom<StampDigits>(0, 4, 8),
        fc.nat(59_999),
        (base, isExtended, wide, code, random, digits, stamp) => {
          const flags = base | (isExtended ? extended : 0);
          const id = isExtended ? wide : wide & 0x7ff;
          const dlc = (flags & fd) === 0 ? code % 9 : code;
          const length = (flags & remote) === 0 ? dlcToLength(dlc, (flags & fd) !== 0) : 0;
          const data = random.slice(0, length);
          const stamped = digits === 0 ? '' : stamp.toString(16).padStart(digits, '0');
          const line = written(id, flags, dlc, [...data]).replace('\r', stamped);
          expect(read(line, digits)).toEqual({
            id,
            flags,
            dlc,
            data: formatHex(data),
            stamp: digits === 0 ? -1 : stamp,
          });
        },
      ),
    );
  });
});
