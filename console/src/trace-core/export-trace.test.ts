import { describe, expect, it } from 'vitest';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { formatAscDate } from '../../../src/trace/asc/asc-date.ts';
import { readBlf } from '../../../src/trace/blf/read-blf.ts';
import { readMf4 } from '../../../src/trace/mf4/read-mf4.ts';
import { MemorySource } from '../../../src/trace/testing/memory-bytes.ts';
import { restOf } from '../../../src/trace/testing/trace-events.ts';
import { readOnPaper } from '../../../tests/reference/mf4/paper-reader.ts';
import { type ExportFormat, exportTrace, loadWriter } from './export-trace.ts';
import { FrameChunk } from './frame-chunk.ts';
import { MessageNames } from './message-names.ts';
import { aChunk, aRecord, brs, error, extended, fd, remote } from './testing/records.ts';

const context = {
  channelName: (slot: number) => (slot === 0 ? 'power train' : `can${slot}`),
  channelNumber: (slot: number) => slot + 1,
  names: new MessageNames({
    messages: [{ database: 'car', name: 'Engine, main', id: 0x123, extended: false, pgn: null }],
    plans: [],
  }),
};
const startUs = 1_700_000_000_123_456;

const rowsOf = (chunk: FrameChunk) =>
  Array.from({ length: chunk.count }, (_, row) => ({ chunk, row }));

const written = async (chunk: FrameChunk, format: ExportFormat, more = {}) => {
  const { pieces, ...counts } = await exportTrace(
    rowsOf(chunk),
    await loadWriter(format),
    startUs,
    { ...context, ...more },
    async () => {},
  );
  const bytes = Buffer.concat(pieces);
  return { bytes, text: bytes.toString(), ...counts };
};

const frames = aChunk(
  { timestampUs: startUs, id: 0x123, data: 'DEADBEEF', eventId: 7, sequence: 3 },
  { timestampUs: startUs + 1, id: 0x18ff50e5, flags: extended, kind: eventKindCode.tx_complete },
  { timestampUs: startUs + 2, channel: 1, id: 0x7, flags: remote, dlc: 4 },
  { timestampUs: startUs + 3, channel: 1, id: 1, data: '11'.repeat(8), dlc: 12 },
  {
    timestampUs: startUs + 1_000_000,
    bus: busCode.canfd,
    id: 0x2a,
    flags: fd | brs,
    dlc: 9,
    data: '22'.repeat(12),
  },
  { timestampUs: startUs + 1_000_001, flags: error, id: 0, data: '00'.repeat(8) },
);
const lin = aChunk({
  timestampUs: startUs + 44,
  bus: busCode.lin,
  channel: 4,
  id: 0x21,
  data: '0102',
  checksum: 0x9a,
  flags: frameFlag.enhancedChecksum,
});
const gap = new FrameChunk(1);
gap.addGap({ eventId: 9, missing: 12, channel: 0xffff, timestampUs: startUs + 5 });

describe('a candump log', () => {
  it('has every frame with its time to the microsecond', async () => {
    expect((await written(frames, 'candump')).text.split('\n')).toEqual([
      '(1700000000.123456) power_train 123#DEADBEEF',
      '(1700000000.123457) power_train 18FF50E5# T',
      '(1700000000.123458) can1 007#R4',
      '(1700000000.123459) can1 001#1111111111111111_C',
      '(1700000001.123456) power_train 02A##1222222222222222222222222',
      '(1700000001.123457) power_train 20000080#0000000000000000',
      '',
    ]);
  });

  it('has a line for each of the errors that were told together, and none for a device', async () => {
    const reports = aChunk(
      { timestampUs: startUs, flags: error, id: 0x2a0, dlc: 8, data: '000000190000800000000003' },
      { timestampUs: startUs, flags: error, id: 0x204, dlc: 8, data: '0008000000007F0000000000' },
      { timestampUs: startUs, flags: error, id: 0, dlc: 0, status: 8, data: '00000000' },
      { timestampUs: startUs, flags: error, id: 0x2a0, dlc: 8, data: '000000190000800000005208' },
    );
    const { text, omitted } = await written(reports, 'candump');
    const start = '(1700000000.123456) power_train';
    expect(text.split('\n')).toEqual([
      ...Array(3).fill(`${start} 200002A0#0000001900008000`),
      `${start} 20000204#0008000000007F00`,
      '# The next error frame stands for 21000 of them',
      `${start} 200002A0#0000001900008000`,
      '',
    ]);
    expect(omitted).toBe(1);
  });

  it('has no form for LIN and says how many rows that concerned', async () => {
    expect(await written(lin, 'candump')).toMatchObject({
      text: '',
      written: 0,
      omitted: 1,
    });
  });

  it('has no form for remarks, and says how many gaps that concerned', async () => {
    expect(await written(gap, 'candump')).toMatchObject({
      text: '',
      written: 0,
      omitted: 0,
      omittedGaps: 1,
    });
  });
});

