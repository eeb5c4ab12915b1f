import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { StreamSink } from '../testing/memory-bytes.ts';
import { batchOf, type TraceEvent } from '../testing/trace-events.ts';
import { traceDetail } from '../trace-batch.ts';
import { createCandump } from './candump-writer.ts';

const event = (fields: Partial<TraceEvent>): TraceEvent => ({
  timeNs: 0,
  channel: 1,
  kind: 1,
  bus: 1,
  id: 0x123,
  flags: 0,
  dlc: fields.data?.length ?? 0,
  checksum: 0,
  data: [],
  ...fields,
});

const write = (
  events: readonly TraceEvent[],
  channelName = (channel: number) => `can${channel - 1}`,
  startUnixUs = 1_710_427_267_123_456,
) => {
  const sink = new StreamSink();
  const writer = createCandump(sink, { startUnixUs, channelName });
  writer.write(batchOf(events), 0, events.length);
  writer.end();
  return { text: sink.bytes().toString(), unwritten: writer.unwritten };
};

describe('a candump log that is written', () => {
  it('has one line for an event, as candump -l has it', () => {
    const { text } = write([
      event({ data: [0, 0x11, 0xaa] }),
      event({ timeNs: 999_876_544_000, channel: 2, kind: 2, id: 0x18ff50e5, flags: 1 }),
      event({ flags: 2, dlc: 4 }),
      event({ flags: 2, dlc: 12 }),
      event({ dlc: 12, data: [1, 2, 3, 4, 5, 6, 7, 8] }),
      event({ bus: 2, flags: 4 | 8 | 16, data: [0xff] }),
      event({ flags: 32, id: 4, data: [0, 4, 0, 0, 0, 0, 0, 0] }),
    ]);
    expect(text).toBe(
      [
        '(1710427267.123456) can0 123#0011AA',
        '(1710428267.000000) can1 18FF50E5# T',
        '(1710427267.123456) can0 123#R4',
        '(1710427267.123456) can0 123#R8_C',
        '(1710427267.123456) can0 123#0102030405060708_C',
        '(1710427267.123456) can0 123##3FF',
        '(1710427267.123456) can0 20000004#0004000000000000',
        '',
      ].join('\n'),
    );
  });

  it('has a line for each of the errors that were told together', () => {
    const details = [0, 0, 0, 0x19, 0, 0, 0x80, 0];
    const reported = event({ flags: 32, id: 0xa0, dlc: 8, data: [...details, 0, 0, 0, 3] });
    const { text } = write([reported, event({})]);
    expect(text.split('\n')).toEqual([
      ...Array(3).fill('(1710427267.123456) can0 200000A0#0000001900008000'),
      '(1710427267.123456) can0 123#',
      '',
    ]);
  });

  it('does not grow beyond measure for the count in a file', () => {
    const max = event({ flags: 32, id: 0xa0, data: [255, 255, 255, 255] });
    const { text } = write([{ ...max, dlc: 0 }]);
    expect(text.split('\n')).toHaveLength(3);
    expect(text).toContain('4294967295');
  });

  it('gives an error of which nothing is known the class that asc2log and python-can give it', () => {
    const { text } = write([event({ flags: 32, id: 0 })]);
    expect(text).toBe('(1710427267.123456) can0 20000080#0000000000000000\n');
  });

  it('has nine digits only where six would lose something', () => {
    const { text } = write([event({ timeNs: 1 }), event({ timeNs: 1000 })]);
    expect(text.match(/\.\d+/g)).toEqual(['.123456001', '.123457']);
  });

  it('has no digits beyond 104 days but those that are known', () => {
    const far = event({ timeNs: 1_700_000_000 * 1e9 + 123_457_000 });
    const { text } = write([event({ timeNs: 1000 }), far], undefined, 0);
    expect(text).toBe('(0.000001) can0 123#\n(1700000000.123457) can0 123#\n');
    const before = event({ timeNs: -1_000_000_000 * 1e9 - 123_457_000 });
    expect(write([before], undefined, 1_700_000_000e6).text).toBe('(699999999.876543) can0 123#\n');
  });

  it('counts what comes behind the year 9999', () => {
    const late = event({ timeNs: 253_402_300_800e9 });
    expect(write([late, event({})], undefined, 0).unwritten).toEqual({ after_9999: 1 });
  });

  it('counts what has no form in it instead of leaving it out in silence', () => {
    const { text, unwritten } = write([
      event({ bus: 3, id: 0x21 }),
      event({ timeNs: -2e18 }),
      event({}),
      event({ bus: 3, id: 0x22 }),
      event({ id: 0, flags: frameFlag.error, data: [0, 0, 0, 0], detail: traceDetail.deviceLost }),
    ]);
    expect(text).toBe('(1710427267.123456) can0 123#\n');
    expect(unwritten).toEqual({ lin: 2, before_1970: 1, device: 1 });
  });

  it('is never an empty file', () => {
    expect(write([]).text).toMatch(/^# .+\n$/);
    expect(write([event({ bus: 3 })]).text).toMatch(/^# .+\n$/);
  });

  it('has names of one word each, with the channel behind those that do not tell it', () => {
    const names = ['two words', 'two\twords', '', 'ü', 'x'.repeat(300)];
    const events = names.map((_, index) => event({ channel: index + 1 }));
    const { text } = write(events, (channel) => names[channel - 1] ?? '');
    const written = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[1]);
    expect(written).toEqual(['two_words', 'two_words@2', 'can2', '_', 'x'.repeat(62)]);
  });

  it('grows beyond what is held at once', () => {
    const events = Array.from({ length: 5000 }, (_, n) => event({ timeNs: n * 1000 }));
    expect(write(events).text.split('\n')).toHaveLength(5001);
  });
});
