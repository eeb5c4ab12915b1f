import { describe, expect, it } from 'vitest';
import { openTrace } from './open-trace.ts';
import { MemorySource } from './testing/memory-bytes.ts';
import { IdentifierSet, summarizeTrace } from './trace-summary.ts';

const summarize = (text: string, onProgress?: (position: number) => void) =>
  summarizeTrace(openTrace(new MemorySource(Buffer.from(text))), onProgress);

describe('the summary of a trace', () => {
  it('counts error frames that are told as one, and no changes of state', async () => {
    const { events, error_frames, skipped } = await summarize(
      [
        '# The next error frame stands for 513 of them',
        '(100.500000) can0 200002A0#0000001900008000',
        '(100.600000) can0 20000204#0008000000007F00',
        '(100.700000) can0 200002A0#0000001900008000',
        '# The next error frame stands for 9 of them',
        '(100.800000) can0 123#01',
        '(100.900000) can0 200002A0#0000001900008000',
        '',
      ].join('\n'),
    );
    expect({ events, error_frames, skipped }).toEqual({
      events: 5,
      error_frames: 515,
      skipped: {},
    });
  });

  it('tells what the trace holds, by bus, kind and channel', async () => {
    const text = [
      '# remark',
      '(100.500000) can0 123#01',
      '(100.600000) can1 123##1AABB T',
      '(100.550000) can0 00000123#R4',
      '(103.000000) can0 200000A8#0000040800000001',
      '(103.000001) can0 123#02',
      '(103.5) can0 123#02',
      '',
    ].join('\n');
    expect(await summarize(text)).toEqual({
      complete: true,
      format: 'candump',
      started_at_us: 100_000_000,
      duration_us: 2_500_001,
      events: 5,
      buses: { can: 4, canfd: 1, lin: 0 },
      kinds: { rx_frame: 4, tx_complete: 1 },
      error_frames: 1,
      remote_frames: 1,
      distinct_ids: 2,
      out_of_order: 1,
      longest_pause_us: 2_450_000,
      channels: [
        { channel: 1, bus: 'can', name: 'can0', events: 4, first_us: 500_000, last_us: 3_000_001 },
        { channel: 2, bus: 'can', name: 'can1', events: 1, first_us: 600_000, last_us: 600_000 },
      ],
      skipped: { comment: 1 },
      gaps: 0,
      missed: 0,
      malformed: 1,
      flaws: [{ at: 7, message: expect.any(String) }],
      truncated: false,
    });
  });

  it('tells how many events the trace says are missing', async () => {
    const text = [
      '(100.500000) can0 123#',
      '# 812 events are missing here',
      '(101.000000) can0 123#',
      '# Some events are missing here',
      '# 3 events are missing here',
      '',
    ].join('\n');
    expect(await summarize(text)).toMatchObject({ events: 2, gaps: 3, missed: 815, skipped: {} });
  });

  it('tells times of years to the microsecond', async () => {
    for (let us = 123_400; us < 123_500; us++) {
      const text = `(0.000001) can0 001#\n(1700000000.${us}) can0 001#\n`;
      expect((await summarize(text)).channels[0]?.last_us).toBe(1_700_000_000e6 + us);
    }
  });

  it('tells channels of CAN and of LIN apart that have one number', async () => {
    const text = [
      'date Thu Jan 1 12:00:00.000 am 2026',
      'base hex  timestamps absolute',
      '0.1 L2 23 Rx 1 55',
      '0.2 Li 23 Rx 2 4A 55',
      '0.3 2 123 Rx d 1 01',
      '0.4 1 123 Rx d 2 11 22',
      '0.5 1 123 Rx d 2 11 22',
      '',
    ].join('\n');
    const { channels } = await summarize(text);
    expect(channels.map(({ channel, bus, events }) => [channel, bus, events])).toEqual([
      [1, 'can', 2],
      [1, 'lin', 1],
      [2, 'can', 1],
      [2, 'lin', 1],
    ]);
  });

  it('is one of nothing for a trace without events', async () => {
    expect(await summarize('# nothing\n')).toMatchObject({
      started_at_us: null,
      duration_us: 0,
      events: 0,
      channels: [],
      longest_pause_us: 0,
    });
  });

  it('tells how far it is, and ends with what it is told to end with', async () => {
    const text = '(1.000000) can0 123#01\n'.repeat(10_000);
    const positions: number[] = [];
    await summarize(text, (position) => positions.push(position));
    expect(positions).toHaveLength(3);
    expect(positions.at(-1)).toBe(text.length);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    const enough = new Error('enough');
    const ended = summarize(text, () => {
      throw enough;
    });
    await expect(ended).rejects.toBe(enough);
  });
});

describe('a set of identifiers', () => {
  it('counts each once, and tells 11 bits, 29 bits and LIN apart', () => {
    const set = new IdentifierSet();
    for (let round = 0; round < 2; round++) {
      for (const id of [0, 1, 0x7ff]) set.add(1, 0, id);
      set.add(2, 4, 1);
      for (const id of [0, 0x7ff, 0x1fff_ffff]) set.add(1, 1, id);
      set.add(3, 0, 1);
      set.add(3, 0x100, 0x3f);
    }
    expect(set.size).toBe(8);
  });
});