describe('an ASC file', () => {
  it('counts times from the millisecond of its date', async () => {
    const lines = (await written(frames, 'asc')).text.split('\n');
    expect(lines[0]).toBe(`date ${formatAscDate(startUs)}`);
    expect(lines.slice(5, -2)).toEqual([
      '// channel 1 = power train',
      '   0.000456 1  123             Rx   d 4 DE AD BE EF',
      '   0.000457 1  18FF50E5x       Tx   d 0',
      '// channel 2 = can1',
      '   0.000458 2  7               Rx   r 4',
      '   0.000459 2  1               Rx   d C 11 11 11 11 11 11 11 11',
      `   1.000456 CANFD   1 Rx         2A${' '.repeat(35)}1 0 9 12${' 22'.repeat(12)}        0    0     3000${'        0'.repeat(5)}`,
      '   1.000457 1  ErrorFrame',
    ]);
    expect(lines.at(-2)).toBe('End TriggerBlock');
  });

  it('has states of controllers, and error frames with how many there were', async () => {
    const reports = aChunk(
      { timestampUs: startUs, flags: error, id: 0x2a4, data: '0020001900008000' },
      { timestampUs: startUs, flags: error, id: 0x2a0, dlc: 8, data: '000000190000800000005208' },
      { timestampUs: startUs, flags: error, id: 0x204, dlc: 8, data: '0008000000007F0000000000' },
      { timestampUs: startUs, flags: error, id: 0, dlc: 0, status: 8, data: '00000000' },
    );
    expect((await written(reports, 'asc')).text.split('\n').slice(6, -2)).toEqual([
      '   0.000456 1  ErrorFrame',
      '   0.000456 CAN 1 Status:chip status error passive - TxErr: 128 RxErr: 0',
      '//    0.000456 The next error frame stands for 21000 of them',
      '   0.000456 1  ErrorFrame',
      '   0.000456 CAN 1 Status:chip status warning level - TxErr: 127 RxErr: 0',
      '//    0.000456 The device of channel 1 was disconnected',
    ]);
    const rows = (await written(reports, 'csv')).text.split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',').at(-2))).toEqual(['1', '21000', '0', '0']);
  });

  it('has LIN frames with their checksums, and gaps as remarks', async () => {
    expect((await written(lin, 'asc')).text).toContain(
      '   0.000500 L5 21              Rx     2 01 02  checksum = 9A  CSM = enhanced\n',
    );
    expect((await written(gap, 'asc')).text).toContain(
      '//    0.000461 12 events are missing here\n',
    );
  });
});

