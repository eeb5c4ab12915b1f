import { describe, expect, it } from 'vitest';
import { eventText } from '../testing/event-text.ts';
import { FileSink, MemorySource, StreamSink } from '../testing/memory-bytes.ts';
import { batchOf, readTrace, restOf, type TraceEvent } from '../testing/trace-events.ts';
import type { ByteSink, TraceWriteOptions, TraceWriter } from '../trace-format.ts';
import { createMf4 } from './create-mf4.ts';
import { readMf4 } from './read-mf4.ts';

const startUnixUs = 1_767_225_600_000_000;

const frameOf = (n: number, rest: Partial<TraceEvent> = {}): TraceEvent => ({
  timeNs: n * 1_000_000,
  channel: 1,
  kind: 1,
  bus: 1,
  id: 0x100 + n,
  flags: 0,
  dlc: 8,
  checksum: 0,
  data: [n, 1, 2, 3, 4, 5, 6, 7],
  ...rest,
});

const long = (n: number): TraceEvent =>
  frameOf(n, { bus: 2, flags: 4, dlc: 15, data: Array.from({ length: 64 }, (_, i) => i) });

const events = [frameOf(0), long(1), frameOf(2), frameOf(3, { dlc: 0, data: [] })];

const optionsOf = (rest: Partial<TraceWriteOptions> = {}): TraceWriteOptions => ({
  startUnixUs,
  channelName: () => null,
  ...rest,
});

const begin = (
  sink: ByteSink,
  rest: Partial<TraceWriteOptions> = {},
  rows: readonly TraceEvent[] = events,
): TraceWriter => {
  const writer = createMf4(sink, optionsOf(rest));
  writer.write(batchOf(rows), 0, rows.length);
  return writer;
};

const magicOf = (bytes: Buffer): string => bytes.toString('latin1', 0, 8);
const dataAt = (bytes: Buffer): number => bytes.indexOf('##DT');
const textOf = (bytes: Uint8Array): string[] => readTrace(readMf4, bytes).events.map(eventText);

