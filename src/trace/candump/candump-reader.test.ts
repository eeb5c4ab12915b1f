import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { MemorySource } from '../testing/memory-bytes.ts';
import { readTrace, restOf, type TraceEvent } from '../testing/trace-events.ts';
import { TraceBatch } from '../trace-batch.ts';
import { readCandump } from './candump-reader.ts';

const read = (text: string) => readTrace(readCandump, Buffer.from(text));

/** The event of one line, which must be the only one. */
const eventOf = (frame: string): TraceEvent | undefined => {
  const { events, account } = read(`(1710427267.000000) can0 ${frame}\n`);
  expect(account).toMatchObject({ events: 1, malformed: 0, skipped: {}, truncated: false });
  return events[0];
};

const { extended, remote, fd, brs, esi, error } = frameFlag;

describe('a line of a candump log', () => {
  it.each<[string, Partial<TraceEvent>]>([
    ['123#', { id: 0x123, flags: 0, dlc: 0, data: [] }],
    ['7ff#0011AAbb', { id: 0x7ff, dlc: 4, data: [0x00, 0x11, 0xaa, 0xbb] }],
    ['00000123#01', { id: 0x123, flags: extended, data: [1] }],
    ['1FFFFFFF#01.02.03', { id: 0x1fff_ffff, flags: extended, data: [1, 2, 3] }],
    ['123#R', { flags: remote, dlc: 0, data: [] }],
    ['123#R4', { flags: remote, dlc: 4, data: [] }],
    ['123#r8_F', { flags: remote, dlc: 15, data: [] }],
    ['123#1122334455667788_9', { dlc: 9, data: [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88] }],
    ['20000004#0004000000000000', { id: 4, flags: error, dlc: 8, data: [0, 4, 0, 0, 0, 0, 0, 0] }],
    ['123##0', { bus: busCode.canfd, flags: fd, dlc: 0, data: [] }],
    ['123##3AA', { bus: busCode.canfd, flags: fd | brs | esi, dlc: 1, data: [0xaa] }],
    ['18FF50E5##5AA.BB', { flags: fd | brs | extended, dlc: 2, data: [0xaa, 0xbb] }],
    [`123##1${'AB'.repeat(64)}`, { bus: busCode.canfd, dlc: 15, data: Array(64).fill(0xab) }],
  ])('%s is read', (frame, expected) => {
    expect(eventOf(frame)).toMatchObject(expected);
  });

  it('tells who sent a frame where the log says so, and is else a received one', () => {
    expect(eventOf('123#01')?.kind).toBe(eventKindCode.rx_frame);
    expect(eventOf('123#01 R')?.kind).toBe(eventKindCode.rx_frame);
    expect(eventOf('123#01 T')?.kind).toBe(eventKindCode.tx_complete);
  });

  it.each([
    '12#01',
    '1234#01',
    '800#01',
    '40000000#01',
    '123',
    '123#0',
    '123#0g',
    '123#1.2',
    '123#112233445566778899',
    '123#11_9',
    '123#1122334455667788_8',
    '123#R9',
    '123#R4_9',
    '123##g01',
    '123##0112233445566778899',
    '20000004##0',
    '20000004#R',
    '123#01 X',
    '123#01 R more',
    '123#01junk',
  ])('%s is no frame: it is counted with its line, and the next line is read', (frame) => {
    const { events, account } = read(`(1.000000) can0 ${frame}\n(2.000000) can0 001#\n`);
    expect(events).toHaveLength(1);
    expect(account).toMatchObject({ events: 1, malformed: 1, truncated: false });
    expect(account.errors).toEqual([{ at: 1, message: expect.any(String) }]);
  });

  it.each(['(1.5)', '(1.00000)', '(1.0000000)', '(1,000000)', '(x.000000)', '(1.000000'])(
    'needs 6 or 9 digits behind the point: %s',
    (time) => {
      const { events, account } = read(`(1.000000) can0 001#\n${time} can0 123#01\n`);
      expect(events).toHaveLength(1);
      expect(account.malformed).toBe(1);
    },
  );
});