describe('a channel that is called otherwise after a while', () => {
  const twice = aChunk(
    { timestampUs: startUs, id: 1 },
    { timestampUs: startUs + 1, id: 1 },
    { timestampUs: startUs + 2, id: 1 },
  );
  const lines = async (format: ExportFormat): Promise<string[]> => {
    const channelName = (_: number, us: number) => (us === startUs + 1 ? 'body' : 'chassis');
    return (await written(twice, format, { channelName })).text.split('\n');
  };

  it('has its name before its frames in an ASC file', async () => {
    const remarks = (await lines('asc')).filter((line) => line.startsWith('// channel'));
    expect(remarks).toEqual([
      '// channel 1 = chassis',
      '// channel 1 = body',
      '// channel 1 = chassis',
    ]);
  });

  it('has its name in every line of a candump log', async () => {
    expect((await lines('candump')).map((line) => line.split(' ')[1])).toEqual([
      'chassis',
      'body@1',
      'chassis',
      undefined,
    ]);
  });
});

describe('a CSV file', () => {
  it('has a line for each frame, quoted where commas ask for it', async () => {
    const lines = (await written(frames, 'csv')).text.split('\r\n');
    expect(lines[0]).toContain('timestamp_s,event_id,sequence,channel,direction,id,name');
    expect(lines[1]).toBe(
      '1700000000.123456,7,3,power train,Rx,123,"Engine, main",CAN,4,4,DE AD BE EF,0,',
    );
    expect(lines[3]).toContain('CAN remote,4,0,');
    expect(lines[5]).toContain('FD BRS,9,12,22 22');
  });
});

describe('an MF4 file', () => {
  const chunk = aChunk(
    { timestampUs: startUs, id: 0x123, data: 'DEADBEEF' },
    { timestampUs: startUs + 1, id: 0x18ff50e5, flags: extended, kind: eventKindCode.tx_complete },
    {
      timestampUs: startUs + 2,
      bus: busCode.canfd,
      channel: 1,
      flags: fd | brs,
      dlc: 9,
      data: '22'.repeat(12),
    },
    { timestampUs: startUs + 3, flags: error, id: 0x2a0, dlc: 8, data: '000000190000800000005208' },
    {
      timestampUs: startUs + 4,
      bus: busCode.lin,
      channel: 4,
      id: 0x21,
      data: '0102',
      checksum: 0x9a,
      flags: frameFlag.enhancedChecksum,
    },
    { timestampUs: startUs + 5, id: 0x124 },
  );
  const rows = rowsOf(chunk);
  const withGap = [...rows.slice(0, 5), { chunk: gap, row: 0 }, ...rows.slice(5)];

  const exported = async () => {
    const writer = await loadWriter('mf4');
    const { pieces, ...counts } = await exportTrace(
      withGap,
      writer,
      startUs,
      context,
      async () => {},
    );
    return { bytes: Buffer.concat(pieces), counts };
  };

  it('has CAN and LIN frames, directions, counted errors, gaps and names for our reader', async () => {
    const { bytes, counts } = await exported();
    expect(counts).toEqual({ written: 7, omitted: 0, omittedGaps: 0, notes: 0 });
    const reader = readMf4(new MemorySource(bytes));
    const events = restOf(reader);
    expect(reader.startUnixUs).toBe(startUs);
    expect(reader.account).toMatchObject({ events: 6, gaps: 1, missed: 12, truncated: false });
    expect([...(reader.channelNames ?? [])].map(([, name]) => name)).toEqual([
      'power train',
      'can1',
      'can4',
    ]);
    const tx = eventKindCode.tx_complete;
    expect(events).toMatchObject([
      { timeNs: 0, channel: 1, id: 0x123, data: [0xde, 0xad, 0xbe, 0xef] },
      { timeNs: 1000, channel: 1, id: 0x18ff50e5, flags: extended, kind: tx },
      { timeNs: 2000, channel: 2, flags: fd | brs, dlc: 9, data: Array(12).fill(0x22) },
      { timeNs: 3000, flags: error, data: [0, 0, 0, 0x19, 0, 0, 0x80, 0, 0, 0, 0x52, 0x08] },
      { timeNs: 4000, channel: 5, bus: busCode.lin, id: 0x21, checksum: 0x9a, data: [1, 2] },
      { timeNs: 5000, channel: 1, id: 0x124 },
    ]);
  });

  it('is complete for a reader that was written from the standard', async () => {
    const { bytes } = await exported();
    const { isFinalized, startNs, groups, events } = readOnPaper(bytes);
    expect({ isFinalized, startNs }).toEqual({
      isFinalized: true,
      startNs: BigInt(startUs) * 1000n,
    });
    const bus = groups.flat().filter(({ structure }) => structure !== 'Busbar_Remark');
    expect(bus.map(({ structure, timeNs, members }) => [structure, timeNs, members.Dir])).toEqual([
      ['CAN_DataFrame', 0n, 0n],
      ['CAN_DataFrame', 1000n, 1n],
      ['CAN_DataFrame', 2000n, 0n],
      ['CAN_ErrorFrame', 3000n, 0n],
      ['LIN_Frame', 4000n, 0n],
      ['CAN_DataFrame', 5000n, 0n],
    ]);
    expect(bus[3]?.members.ErrorCount).toBe(21_000n);
    expect(events).toEqual([{ timeNs: 5000n, text: '12 events are missing here' }]);
  });
});

