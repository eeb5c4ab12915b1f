import { describe, expect, it } from 'vitest';
import { FileSink, MemorySource, StreamSink } from '../testing/memory-bytes.ts';
import { batchOf, readTrace, restOf, type TraceEvent } from '../testing/trace-events.ts';
import { compressMf4 } from './compress-mf4.ts';
import { createMf4 } from './create-mf4.ts';
import { readMf4 } from './read-mf4.ts';
import { frames, plainFile } from './testing/plain-frames.ts';

const eventOf = (n: number): TraceEvent => {
  const isLin = n % 7 === 0;
  const isLong = n % 5 === 0 && !isLin;
  const data = Array.from({ length: isLong ? 64 : 4 }, (_, i) => (n + i) & 0xff);
  return {
    // Some events of different groups have the same time.
    timeNs: Math.floor(n / 3) * 1000,
    channel: 1 + (n % 2),
    kind: 1,
    bus: isLin ? 3 : isLong ? 2 : 1,
    id: isLin ? 0x11 : n & 0x7ff,
    flags: isLong ? 4 : 0,
    dlc: isLong ? 15 : 4,
    checksum: isLin ? 0x5a : 0,
    data,
  };
};

const events = Array.from({ length: 500 }, (_, n) => eventOf(n));

const record = (rows: readonly TraceEvent[] = events): { growing: Buffer; finished: Buffer } => {
  const sink = new FileSink();
  const writer = createMf4(sink, {
    startUnixUs: 1_767_225_600_000_000,
    channelName: (channel) => `port ${channel}`,
    attachments: [{ name: 'a.dbc', mime: 'application/x-dbc', bytes: Buffer.from('BO_ 1') }],
  });
  const batch = batchOf(rows);
  writer.write(batch, 0, 100);
  writer.note(rows[100]?.timeNs ?? 0, '3 events are missing here');
  writer.write(batch, 100, batch.count);
  const growing = sink.bytes();
  writer.end();
  return { growing, finished: sink.bytes() };
};

const compressed = (file: Uint8Array): { bytes: Buffer; steps: number } => {
  const sink = new FileSink();
  let steps = 0;
  for (const _ of compressMf4(new MemorySource(file), sink)) steps += 1;
  return { bytes: sink.bytes(), steps };
};

describe('Compression of a recorded MF4 file', () => {
  const { growing, finished } = record();

  it('keeps every event, their order, gaps, names and embedded files', () => {
    const { bytes } = compressed(finished);
    const reader = readMf4(new MemorySource(bytes));
    expect(restOf(reader)).toEqual(events);
    expect(reader.account).toMatchObject({ gaps: 1, missed: 3, malformed: 0, truncated: false });
    expect(reader.channelNames?.get(1)).toBe('port 1');
    expect(bytes.toString('latin1')).toContain('BO_ 1');
    expect(bytes.toString('latin1', 0, 8)).toBe('MDF     ');
    expect(bytes.length).toBeLessThan(finished.length);
  });

  it('finishes a file that was cut at any byte', () => {
    const dataAt = growing.lastIndexOf('##DT') + 24;
    for (let length = dataAt; length < growing.length; length += 1997) {
      const cut = growing.subarray(0, length);
      const { events: before } = readTrace(readMf4, cut);
      const { events: after, account } = readTrace(readMf4, compressed(cut).bytes);
      expect(after).toEqual(before);
      expect(account).toMatchObject({ malformed: 0, truncated: false });
    }
  });

  it('yields between pieces', () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => eventOf(n % 500));
    expect(compressed(record(rows).finished).steps).toBe(2);
  });

  it.each([
    ['a file of another program', plainFile(frames)],
    ['a file that is compressed', compressed(finished).bytes],
  ])('refuses %s, before it writes', (_, file) => {
    const sink = new FileSink();
    expect(() => compressMf4(new MemorySource(file), sink).next()).toThrow(
      expect.objectContaining({
        code: 'invalid_trace',
        details: expect.objectContaining({ reason: 'not_compressible' }),
      }),
    );
    expect(sink.writes).toBe(0);
  });

  it('needs a sink that can overwrite', () => {
    expect(() => compressMf4(new MemorySource(finished), new StreamSink()).next()).toThrow(
      RangeError,
    );
  });
});
