import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { FileSink } from '../testing/memory-bytes.ts';
import { batchOf, type TraceEvent } from '../testing/trace-events.ts';
import { traceDetail } from '../trace-batch.ts';
import { formatAscDate } from './asc-date.ts';
import { createAsc } from './asc-writer.ts';

const startUnixUs = new Date(2025, 2, 14, 14, 41, 7, 250).getTime() * 1000;

const event = (fields: Partial<TraceEvent>): TraceEvent => ({
  timeNs: 1_234_567_000,
  channel: 1,
  kind: 1,
  bus: 1,
  id: 0x7e8,
  flags: 0,
  dlc: fields.data?.length ?? 0,
  checksum: 0,
  data: [],
  ...fields,
});

const written = (
  events: readonly TraceEvent[],
  rest = 0,
  channelName = (channel: number): string => `can${channel}`,
): string => {
  const sink = new FileSink();
  const writer = createAsc(sink, { startUnixUs: startUnixUs + rest, channelName });
  writer.write(batchOf(events), 0, events.length);
  writer.end();
  return sink.bytes().toString();
};

/** The line of a single event. */
const lineOf = (fields: Partial<TraceEvent>): string | undefined =>
  written([event(fields)])
    .split('\n')
    .at(-3);

const { extended, remote, fd, brs, esi, error } = frameFlag;
const { noChecksum, noModel, noId, syncError } = traceDetail;
const { enhancedChecksum, checksumError, noResponse, syncBreak, wakeUp, sleep } = frameFlag;