describe('The MF4 writer', () => {
  it('appends to a file that says what it lacks, and only at its end', () => {
    const sink = new FileSink();
    const writer = createMf4(sink, optionsOf());
    const empty = sink.bytes();
    expect(magicOf(empty)).toBe('UnFinMF ');
    expect(empty.readUInt16LE(60)).toBe(5);
    expect(empty.readBigUInt64LE(dataAt(empty) + 8)).toBe(24n);
    expect(dataAt(empty) + 24).toBe(empty.length);
    const batch = batchOf(events);
    writer.write(batch, 0, 2);
    const half = sink.bytes();
    writer.write(batch, 2, 4);
    const all = sink.bytes();
    expect(half.subarray(0, empty.length).equals(empty)).toBe(true);
    expect(all.subarray(0, half.length).equals(half)).toBe(true);
    // Records of 24 and 80 bytes, each after the id of its group.
    expect(half.length - empty.length).toBe(25 + 81);
    expect(all.length - half.length).toBe(2 * 25);
    expect([half[empty.length], half[empty.length + 25]]).toEqual([1, 2]);
  });

  it('finishes the file in place', () => {
    const sink = new FileSink();
    const writer = begin(sink);
    const growing = sink.bytes();
    writer.end();
    const finished = sink.bytes();
    const at = dataAt(finished);
    expect(magicOf(finished)).toBe('MDF     ');
    expect(finished.readUInt16LE(60)).toBe(0);
    expect(finished.readBigUInt64LE(at + 8)).toBe(BigInt(growing.length - at));
    expect(finished.subarray(at + 24, growing.length).equals(growing.subarray(at + 24))).toBe(true);
    expect(textOf(finished)).toEqual(textOf(growing));
  });

  it('leaves a readable file wherever it is killed while it finishes', () => {
    const counting = new FileSink();
    const calls: (readonly [at: number | null, bytes: Buffer])[] = [];
    const sink: ByteSink = {
      write: (bytes) => {
        calls.push([null, Buffer.from(bytes)]);
        counting.write(bytes);
      },
      rewrite: (at, bytes) => calls.push([at, Buffer.from(bytes)]),
    };
    const writer = begin(sink);
    writer.note(4_000_000, '7 events are missing here');
    const growing = counting.bytes();
    const done = calls.length;
    writer.end();
    expect(calls.length).toBeGreaterThan(done + 3);
    for (let killed = done; killed <= calls.length; killed++) {
      const file = new FileSink();
      for (const [at, bytes] of calls.slice(0, killed)) {
        if (at === null) file.write(bytes);
        else file.rewrite(at, bytes);
      }
      const { events: found, account } = readTrace(readMf4, file.bytes());
      expect(found.map(eventText)).toEqual(textOf(growing));
      expect(account).toMatchObject({ malformed: 0, truncated: false, gaps: 1, missed: 7 });
    }
  });

  it('finishes once, and not at all in a sink that cannot overwrite', () => {
    const stream = new StreamSink();
    begin(stream).end();
    expect(magicOf(stream.bytes())).toBe('UnFinMF ');
    expect(textOf(stream.bytes())).toHaveLength(4);
    const sink = new FileSink();
    const writer = begin(sink);
    writer.end();
    const once = sink.bytes();
    writer.end();
    expect(sink.bytes().equals(once)).toBe(true);
  });

  it('writes gaps and other remarks where they are, and as events with a comment', () => {
    const sink = new FileSink();
    const writer = createMf4(sink, optionsOf());
    const batch = batchOf(events);
    writer.write(batch, 0, 1);
    writer.note(500_000, '12 events are missing here');
    writer.write(batch, 1, 2);
    writer.note(1_500_000, 'Some events are missing here');
    writer.note(1_500_000, 'first event 42 <&> "quoted" \u0001');
    writer.write(batch, 2, 4);
    writer.end();
    const reader = readMf4(new MemorySource(sink.bytes()));
    expect(restOf(reader)).toHaveLength(4);
    expect(reader.account).toMatchObject({ gaps: 2, missed: 12, skipped: { comment: 1 } });
    const text = sink.bytes().toString('latin1');
    expect(text.match(/##EV/g)).toHaveLength(3);
    expect(text).toContain('<EVcomment><TX>12 events are missing here</TX></EVcomment>');
    expect(text).toContain('<TX>first event 42 &lt;&amp;&gt; &quot;quoted&quot;  </TX>');
  });

  it('keeps long remarks, and any number of them', () => {
    const sink = new FileSink();
    const writer = createMf4(sink, optionsOf());
    const prefix = `${'é'.repeat(500)} `;
    writer.note(0, prefix);
    for (let n = 0; n < 10_050; n++) writer.note(n, `${n} events are missing here`);
    writer.end();
    const reader = readMf4(new MemorySource(sink.bytes()));
    expect(restOf(reader)).toEqual([]);
    const missed = (10_049 * 10_050) / 2;
    expect(reader.account).toMatchObject({ gaps: 10_050, missed, skipped: { comment: 1 } });
    expect(sink.bytes().toString('latin1').match(/##EV/g)).toHaveLength(10_000);
  });

  it('names channels before their first event, and again after a change', () => {
    const names = ['engine', 'gearbox'];
    const sink = new FileSink();
    const channelName = (channel: number, bus: number): string | null =>
      bus === 3 ? 'doors' : channel === 2 ? null : (names[0] as string);
    const lin = frameOf(4, { bus: 3, id: 0x21, dlc: 1, data: [1] });
    const writer = begin(sink, { channelName }, [frameOf(0), frameOf(1, { channel: 2 }), lin]);
    const namesOf = (): unknown[] => {
      const reader = readMf4(new MemorySource(sink.bytes()));
      restOf(reader);
      return [...(reader.channelNames ?? [])];
    };
    expect(namesOf()).toEqual([
      [1, 'engine'],
      [0x1_0001, 'doors'],
    ]);
    names.shift();
    writer.rename?.(1);
    writer.write(batchOf([frameOf(5)]), 0, 1);
    writer.end();
    expect(namesOf()).toContainEqual([1, 'gearbox']);
    expect(sink.bytes().toString('latin1')).toContain(
      '<e name="CAN 1" type="string">gearbox</e><e name="LIN 1" type="string">doors</e>',
    );
  });

  it('embeds files as they are, in an odd number of bytes too', () => {
    const sink = new FileSink();
    const attachments = [
      { name: 'engine.dbc', mime: 'application/x-dbc', bytes: Buffer.from('VERSION ""\n') },
      { name: 'empty.ldf', mime: 'application/x-ldf', bytes: new Uint8Array() },
    ];
    begin(sink, { attachments }).end();
    expect(sink.bytes().toString('latin1')).toContain('VERSION ""\n\0\0\0\0\0');
    expect(textOf(sink.bytes())).toHaveLength(4);
    const read = readMf4(new MemorySource(sink.bytes())).attachments?.();
    expect(read).toEqual([
      { ...attachments[0], bytes: Uint8Array.from(Buffer.from('VERSION ""\n')) },
    ]);
  });

  it('writes the start for events before it, and counts them and those after 2554', () => {
    const sink = new FileSink();
    const late = frameOf(0, { timeNs: 2 ** 64 });
    const writer = begin(sink, {}, [frameOf(-1, { data: [], dlc: 0 }), frameOf(0), late]);
    writer.note(-5, 'early');
    writer.note(2 ** 65, 'late');
    writer.end();
    expect([writer.clamped, writer.unwritten]).toEqual([1, { too_late: 1 }]);
    const { events: found, account } = readTrace(readMf4, sink.bytes());
    expect(found.map(({ timeNs }) => timeNs)).toEqual([0, 0]);
    expect(account).toMatchObject({ skipped: { comment: 2 }, malformed: 0 });
  });

  it('has no date without a start', () => {
    const sink = new FileSink();
    begin(sink, { startUnixUs: null }).end();
    expect(readTrace(readMf4, sink.bytes()).startUnixUs).toBeNull();
  });

  it.each([-1, 2 ** 64 / 1000])('refuses a start at %d µs', (startUs) => {
    const sink = new FileSink();
    expect(() => createMf4(sink, optionsOf({ startUnixUs: startUs }))).toThrow(
      expect.objectContaining({
        code: 'invalid_trace',
        details: { field: 'input', reason: 'start_out_of_range' },
      }),
    );
    expect(sink.writes).toBe(0);
  });

  it('writes many events in parts of its buffer', () => {
    const rows = Array.from({ length: 3000 }, (_, n) => (n % 3 === 0 ? long(n) : frameOf(n)));
    const sink = new FileSink();
    begin(sink, {}, rows).end();
    const { events: found } = readTrace(readMf4, sink.bytes());
    expect(found.map(({ timeNs }) => timeNs)).toEqual(rows.map(({ timeNs }) => timeNs));
    expect(sink.writes).toBeLessThan(8);
  });

  it('forgets what did not reach the file', () => {
    const kept = new FileSink();
    const lost = new StreamSink();
    let isFull = false;
    const sink: ByteSink = {
      write: (bytes) => (isFull ? lost : kept).write(bytes),
      rewrite: (at, bytes) => kept.rewrite(at, bytes),
    };
    const writer = createMf4(sink, optionsOf({ channelName: (channel) => `port ${channel}` }));
    const batch = batchOf([frameOf(0), frameOf(1, { channel: 2 }), frameOf(2, { channel: 2 })]);
    writer.write(batch, 0, 1);
    writer.keep?.();
    isFull = true;
    writer.write(batch, 1, 2);
    writer.note(1_500_000, 'never written');
    writer.discard?.();
    isFull = false;
    writer.note(1_500_000, '1 events are missing here');
    writer.write(batch, 2, 3);
    writer.keep?.();
    writer.end();
    expect(lost.writes).toBeGreaterThan(0);
    const bytes = kept.bytes();
    const reader = readMf4(new MemorySource(bytes));
    expect(restOf(reader).map(({ id }) => id)).toEqual([0x100, 0x102]);
    expect(reader.account).toMatchObject({ gaps: 1, missed: 1, malformed: 0, truncated: false });
    expect([...(reader.channelNames?.values() ?? [])]).toEqual(['port 1', 'port 2']);
    expect(bytes.toString('latin1')).not.toContain('never written');
  });
});