describe('a candump log', () => {
  it('has times that count from the whole second of its first event, to the nanosecond', () => {
    const { startUnixUs, events } = read(
      '(1710427267.999999) can0 123#\n(1710427268.000000001) can0 123#\n(1710427266.5) x\n(1710427266.500000) can0 123#\n',
    );
    expect(startUnixUs).toBe(1_710_427_267_000_000);
    expect(events.map(({ timeNs }) => timeNs)).toEqual([999_999_000, 1_000_000_001, -500_000_000]);
  });

  it('numbers interfaces whose names tell no number as they appear, and keeps their names', () => {
    const text = '(1.0000000) bad 1#\n(1.000000)  vcan1 123#\n(1.000000)   can0 123#\n';
    const reader = readCandump(new MemorySource(Buffer.from(`${text}(1.000000)  vcan1 123#\n`)));
    expect(restOf(reader).map(({ channel }) => channel)).toEqual([1, 2, 1]);
    expect([...(reader.channelNames ?? [])]).toEqual([
      [1, 'vcan1'],
      [2, 'can0'],
    ]);
  });

  it('holds no more interfaces than any machine has', () => {
    const lines = Array.from({ length: 1002 }, (_, n) => `(1.000000) if${n} 123#\n`);
    const { events, account } = read(lines.join(''));
    expect(events).toHaveLength(1000);
    expect(account.malformed).toBe(2);
  });

  it('counts what it holds beside frames', () => {
    const { events, account } = read(
      [
        '# made by hand',
        '',
        "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)",
        '(1.000000) can0 123#01',
        'some remark',
        '(1.000000) can0 00123#81:00:12345678#1122',
        '',
      ].join('\r\n'),
    );
    expect(events).toHaveLength(1);
    expect(account).toMatchObject({
      skipped: { comment: 2, dropcount: 1, can_xl: 1 },
      malformed: 0,
    });
  });

  it('says so when it ends inside a line', () => {
    for (const cut of ['(1.00', '(1.000000) can0 123#112', '(1.000000) can0 123##']) {
      expect(read(`(1.000000) can0 123#01\n${cut}`).account).toMatchObject({
        events: 1,
        truncated: true,
        malformed: 0,
      });
    }
  });

  it.each(['123#1122', '123#', '123#R', '123##1112233', '123##1'])(
    'keeps a last frame without a line end, and says that more may belong to it: %s',
    (frame) => {
      const { account } = read(`(1.000000) can0 ${frame}`);
      expect(account).toMatchObject({ events: 1, truncated: true, malformed: 0 });
    },
  );

  it.each(['123#1122 T', '123# R', '123#1122334455667788', `123##1${'00'.repeat(64)}`])(
    'takes a last line without a line end for whole where nothing more can follow: %s',
    (frame) => {
      const { account } = read(`(1.000000) can0 ${frame}`);
      expect(account).toMatchObject({ events: 1, truncated: false });
    },
  );

  it('has no times behind the year 9999', () => {
    const { events, account } = read(
      '(99999999999999.000000) can0 001#\n(253402300799.000000) can0 002#\n(253402300800.000000) can0 003#\n',
    );
    expect(events.map(({ id }) => id)).toEqual([2]);
    expect(account).toMatchObject({ events: 1, malformed: 2 });
  });

  it('tells where remarks of our own say that events are missing', () => {
    const text = [
      '# 5 events are missing here',
      '(1.000000) can0 123#',
      '(1.250000) can0 123#',
      '# 812 events are missing here',
      '# Some events are missing here',
      '# a remark',
      '(2.000000) can0 123#',
      '',
    ].join('\n');
    const reader = readCandump(new MemorySource(Buffer.from(text)));
    const batch = new TraceBatch(8);
    expect(reader.read(batch)).toBe(true);
    expect(batch.gaps).toEqual([
      { row: 0, timeNs: 0, missed: 5 },
      { row: 2, timeNs: 250_000_000, missed: null },
    ]);
    expect(reader.account).toMatchObject({ gaps: 3, missed: 817, skipped: { comment: 1 } });
  });

  it('may begin with lines that belong to something else, but not with a thousand of them', () => {
    const event = '(1.000000) can0 123#01\n';
    expect(read(`56) can0 123#02\n${event}`).events).toHaveLength(1);
    expect(read('x\n'.repeat(999) + event).events).toHaveLength(1);
    expect(() => read('x\n'.repeat(1000) + event)).toThrow(BusbarError);
  });

  it.each([
    ['', 'empty'],
    ['\n\n', 'not_candump'],
    ['hello\n', 'not_candump'],
    ['(hello)\n', 'not_candump'],
  ])('is not %j', (text, reason) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'invalid_trace', details: { field: 'file', reason } }),
    );
  });
});
