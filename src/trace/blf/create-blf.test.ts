import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { channelKey } from '../channel-key.ts';
import { FileSink, MemorySource, StreamSink } from '../testing/memory-bytes.ts';
import { batchOf, readTrace, restOf, type TraceEvent } from '../testing/trace-events.ts';
import { traceDetail } from '../trace-batch.ts';
import { createBlf } from './create-blf.ts';
import { readBlf } from './read-blf.ts';

const { noChecksum, noModel, noId, syncError } = traceDetail;

const startUnixUs = new Date(2024, 2, 14, 13, 7, 47, 123).getTime() * 1000 + 456;
const options = { startUnixUs, channelName: (channel: number) => `bus ${channel}` };

const frame = (more: Partial<TraceEvent> = {}): TraceEvent => ({
  timeNs: 0,
  channel: 1,
  kind: 1,
  bus: 1,
  id: 0x123,
  flags: 0,
  dlc: 2,
  checksum: 0,
  data: [1, 2],
  ...more,
});

const write = (events: readonly TraceEvent[]): Buffer => {
  const sink = new FileSink();
  const writer = createBlf(sink, options);
  writer.write(batchOf(events), 0, events.length);
  writer.end();
  return sink.bytes();
};

interface Container {
  readonly size: number;
  readonly contents: Buffer;
}

const containersOf = (bytes: Buffer): Container[] => {
  const containers: Container[] = [];
  for (let at = 144; at < bytes.length; ) {
    expect(bytes.toString('latin1', at, at + 4)).toBe('LOBJ');
    expect(bytes.readUInt32LE(at + 12)).toBe(10);
    const size = bytes.readUInt32LE(at + 8);
    const contents = inflateSync(bytes.subarray(at + 32, at + size));
    expect(contents.length).toBe(bytes.readUInt32LE(at + 24));
    containers.push({ size, contents });
    at += size + (size % 4);
  }
  return containers;
};

/** Objects by their type, without their headers. */
const bodiesOf = (bytes: Buffer): [type: number, body: Buffer][] =>
  containersOf(bytes).flatMap(({ contents }) => {
    const bodies: [number, Buffer][] = [];
    for (let at = 0; at < contents.length; ) {
      expect(contents.toString('latin1', at, at + 4)).toBe('LOBJ');
      expect(contents.readUInt16LE(at + 4)).toBe(32);
      const size = contents.readUInt32LE(at + 8);
      bodies.push([contents.readUInt32LE(at + 12), contents.subarray(at + 32, at + size)]);
      at += size + (size % 4);
    }
    return bodies;
  });

