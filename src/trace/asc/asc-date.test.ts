import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryStartUs } from '../testing/arbitrary-trace.ts';
import { formatAscDate, parseAscDate } from './asc-date.ts';

const local = (...parts: [number, number, number, number, number, number, number?]): number => {
  const [year, month, day, hour, minute, second, ms = 0] = parts;
  return new Date(year, month - 1, day, hour, minute, second, ms).getTime() * 1000;
};

describe('the date of an ASC file', () => {
  it.each([
    ['Fri Mar 14 02:41:07.250 pm 2025', local(2025, 3, 14, 14, 41, 7, 250)],
    ['Fri Mar 14 02:41:07.250 AM 2025', local(2025, 3, 14, 2, 41, 7, 250)],
    ['Fri Mar 14 12:00:00 am 2025', local(2025, 3, 14, 0, 0, 0)],
    ['Fri Mar 14 12:00:00 pm 2025', local(2025, 3, 14, 12, 0, 0)],
    ['Sat Sep 30 15:06:13 PM 2017', local(2017, 9, 30, 15, 6, 13)],
    ['Sam Sep 30 15:06:13.191 2017', local(2017, 9, 30, 15, 6, 13, 191)],
    ['Die Mär 4 08:00:01 2025', local(2025, 3, 4, 8, 0, 1)],
    ['Mit Mai 7 08:00:01 2025', local(2025, 5, 7, 8, 0, 1)],
    ['Don Okt 9 08:00:01 2025', local(2025, 10, 9, 8, 0, 1)],
    ['Son Dez 7 08:00:01 2025', local(2025, 12, 7, 8, 0, 1)],
    ['mar avr. 8 08:00:01 2025', local(2025, 4, 8, 8, 0, 1)],
    ['mer. août 6 08:00:01 2025', local(2025, 8, 6, 8, 0, 1)],
    ['mar juil. 8 08:00:01 2025', local(2025, 7, 8, 8, 0, 1)],
    ['lun juin 9 08:00:01 2025', local(2025, 6, 9, 8, 0, 1)],
    ['gio gen 9 08:00:01 2025', local(2025, 1, 9, 8, 0, 1)],
    ['8 Apr 2025 3:49:52pm', local(2025, 4, 8, 15, 49, 52)],
    ['  Thu  Jan  1\t01:02:03.004 am  2026 ', local(2026, 1, 1, 1, 2, 3, 4)],
  ])('is understood in %j', (text, expected) => {
    expect(parseAscDate(text)).toBe(expected);
  });

  it('keeps microseconds where a tool writes them', () => {
    expect(parseAscDate('Fri Mar 14 02:41:07.250123 pm 2025')).toBe(
      local(2025, 3, 14, 14, 41, 7, 250) + 123,
    );
  });

  it.each([
    '',
    'yesterday',
    'Fri Mar 14 2025',
    'Fri Foo 14 02:41:07 2025',
    'Fri Mar 14 25:41:07 2025',
    'Fri Mar 14 02:61:07 2025',
    'Fri Feb 30 02:41:07 2025',
    'Fri Mar 14 02:41:07',
    'Fri Mar 14 02:41:07 1600',
    'Fri Mar 14 02:41:07 0025',
  ])('is not found in %j', (text) => {
    expect(parseAscDate(text)).toBeNull();
  });

  it('is written so that it reads back to the millisecond', () => {
    fc.assert(
      fc.property(arbitraryStartUs, (us) => {
        expect(parseAscDate(formatAscDate(us))).toBe(Math.floor(us / 1000) * 1000);
      }),
      { seed: 3 },
    );
    expect(formatAscDate(local(2025, 3, 14, 0, 5, 7, 25))).toBe('Fri Mar 14 12:05:07.025 am 2025');
    expect(formatAscDate(local(2025, 3, 4, 12, 5, 7))).toBe('Tue Mar 04 12:05:07.000 pm 2025');
  });
});