describe('an ASC file that is written', () => {
  it('has the header, blocks and remarks that readers expect', () => {
    expect(written([event({ channel: 2, data: [0x02, 0x41] })])).toBe(
      [
        'date Fri Mar 14 02:41:07.250 pm 2025',
        'base hex  timestamps absolute',
        'internal events logged',
        'Begin TriggerBlock Fri Mar 14 02:41:07.250 pm 2025',
        '   0.000000 Start of measurement',
        '// channel 2 = can2',
        '   1.234567 2  7E8             Rx   d 2 02 41',
        'End TriggerBlock',
        '',
      ].join('\n'),
    );
  });

  it.each<[Partial<TraceEvent>, string]>([
    [{}, '   1.234567 1  7E8             Rx   d 0'],
    [
      { kind: 2, dlc: 15, data: [1, 2, 3, 4, 5, 6, 7, 255] },
      '   1.234567 1  7E8             Tx   d F 01 02 03 04 05 06 07 FF',
    ],
    [
      { flags: extended | remote, id: 0x1fffffff, dlc: 4 },
      '   1.234567 1  1FFFFFFFx       Rx   r 4',
    ],
    [{ id: 0, timeNs: 0, channel: 65_535 }, '   0.000000 65535  0               Rx   d 0'],
    [{ timeNs: 12_345_678_901_234, id: 1 }, '12345.678901 1  1               Rx   d 0'],
    [{ flags: error, id: 0xa8, data: [1, 2, 3, 4, 5, 6, 7, 8] }, '   1.234567 1  ErrorFrame'],
    [
      { bus: 2, flags: fd | brs, dlc: 9, data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
      `   1.234567 CANFD   1 Rx        7E8${' '.repeat(35)}1 0 9 12 01 02 03 04 05 06 07 08 09 0A 0B 0C        0    0     3000        0        0        0        0        0`,
    ],
    [
      { bus: 2, kind: 2, flags: fd | esi | extended, id: 0x18ff50ff, channel: 12, data: [0xab] },
      `   1.234567 CANFD  12 Tx   18FF50FFx${' '.repeat(35)}0 1 1  1 AB        0    0     5000        0        0        0        0        0`,
    ],
    [
      { bus: 3, id: 0x23, flags: enhancedChecksum, checksum: 0x43, data: [0x4a, 0x55] },
      '   1.234567 Li 23              Rx     2 4A 55  checksum = 43  CSM = enhanced',
    ],
    [
      { bus: 3, id: 3, kind: 2, channel: 4, flags: checksumError, checksum: 5, data: [1] },
      '   1.234567 L4 3               CSErr Tx     1 01  checksum = 05  CSM = classic',
    ],
    [
      { bus: 3, id: 0x24, detail: noChecksum | noModel, data: [1, 2] },
      '   1.234567 Li 24              Rx     2 01 02',
    ],
    [
      { bus: 3, id: 0x24, detail: noModel, checksum: 5, data: [1, 2] },
      '   1.234567 Li 24              Rx     2 01 02  checksum = 05',
    ],
    [
      { bus: 3, id: 0x24, flags: enhancedChecksum, detail: noChecksum, data: [1, 2] },
      '   1.234567 Li 24              Rx     2 01 02  CSM = enhanced',
    ],
    [{ bus: 3, id: 0x23, flags: noResponse, dlc: 4 }, '   1.234567 Li 23 TransmErr'],
    [
      { bus: 3, id: 0x23, flags: error, dlc: 4 },
      '   1.234567 Li 23 4 RcvError: unidentified error',
    ],
    [
      { bus: 3, id: 0x12, flags: error, dlc: 2, data: [0x11, 0xab] },
      '   1.234567 Li 12 2 RcvError: unidentified error  HasDatabytes = 1 11 AB',
    ],
    [{ bus: 3, id: 0, flags: error, detail: noId }, '   1.234567 Li RcvError: unidentified error'],
    [
      {
        bus: 3,
        id: 0,
        flags: error,
        detail: noId | syncError,
        dlc: 0,
        data: [1, 0, 2, 0, 3, 0, 0x40, 0x9c],
      },
      '   1.234567 Li SyncError 1 2 3 40000',
    ],
    [{ bus: 3, id: 0, flags: error, detail: noId | syncError }, '   1.234567 Li SyncError'],
    [{ bus: 3, id: 0, kind: 2, flags: wakeUp }, '   1.234567 Li WakeupFrame Tx 00'],
    [{ bus: 3, id: 0, flags: wakeUp, data: [0x80] }, '   1.234567 Li WakeupFrame Rx 80'],
    [{ bus: 3, id: 0, flags: sleep }, '   1.234567 Li SleepModeEvent 0 entering sleep mode'],
    [{ bus: 3, id: 0, flags: syncBreak }, '//    1.234567 Li sync break'],
  ])('puts %j on a line', (fields, line) => {
    expect(lineOf(fields)).toBe(line);
  });

  it.each<[string, Partial<TraceEvent>, string[]]>([
    [
      'many error frames that are told as one, with a remark of how many',
      { id: 0x2a0, dlc: 8, data: [0, 0, 0, 0x19, 0, 0, 128, 0, 0, 0, 2, 1] },
      ['//    1.234567 The next error frame stands for 513 of them', '   1.234567 1  ErrorFrame'],
    ],
    [
      'an error that changes the state, as both',
      { id: 0x2a4, data: [0, 0x20, 0, 0x19, 0, 0, 128, 3] },
      [
        '   1.234567 1  ErrorFrame',
        '   1.234567 CAN 1 Status:chip status error passive - TxErr: 128 RxErr: 3',
      ],
    ],
    [
      'a better state, as that alone',
      { id: 0x204, dlc: 8, data: [0, 8, 0, 0, 0, 0, 127, 0, 0, 0, 0, 0] },
      ['   1.234567 CAN 1 Status:chip status warning level - TxErr: 127 RxErr: 0'],
    ],
    [
      'the way back from bus off',
      { id: 0x300, dlc: 8, data: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
      ['   1.234567 CAN 1 Status:chip status error active - TxErr: 0 RxErr: 0'],
    ],
    [
      'bus off without counters',
      { id: 0x40, data: [0, 0, 0, 0, 0, 0, 0, 0] },
      ['   1.234567 CAN 1 Status:chip status bus off'],
    ],
    [
      'what is neither, as a remark',
      { id: 4, data: [0, 1, 0, 0, 0, 0, 0, 0] },
      ['//    1.234567 The controller of channel 1 reports class 4'],
    ],
    [
      'a device that went away, as a remark',
      { id: 0, dlc: 0, data: [0, 0, 0, 0], detail: traceDetail.deviceLost },
      ['//    1.234567 The device of channel 1 was disconnected'],
    ],
    [
      'a LIN device that came back, as a remark',
      { bus: 3, id: 0, dlc: 0, data: [0, 0, 0, 0], detail: traceDetail.deviceReturned },
      ['//    1.234567 The device of channel 1 was reconnected'],
    ],
  ])('writes %s', (_, fields, lines) => {
    const all = written([event({ flags: error, ...fields })]).split('\n');
    const from = all.indexOf('// channel 1 = can1') + 1;
    expect(all.slice(from, -2)).toEqual(lines);
  });

  it('adds to the times what the date cannot tell of the start', () => {
    expect(written([event({})], 999)).toContain('\n   1.235566 1  7E8 ');
  });

  it('begins in 1970 where nobody knows the start', () => {
    const sink = new FileSink();
    createAsc(sink, { startUnixUs: null, channelName: String }).end();
    expect(sink.bytes().toString()).toContain(`date ${formatAscDate(0)}\n`);
  });

  it.each([-11_670_000_000_000_000, 253_403_000_000_000_000, 99_999_999_999_999_000_000])(
    'is refused where the start has no date that readers know: %d',
    (far) => {
      expect(() => createAsc(new FileSink(), { startUnixUs: far, channelName: String })).toThrow(
        expect.objectContaining({
          code: 'invalid_trace',
          details: { field: 'input', reason: 'start_out_of_range' },
        }),
      );
    },
  );

  it('names each channel once, before its first event, on one line', () => {
    const text = written(
      [1, 2, 1, 2].map((channel) => event({ channel })),
      0,
      (channel) => `a\r\nb${channel}`,
    );
    expect(text.split('\n').filter((line) => line.includes('// channel'))).toEqual([
      '// channel 1 = a b1',
      '// channel 2 = a b2',
    ]);
  });

  it('puts notes into remarks of one line that no reader tears apart', () => {
    const sink = new FileSink();
    const writer = createAsc(sink, { startUnixUs, channelName: String });
    writer.note(1_500_000_000, 'gap of\n3 events');
    writer.note(2_000_000_000, 'ü'.repeat(9000));
    const lines = sink.bytes().toString().split('\n').slice(5);
    expect(lines[0]).toBe('//    1.500000 gap of 3 events');
    expect(Buffer.byteLength(lines[1] ?? '')).toBeLessThan(6500);
  });

  it('hands over large pieces, however many events there are', () => {
    const sink = new FileSink();
    const writer = createAsc(sink, { startUnixUs, channelName: String });
    const before = sink.writes;
    writer.write(batchOf(Array.from({ length: 4000 }, () => event({ data: [1, 2] }))), 0, 4000);
    expect(sink.writes - before).toBeLessThanOrEqual(4);
  });
});