describe('a BLF file', () => {
  it('has frames, names and notes for our reader, and counts what it holds', async () => {
    const notes = [{ eventId: 7, timestampUs: startUs, text: 'here it begins' }];
    const { bytes, ...counts } = await written(frames, 'blf', { notes });
    expect(counts).toMatchObject({ written: frames.count, omitted: 0, omittedGaps: 0, notes: 1 });
    expect(bytes.includes('Note: here it begins')).toBe(true);
    const reader = readBlf(new MemorySource(bytes));
    const events = restOf(reader);
    expect(reader.account).toMatchObject({ events: frames.count, malformed: 0, truncated: false });
    expect([...(reader.channelNames ?? [])].map(([, name]) => name)).toEqual([
      'power train',
      'can1',
    ]);
    expect(events.map(({ id }) => id).slice(0, 5)).toEqual([0x123, 0x18ff50e5, 7, 1, 0x2a]);
  });
});

describe('a long export', () => {
  it('comes in pieces and loses nothing', async () => {
    const chunk = new FrameChunk(10_000);
    for (let i = 0; i < 10_000; i++) chunk.addRecord(aRecord({ eventId: i + 1 }));
    const { text, written: count } = await written(chunk, 'csv');
    expect(count).toBe(10_000);
    expect(text.split('\r\n')).toHaveLength(10_002);
  });

  it('pauses again and again, also where there is nothing to write', async () => {
    const chunk = new FrameChunk(10_000);
    for (let i = 0; i < 10_000; i++) chunk.addRecord(aRecord({ bus: busCode.lin }));
    let pauses = 0;
    const writer = await loadWriter('candump');
    await exportTrace(rowsOf(chunk), writer, startUs, context, async () => {
      pauses++;
    });
    expect(pauses).toBe(4);
  });
});

describe('notes', () => {
  const notes = [
    { eventId: 7, timestampUs: startUs, text: 'here it begins' },
    // Of a frame that is not written.
    { eventId: 8, timestampUs: startUs, text: 'elsewhere' },
  ];
  const withNotes = (format: ExportFormat) => written(frames, format, { notes });

  it('are comments at their frame', async () => {
    const asc = await withNotes('asc');
    expect(asc.text).toMatch(
      /0\.000456 Note: here it begins\r?\n(?:\/\/.*\r?\n)?.*0\.000456\s+1\s+123/,
    );
    expect(asc.text).not.toContain('elsewhere');
    expect([asc.notes, asc.written]).toEqual([1, frames.count]);
    const mf4 = await withNotes('mf4');
    expect([mf4.notes, mf4.bytes.includes('Note: here it begins')]).toEqual([1, true]);
  });

  it('are a column of CSV files', async () => {
    const { text } = await withNotes('csv');
    const lines = text.split('\r\n').map((line) => line.split(',').at(-1));
    expect(lines.slice(0, 3)).toEqual(['note', 'here it begins', '']);
  });

  it('are in no candump log', async () => {
    const { text, notes: number } = await withNotes('candump');
    expect([number, text.includes('begins')]).toEqual([0, false]);
  });
});
