import { describe, expect, it } from 'vitest';
import { busCode, eventKindCode, frameFlag } from '../frame/frm2-layout.ts';
import { createAsc } from './asc/asc-writer.ts';
import { createBlf } from './blf/create-blf.ts';
import { createCandump } from './candump/candump-writer.ts';
import { convertTrace, TraceFilter } from './convert-trace.ts';
import { createMf4 } from './mf4/create-mf4.ts';
import { openTrace } from './open-trace.ts';
import { FileSink, MemorySource } from './testing/memory-bytes.ts';
import { readTrace, restOf, type TraceEvent } from './testing/trace-events.ts';
import type { CreateTrace } from './trace-format.ts';

const creators = {
  asc: createAsc,
  blf: createBlf,
  candump: createCandump,
  mf4: createMf4,
} as const;

const convert = async (bytes: Uint8Array, create: CreateTrace, filter?: TraceFilter) => {
  const reader = openTrace(new MemorySource(bytes));
  const sink = new FileSink();
  const writer = create(sink, {
    startUnixUs: reader.startUnixUs ?? 0,
    channelName: (channel) => reader.channelNames?.get(channel) ?? `can${channel - 1}`,
  });
  const conversion = await convertTrace(reader, writer, undefined, filter);
  return { conversion, bytes: sink.bytes() };
};

/** Events with their times of day. */
const readAbsolute = (bytes: Uint8Array): TraceEvent[] => {
  const { startUnixUs, events } = readTrace(openTrace, bytes);
  const startSecond = Math.floor((startUnixUs ?? 0) / 1e6);
  const shiftNs = ((startUnixUs ?? 0) - startSecond * 1e6) * 1000;
  return events.map((event) => ({ ...event, timeNs: event.timeNs + shiftNs }));
};

const log = Buffer.from(
  [
    '(1767225600.000100) can0 123#0011AABB',
    '(1767225600.000200) can1 18FF50E5#010203 T',
    '(1767225600.000300) can0 123#R4',
    '(1767225601.000400) can0 123##1112233445566778899AABBCC T',
    '(1767225601.000500) can1 7FF##0',
    '(1767225602.000600) can0 123#1122334455667788_C',
    '',
  ].join('\n'),
);