describe('a BLF file that is written', () => {
  it('has counts, sizes and times in its header', () => {
    const bytes = write([frame(), frame({ timeNs: 2_500_000_000 })]);
    const [container] = containersOf(bytes);
    const systemTime = (at: number) =>
      Array.from({ length: 8 }, (_, i) => bytes.readUInt16LE(at + 2 * i));
    expect(bytes.toString('latin1', 0, 4)).toBe('LOGG');
    expect(bytes.readUInt32LE(4)).toBe(144);
    expect(bytes.readBigUInt64LE(16)).toBe(BigInt(bytes.length));
    expect(bytes.readBigUInt64LE(24)).toBe(BigInt(144 + 32 + (container?.contents.length ?? 0)));
    // Two frames, and the name of their channel.
    expect(bytes.readUInt32LE(32)).toBe(3);
    expect(systemTime(40)).toEqual([2024, 3, 4, 14, 13, 7, 47, 123]);
    expect(systemTime(56)).toEqual([2024, 3, 4, 14, 13, 7, 49, 623]);
  });

  it('has the start but no counts where the sink cannot go back', () => {
    const sink = new StreamSink();
    const writer = createBlf(sink, options);
    writer.write(batchOf([frame()]), 0, 1);
    writer.end();
    expect(sink.bytes().subarray(16, 40)).toEqual(Buffer.alloc(24));
    expect(sink.bytes().readUInt16LE(40)).toBe(2024);
    expect(readTrace(readBlf, sink.bytes()).events).toHaveLength(1);
  });

  it('keeps the microseconds of the start in the times', () => {
    const { startUnixUs: read, events } = readTrace(readBlf, write([frame({ timeNs: 7000 })]));
    expect(read).toBe(startUnixUs - 456);
    expect(events[0]?.timeNs).toBe(463_000);
  });

  it('says so in its header where nobody knows the start', () => {
    const sink = new FileSink();
    const writer = createBlf(sink, { ...options, startUnixUs: null });
    writer.write(batchOf([frame({ timeNs: 7000 })]), 0, 1);
    writer.end();
    expect(sink.bytes().subarray(40, 72)).toEqual(Buffer.alloc(32));
    const { startUnixUs: read, events } = readTrace(readBlf, sink.bytes());
    expect(read).toBeNull();
    expect(events[0]?.timeNs).toBe(7000);
  });

  it('is refused where the start has no date that readers know', () => {
    const far = { ...options, startUnixUs: 2_100_000_000_000e6 };
    expect(() => createBlf(new FileSink(), far)).toThrow(
      expect.objectContaining({ details: { field: 'input', reason: 'start_out_of_range' } }),
    );
  });

  it('has no time of its last object where that has no date', () => {
    const sink = new FileSink();
    const late = new Date(9900, 0, 1).getTime() * 1000;
    const writer = createBlf(sink, { ...options, startUnixUs: late });
    writer.write(batchOf([frame({ timeNs: 100 * 366 * 86_400e9 })]), 0, 1);
    writer.end();
    expect(sink.bytes().readUInt16LE(40)).toBe(9900);
    expect(sink.bytes().subarray(56, 72)).toEqual(Buffer.alloc(16));
  });

  it('has no digits beyond 104 days but those that are known', () => {
    const sink = new FileSink();
    const writer = createBlf(sink, { startUnixUs: 0, channelName: () => null });
    writer.write(batchOf([frame({ timeNs: 1_700_000_000 * 1e9 + 123_457_000 })]), 0, 1);
    writer.end();
    const [first] = containersOf(sink.bytes());
    expect(first?.contents.readBigUInt64LE(24)).toBe(1_700_000_000_123_457_000n);
  });

  it('counts what is too late for its clock', () => {
    const writer = createBlf(new FileSink(), options);
    writer.write(batchOf([frame({ timeNs: 253_402_300_799e9 }), frame()]), 0, 2);
    writer.note(253_402_300_799e9, 'late');
    writer.end();
    expect(writer.unwritten).toEqual({ too_late: 1 });
  });

  it('tells no checksum and no model that the trace does not tell', () => {
    const lin = frame({ bus: 3, id: 0x24, detail: noChecksum | noModel });
    const bytes = write([
      lin,
      { ...lin, detail: noModel, checksum: 0x77 },
      { ...lin, detail: noChecksum, flags: frameFlag.enhancedChecksum },
      { ...lin, detail: 0, flags: frameFlag.noResponse, data: [] },
    ]);
    const models = bodiesOf(bytes).filter(([type]) => type !== 65);
    expect(models.map(([type, body]) => [type, body.readUInt8(39)])).toEqual([
      [57, 0xff],
      [57, 0xff],
      [57, 1],
      [58, 0xff],
    ]);
    expect(readTrace(readBlf, bytes).events.slice(0, 3)).toMatchObject([
      { detail: noChecksum | noModel, checksum: 0, flags: 0 },
      { detail: noModel, checksum: 0x77, flags: 0 },
      { detail: noChecksum, checksum: 0, flags: frameFlag.enhancedChecksum },
    ]);
  });

  it('counts sync errors without edges, which would read as breaks', () => {
    const error = frame({ bus: 3, flags: frameFlag.error, detail: noId | syncError, data: [] });
    const writer = createBlf(new FileSink(), options);
    writer.write(batchOf([error, { ...error, data: Array(8).fill(0) }]), 0, 2);
    expect(writer.unwritten).toEqual({ lin_sync_error_without_edges: 2 });
  });

  it('has no time before its start', () => {
    const { events } = readTrace(readBlf, write([frame({ timeNs: -1e9 })]));
    expect(events[0]?.timeNs).toBe(0);
  });

  it('holds back until a container is full, and none is larger', () => {
    const sink = new FileSink();
    const writer = createBlf(sink, options);
    const batch = batchOf(Array.from({ length: 1000 }, (_, id) => frame({ id })));
    for (let call = 0; call < 2; call++) writer.write(batch, 0, 1000);
    expect(sink.bytes()).toHaveLength(144);
    for (let call = 0; call < 8; call++) writer.write(batch, 0, 1000);
    expect(readTrace(readBlf, sink.bytes()).events.length).toBeGreaterThan(8000 - 2731);
    writer.end();
    const containers = containersOf(sink.bytes());
    expect(containers).toHaveLength(4);
    for (const { contents } of containers) expect(contents.length).toBeLessThanOrEqual(131_072);
    for (const { contents } of containers.slice(0, -1)) {
      expect(contents.length).toBeGreaterThan(131_072 - 200);
    }
    expect(readTrace(readBlf, sink.bytes()).events).toHaveLength(10_000);
  });

  it('gives out what it holds back when it is told to', () => {
    const sink = new FileSink();
    const writer = createBlf(sink, options);
    writer.flush();
    expect(sink.bytes()).toHaveLength(144);
    writer.write(batchOf([frame()]), 0, 1);
    writer.flush();
    writer.flush();
    expect(containersOf(sink.bytes())).toHaveLength(1);
    expect(readTrace(readBlf, sink.bytes()).events).toHaveLength(1);
  });

  it('has the shapes that other readers know', () => {
    const bodies = bodiesOf(
      write([
        frame({ kind: 2, flags: frameFlag.extended }),
        frame({ bus: 2, flags: frameFlag.fd | frameFlag.brs, dlc: 9, data: Array(12).fill(5) }),
        frame({ bus: 2, flags: frameFlag.fd, dlc: 3, data: [1, 2, 3], kind: 2 }),
        frame({ bus: 2, flags: frameFlag.fd, channel: 256 }),
        frame({ flags: frameFlag.error, id: 0x88, dlc: 8, data: [0, 0, 4, 8, 0, 0, 1, 2] }),
      ]),
    ).filter(([type]) => type !== 65);
    const [classic, long, short, wide, error] = bodies.map(([, body]) => body.toString('hex'));
    expect(bodies.map(([type]) => type)).toEqual([1, 101, 101, 100, 73]);
    expect(classic).toBe(`0100${'01'}${'02'}23010080${'0102000000000000'}`);
    const zeros = (count: number) => '00'.repeat(count);
    expect(long).toBe(
      `01090c0023010000${zeros(4)}00300000${zeros(18)}${'0000'}${zeros(4)}${'05'.repeat(12)}`,
    );
    expect(short).toBe(
      `0103030023010000${zeros(4)}00100000${zeros(18)}${'0100'}${zeros(4)}01020300`,
    );
    expect(wide).toBe(`0001${'00'}${'02'}23010000${zeros(5)}01${'02'}${zeros(5)}0102${zeros(66)}`);
    expect(error).toBe(`0100${zeros(8)}0800${zeros(4)}88000000${zeros(4)}0000040800000102`);
  });

  it('tells channels beyond 255 of FD frames too', () => {
    const wide = frame({
      bus: 2,
      flags: frameFlag.fd | frameFlag.esi | frameFlag.brs,
      channel: 300,
      kind: 2,
      dlc: 9,
      data: Array(12).fill(6),
    });
    const { events } = readTrace(readBlf, write([wide]));
    expect(events).toEqual([{ ...wide, timeNs: 456_000 }]);
  });

  it('keeps LIN errors and sleep without a frame', () => {
    const lin = frame({ bus: 3, id: 9, dlc: 4, data: [], channel: 700 });
    const events = [
      { ...lin, flags: frameFlag.error },
      { ...lin, flags: frameFlag.error, data: [1, 2, 3, 4] },
      { ...lin, flags: frameFlag.error, id: 0, dlc: 0, detail: noId },
      { ...lin, flags: frameFlag.sleep, id: 0, dlc: 0 },
    ];
    const read = readTrace(readBlf, write(events)).events;
    expect(read).toEqual(events.map((event) => ({ ...event, timeNs: 456_000 })));
  });

  it('names each channel once, before its first event', () => {
    const bytes = write([1, 2, 1, 300, 2].map((channel) => frame({ channel })));
    expect(bodiesOf(bytes).map(([type]) => type)).toEqual([65, 1, 65, 1, 1, 1, 1]);
    const reader = readBlf(new MemorySource(bytes));
    restOf(reader);
    expect([...(reader.channelNames ?? [])]).toEqual([
      [1, 'bus 1'],
      [2, 'bus 2'],
    ]);
  });

  it('names channels of CAN and of LIN apart, and none where there is no name', () => {
    const sink = new FileSink();
    const writer = createBlf(sink, {
      startUnixUs,
      channelName: (channel, bus) => (channel === 1 ? `bus ${bus}` : null),
    });
    const rows = [{ bus: 1 }, { bus: 3 }, { bus: 2 }, { channel: 2 }].map(frame);
    writer.write(batchOf(rows), 0, rows.length);
    writer.end();
    const reader = readBlf(new MemorySource(sink.bytes()));
    restOf(reader);
    expect([...(reader.channelNames ?? [])]).toEqual([
      [channelKey(1, 1), 'bus 1'],
      [channelKey(1, 3), 'bus 3'],
    ]);
  });

  it('names a channel whose name has semicolons', () => {
    const sink = new FileSink();
    const writer = createBlf(sink, { startUnixUs, channelName: () => 'a;b;c' });
    writer.write(batchOf([frame({ bus: 3 })]), 0, 1);
    writer.end();
    const reader = readBlf(new MemorySource(sink.bytes()));
    restOf(reader);
    expect([...(reader.channelNames?.values() ?? [])]).toEqual(['a b c']);
  });

  it('has room for notes of any length', () => {
    const sink = new FileSink();
    const writer = createBlf(sink, options);
    const texts = ['', 'é', 'x'.repeat(200_000), 'last'];
    writer.write(batchOf([frame()]), 0, 1);
    for (const text of texts) writer.note(1000, text);
    writer.write(batchOf([frame()]), 0, 1);
    writer.end();
    const comments = bodiesOf(sink.bytes()).filter(([type]) => type === 92);
    expect(comments.map(([, body]) => body.toString('utf8', 16))).toEqual(texts);
    expect(comments.map(([, body]) => body.readUInt32LE(4))).toEqual([0, 2, 200_000, 4]);
    const { events, account } = readTrace(readBlf, sink.bytes());
    expect(events).toHaveLength(2);
    expect(account).toMatchObject({ malformed: 0, skipped: { comment: 4, text: 1 } });
  });
});
