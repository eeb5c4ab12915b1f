import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { busCode } from '../../frame/frm2-layout.ts';
import { channelKey } from '../channel-key.ts';
import { MemorySource } from '../testing/memory-bytes.ts';
import { type ReadTrace, readTrace, restOf } from '../testing/trace-events.ts';
import { TraceBatch } from '../trace-batch.ts';
import { readAsc } from './asc-reader.ts';

const read = (text: string, sizes?: number[]): ReadTrace =>
  readTrace(readAsc, Buffer.from(text, 'latin1'), sizes);

const header = 'date Fri Mar 14 02:41:07.250 pm 2025\nbase hex  timestamps absolute\n';

describe('an ASC file', () => {
  const start = new Date(2025, 2, 14, 14, 41, 7, 250).getTime() * 1000;
  const frames = ({ events }: ReadTrace): string[] =>
    events.map(({ timeNs, id }) => `${timeNs / 1e6} ${id}`);

  it('starts at the date of its trigger block', () => {
    const text =
      'date Fri Mar 14 01:00:00 pm 2025\nBegin Triggerblock Fri Mar 14 02:41:07.250 pm 2025\n';
    expect(read(`${text}End TriggerBlock\n`).startUnixUs).toBe(start);
    expect(read(header).startUnixUs).toBe(start);
    expect(read('base hex\n').startUnixUs).toBeNull();
  });

  it('counts a date that is not understood', () => {
    const { startUnixUs, account } = read('date someday\nbase hex\n');
    expect(startUnixUs).toBeNull();
    expect(account.errors).toEqual([{ at: 1, message: 'Unknown date format' }]);
  });

  it('adds relative times up over every line that has one', () => {
    const trace = read(
      [
        'date Fri Mar 14 02:41:07.250 pm 2025',
        'base hex timestamps relative',
        '0.5 1 1 Rx d 0',
        '0.25 1  Statistic: D 25',
        '0.25 1 nonsense',
        '0.5 1 2 Rx d 9 broken',
        '0.5 1 3 Rx d 0',
      ].join('\r\n'),
    );
    expect(frames(trace)).toEqual(['500 1', '2000 3']);
  });

  it('puts trigger blocks that begin anew one behind the other', () => {
    const block = (date: string, id: number): string =>
      `Begin Triggerblock ${date}\n0.000000 Start of measurement\n1.0 1 ${id} Rx d 0\nEnd TriggerBlock\n`;
    const trace = read(
      `${header}${block('Fri Mar 14 02:41:07.250 pm 2025', 1)}${block('Fri Mar 14 02:42:07.250 pm 2025', 2)}`,
    );
    expect(frames(trace)).toEqual(['1000 1', '61000 2']);
    expect(trace.account).toMatchObject({ malformed: 0, truncated: false });
  });

  it('passes over blank lines, remarks and a byte order mark', () => {
    const trace = read(
      `\xef\xbb\xbf// remark\n\n${header}no internal events logged\n// version 13.0.0\n \t\n//1.0 1 1 Rx d 0\n1.0 1 1 Rx d 0\n`,
    );
    expect(frames(trace)).toEqual(['1000 1']);
    expect(trace.account).toMatchObject({ skipped: {}, malformed: 0 });
  });

  it('tells the names of channels that a remark gives', () => {
    const text = `${header}// channel 2 = Powertrain CAN\n// channel x = y\n1.0 2 1 Rx d 0\n`;
    const reader = readAsc(new MemorySource(Buffer.from(text)));
    restOf(reader);
    const names = [busCode.can, busCode.lin].map((bus) =>
      reader.channelNames?.get(channelKey(2, bus)),
    );
    expect(names).toEqual(['Powertrain CAN', 'Powertrain CAN']);
    expect(reader.channelNames?.size).toBe(2);
  });

  it('tells the names of channels with any number, but not of endlessly many', () => {
    const remarks = Array.from({ length: 3000 }, (_, i) => `// channel ${65_535 - i} = Bus ${i}\n`);
    const reader = readAsc(new MemorySource(Buffer.from(header + remarks.join(''))));
    restOf(reader);
    expect(reader.channelNames?.get(channelKey(65_535, busCode.can))).toBe('Bus 0');
    expect(reader.channelNames?.size).toBe(1024);
  });

  it('counts flaws with their lines and keeps the first ten', () => {
    const trace = read(`${header}${'nonsense\n'.repeat(25)}1.0 1 1 Rx d 0\n`);
    expect(trace.account).toMatchObject({ events: 1, malformed: 25, truncated: false });
    expect(trace.account.errors.map(({ at }) => at)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('does not read a line that a trigger block was cut off in', () => {
    const block = `${header}Begin Triggerblock\n1.0 1 1 Rx d 0\n`;
    for (const cut of ['', '2.0 1 2 Rx d 1 1', 'End Trigg', '// channel']) {
      const trace = read(`${block}${cut}`);
      expect(frames(trace)).toEqual(['1000 1']);
      expect(trace.account).toMatchObject({ malformed: 0, truncated: true });
    }
    expect(read(`${block}End TriggerBlock`).account.truncated).toBe(false);
  });

  it('reads a last line without a line end outside of trigger blocks', () => {
    const whole = [
      '1.0 1 1 Rx d 0',
      '1.0 1 1x Tx d 2 11 22',
      '1.0 1 Name Rx d 1 11 Length = 1 ID = 1 ',
      '1.0 1 1 Rx d 1 11 Length = 23',
      '1.0 1 ErrorFrame',
    ];
    for (const line of whole) {
      const trace = read(`${header}${line}`);
      expect(trace.events).toHaveLength(1);
      expect(trace.account).toMatchObject({ malformed: 0, truncated: false });
    }
  });

  it.each([
    '1.0 1 1 Rx d 3 01',
    '1.0 1 123 Rx d 2 11 2',
    '1.0 1 1 Rx r',
    '1.0 1 Name Rx d 1 11 ID = 20',
    '1.0 1 1 Rx d C 1 2 3 4 5 6 7 8',
    '1.0 CANFD 1 Rx 1 0 0 1 1 AB 100 20 10',
    '1.0 CANFD 1 Rx 1 0 0 1 1 AB',
    '1.0 Li 23 Rx 2 01 02 checksum = 4',
  ])('does not read a last line in which a number may be cut off: %s', (line) => {
    const trace = read(`${header}${line}`);
    expect(trace.events).toEqual([]);
    expect(trace.account).toMatchObject({ malformed: 0, truncated: true });
  });

  it('does not trust decimal numbers at the end of a file', () => {
    const dec = header.replace('hex', 'dec');
    expect(dec).not.toBe(header);
    expect(read(`${dec}1.0 1 1 Rx d 1 25`).account).toMatchObject({ events: 0, truncated: true });
    expect(read(`${dec}1.0 1 1 Rx d 1 25 `).account).toMatchObject({ events: 1, truncated: false });
  });

  it('tells where remarks of our own say that events are missing', () => {
    const text = [
      `${header}// 0.000000 3 events are missing here`,
      '// 0.000000 4 events are missing here',
      '1.0 1 1 Rx d 0',
      '//    1.500000 812 events are missing here',
      '// 1.6 nothing to speak of',
      '2.0 1 1 Rx d 0',
      '//    2.500000 Some events are missing here\r',
      '',
    ].join('\n');
    const reader = readAsc(new MemorySource(Buffer.from(text)));
    const batch = new TraceBatch(8);
    expect(reader.read(batch)).toBe(true);
    expect(batch.gaps).toEqual([
      { row: 0, timeNs: 0, missed: 7 },
      { row: 1, timeNs: 1_500_000_000, missed: 812 },
      { row: 2, timeNs: 2_500_000_000, missed: null },
    ]);
    expect(reader.account).toMatchObject({ gaps: 4, missed: 819, skipped: {}, malformed: 0 });
    expect(reader.read(batch)).toBe(false);
    expect(batch.gaps).toEqual([]);
  });

  it('reads long lines and counts one that is too long', () => {
    const frame = (length: number): string => `1.0 1 1 Rx d 0 ${'x'.repeat(length)}\n`;
    const text = `${header}${frame(7000)}${frame(70_000)}${frame(10)}`;
    for (const sizes of [[], [100], [9999]]) {
      const trace = read(text, sizes);
      expect(trace.events).toHaveLength(2);
      expect(trace.account.errors).toEqual([{ at: 4, message: 'The line is too long' }]);
    }
  });

  it.each([
    ['', 0, 'empty'],
    ['\n\n', 2, 'empty'],
    ['// only a remark\n', 1, 'empty'],
    ['LOGG\x90\0\0\0', 1, 'no_header'],
    ['\n(1710427267.123456) can0 123#0011\n', 2, 'no_header'],
    ['1.0 1 1 Rx d 0\n', 1, 'no_header'],
    ['x'.repeat(100_000), 1, 'no_header'],
  ])('is refused if it begins like %j', (text, line, reason) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'invalid_trace', details: { format: 'asc', line, reason } }),
    );
  });

  const mixed = [
    'date Sam Sep 30 15:06:13.191 2017',
    'base hex  timestamps absolute',
    'internal events logged',
    'Begin Triggerblock Sam Sep 30 15:06:13.191 2017',
    '   0.000000 Start of measurement',
    '   0.015991 CAN 1 Status:chip status error active',
    '   2.501000 1 ErrorFrame ECC: 10100010',
    '   2.520002 3 200 Tx r Length = 1704000 BitCount = 145 ID = 88888888x',
    '   3.098426 1  18EBFF00x       Rx d 8 01 A0 0F A6 60 3B D1 40    Length = 273910',
    '   4.000000 CANFD   2 Rx   300  Name   1 0 8  8 01 02 03 04 05 06 07 08   102203  133   303000 e0006659',
    '   5.000000 Li 23   Rx  4 4a 55 93 e5  checksum = 43   CSM = enhanced',
    '   6.000000 CANXL   2 Rx   CBFF   243215   176  432  Name f 8 e1 89 e8 c2 b9 6d 5a f1 174 0 0',
    'End TriggerBlock',
    '',
  ].join('\r\n');

  it('reads the same in whatever pieces it comes', () => {
    const whole = read(mixed);
    expect(whole.events).toHaveLength(7);
    for (let size = 1; size < 120; size++) expect(read(mixed, [size])).toEqual(whole);
  });

  it('survives lines torn apart, swapped and repeated', () => {
    const tokens = mixed.split(/(\s+)/);
    const shuffled = fc.array(fc.oneof(fc.constantFrom(...tokens), fc.string({ maxLength: 5 })), {
      maxLength: 200,
      size: 'max',
    });
    fc.assert(
      fc.property(shuffled, (pieces) => {
        const trace = read(`${header}${pieces.join('')}`);
        expect(trace.account.events).toBe(trace.events.length);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});