describe('converting a trace', () => {
  it('keeps the numbers of channels, whichever of them comes first', async () => {
    const line = (channel: number): string => `   ${channel}.000000 ${channel}  123  Rx   d 0`;
    const lines = (named: readonly string[]): Buffer =>
      Buffer.from(['date Fri Mar 14 02:41:07.250 pm 2025', 'base hex', ...named, ''].join('\n'));
    const files = [
      lines([line(2), line(1), line(5)]),
      lines(['// channel 2 = body', line(2), '// channel 1 = body', line(1), line(5)]),
    ];
    for (const file of files) {
      const log = await convert(file, createCandump);
      const back = await convert(log.bytes, createAsc);
      const { events } = readTrace(openTrace, back.bytes);
      expect(events.map(({ channel }) => channel)).toEqual([2, 1, 5]);
    }
  });

  it('keeps every frame of CAN and CAN FD over all ways through two formats', async () => {
    const original = readAbsolute(log);
    const formats = Object.keys(creators) as (keyof typeof creators)[];
    for (const first of formats) {
      for (const second of formats) {
        const once = await convert(log, creators[first]);
        const twice = await convert(once.bytes, creators[second]);
        const back = await convert(twice.bytes, createCandump);
        expect(readAbsolute(once.bytes)).toEqual(original);
        expect(readAbsolute(back.bytes)).toEqual(original);
        expect(back.bytes.toString()).toBe(log.toString());
        expect(twice.conversion).toEqual({
          read: 6,
          written: 6,
          filtered: 0,
          unwritten: {},
          clamped: 0,
        });
      }
    }
  });

  it('takes over only the channels that are wanted', async () => {
    const { conversion, bytes } = await convert(log, createCandump, new TraceFilter([2]));
    expect(conversion).toEqual({ read: 6, written: 2, filtered: 4, unwritten: {}, clamped: 0 });
    expect(bytes.toString()).toBe(
      '(1767225600.000200) can1 18FF50E5#010203 T\n(1767225601.000500) can1 7FF##0\n',
    );
  });

  it('tells what the other format has no room for', async () => {
    const asc = Buffer.from(
      [
        'date Thu Jan 1 12:00:00.000 am 2026',
        'base hex  timestamps absolute',
        'Begin TriggerBlock Thu Jan 1 12:00:00.000 am 2026',
        '   0.100000 Li 21              Rx     2 01 02  checksum = dd  CSM = enhanced',
        '   0.200000 1  123             Rx   d 1 01',
        'End TriggerBlock',
        '',
      ].join('\n'),
    );
    const { conversion, bytes } = await convert(asc, createCandump);
    expect(conversion).toEqual({
      read: 2,
      written: 1,
      filtered: 0,
      unwritten: { lin: 1 },
      clamped: 0,
    });
    expect(bytes.toString()).toMatch(/^\(\d+\.200000\) can0 123#01\n$/);
    const blf = await convert(asc, createBlf);
    expect(blf.conversion.unwritten).toEqual({});
    expect(readAbsolute(blf.bytes)[0]).toMatchObject({
      bus: busCode.lin,
      kind: eventKindCode.rx_frame,
      flags: frameFlag.enhancedChecksum,
      id: 0x21,
    });
  });

  it('counts the events before the start, whose times ASC and BLF cannot keep', async () => {
    const stepped = Buffer.from(
      [
        '(1767225600.500000) can0 001#',
        '(1767225599.000000) can0 002#',
        '(1767225599.400000) can0 003#',
        '(1767225600.600000) can0 004#',
        '',
      ].join('\n'),
    );
    for (const create of [createAsc, createBlf]) {
      const { conversion, bytes } = await convert(stepped, create);
      expect(conversion).toEqual({ read: 4, written: 4, filtered: 0, unwritten: {}, clamped: 2 });
      expect(readTrace(openTrace, bytes).events.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    }
    const { conversion, bytes } = await convert(stepped, createCandump);
    expect(conversion.clamped).toBe(0);
    expect(bytes.toString()).toBe(stepped.toString());
  });

  it('completes the file of a trace without events', async () => {
    for (const create of Object.values(creators)) {
      const { conversion, bytes } = await convert(Buffer.from('# nothing\n'), create);
      expect(conversion).toEqual({ read: 0, written: 0, filtered: 0, unwritten: {}, clamped: 0 });
      expect(readTrace(openTrace, bytes).events).toEqual([]);
    }
  });

  const ascOf = (...lines: string[]): Buffer =>
    Buffer.from(
      [
        'date Thu Jan 1 12:00:00.000 am 2026',
        'base hex  timestamps absolute',
        'internal events logged',
        'Begin TriggerBlock Thu Jan 1 12:00:00.000 am 2026',
        '   0.000000 Start of measurement',
        ...lines,
        'End TriggerBlock',
        '',
      ].join('\n'),
    );
  /** Without channel names. */
  const eventLines = (bytes: Buffer): string[] =>
    bytes
      .toString()
      .split('\n')
      .slice(5, -2)
      .filter((line) => !line.startsWith('// channel'));

  it('tells of LIN what the file tells, neither more nor less, also by way of BLF', async () => {
    const lines = [
      '   0.100000 Li 24              Rx     2 01 02',
      '   0.200000 Li 25              Rx     2 01 02  checksum = 77',
      '   0.300000 Li 26              Rx     2 01 02  CSM = enhanced',
      '   0.400000 Li WakeupFrame Rx 80',
      '   0.500000 Li WakeupFrame Tx 00',
      '   0.600000 Li SyncError 1 2 3 4',
      '   0.700000 Li 12 4 RcvError: unidentified error  HasDatabytes = 1 11 22 33 44',
      '   0.800000 Li 33 8 RcvError: unidentified error',
      '   0.900000 Li RcvError: unidentified error',
    ];
    for (const create of [createAsc, createBlf]) {
      const once = await convert(ascOf(...lines), create);
      const back = await convert(once.bytes, createAsc);
      expect(eventLines(back.bytes)).toEqual(lines);
      expect(back.conversion).toMatchObject({ read: 9, written: 9, unwritten: {} });
    }
  });

  it('takes over where events are missing, with whatever channels are wanted', async () => {
    const lines = [
      '   0.100000 1  123             Rx   d 1 01',
      '//    0.150000 812 events are missing here',
      '   0.200000 2  123             Rx   d 1 02',
      '   0.300000 1  123             Rx   d 1 03',
      '//    0.300000 Some events are missing here',
    ];
    for (const create of [createAsc, createBlf]) {
      const once = await convert(ascOf(...lines), create);
      const reader = openTrace(new MemorySource(once.bytes));
      const back = await convert(once.bytes, createAsc);
      restOf(reader);
      expect(reader.account).toMatchObject({ gaps: 2, missed: 812 });
      expect(eventLines(back.bytes)).toEqual(lines);
    }
    const { bytes } = await convert(ascOf(...lines), createCandump, new TraceFilter([1]));
    const contents = bytes.toString().replaceAll(/^\(.*\) /gm, '');
    expect(contents).toBe(
      'can0 123#01\n# 812 events are missing here\ncan0 123#03\n# Some events are missing here\n',
    );
    const info = openTrace(new MemorySource(bytes));
    restOf(info);
    expect(info.account).toMatchObject({ gaps: 2, missed: 812, skipped: {} });
  });

  it('keeps the microseconds of a log that spans more than 104 days', async () => {
    const long = Buffer.from(
      '(0.000001) can0 001#\n(1700000000.123457) can0 002#\n(1700000000.123458) can0 003#\n',
    );
    for (const create of Object.values(creators)) {
      const once = await convert(long, create);
      const back = await convert(once.bytes, createCandump);
      expect(back.bytes.toString()).toBe(long.toString());
    }
  });
});
