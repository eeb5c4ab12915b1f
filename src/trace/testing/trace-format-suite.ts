import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { cases } from '../../base/testing/long.ts';
import { TraceBatch } from '../trace-batch.ts';
import type { CreateTrace, OpenTrace, TraceWriteOptions } from '../trace-format.ts';
import { arbitraryEvents, arbitraryStartUs } from './arbitrary-trace.ts';
import { FailingSink, FileSink, MemorySource, StreamSink } from './memory-bytes.ts';
import {
  batchOf,
  type ReadTrace,
  readTrace,
  restOf,
  type TraceEvent,
  writeTrace,
} from './trace-events.ts';

export interface TraceFormatUnderTest {
  readonly name: string;
  readonly open: OpenTrace;
  readonly create: CreateTrace;
  /**
   * Result of reading an event that was written: the event itself, a reduced one if the format
   * cannot express all of it, several if it stores parts separately, or null if it cannot
   * express it.
   */
  readonly holds: (event: TraceEvent) => TraceEvent | readonly TraceEvent[] | null;
  /**
   * The format does not distinguish a complete last line from the beginning of a longer one.
   */
  readonly lastEventMayBeCut?: boolean;
}

const startUnixUs = Date.UTC(2026, 0, 15, 13, 14, 15, 161) * 1000 + 718;
const seed = 20260115;
const runs = { numRuns: cases(8, 60), seed };

const optionsAt = (startUs: number): TraceWriteOptions => ({
  startUnixUs: startUs,
  channelName: (channel) => `can${channel}`,
});

/** The same events with times relative to another start. */
const since = (startUs: number, { startUnixUs: from, events }: ReadTrace): TraceEvent[] => {
  expect(from).not.toBeNull();
  const shiftNs = ((from ?? 0) - startUs) * 1000;
  return events.map((event) => ({ ...event, timeNs: event.timeNs + shiftNs }));
};

const classicAt = (timeNs: number, data: readonly number[] = [1, 2, 3]): TraceEvent => ({
  timeNs,
  channel: 1,
  kind: 1,
  bus: 1,
  id: 0x123,
  flags: 0,
  dlc: data.length,
  checksum: 0,
  data,
});

/** Requirements on every trace format. Call it at the top of a test file. */
export const describeTraceFormat = (format: TraceFormatUnderTest): void => {
  const { name, open, create, holds, lastEventMayBeCut = false } = format;
  const held = (events: readonly TraceEvent[]): TraceEvent[] =>
    events.flatMap((event) => holds(event) ?? []);
  /** The trace, or undefined if it was rejected correctly. */
  const readOrRefuse = (bytes: Uint8Array): ReadTrace | undefined => {
    try {
      return readTrace(open, bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(BusbarError);
      expect(error).toMatchObject({ code: 'invalid_trace' });
      return undefined;
    }
  };
  /** A fixed trace with all kinds of events. */
  const [sample = []] = fc.sample(arbitraryEvents(36), { numRuns: 1, seed });

  describe(`${name}, as every trace format`, () => {
    it('reads back what was written, however the writing was portioned', () => {
      const portions = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 5 });
      fc.assert(
        fc.property(arbitraryEvents(), arbitraryStartUs, portions, (events, startUs, sizes) => {
          const trace = readTrace(open, writeTrace(create, startUs, events, sizes));
          if (trace.events.length > 0) expect(since(startUs, trace)).toEqual(held(events));
          expect(trace.events).toHaveLength(held(events).length);
          expect(trace.account).toMatchObject({
            events: trace.events.length,
            malformed: 0,
            errors: [],
            truncated: false,
          });
        }),
        runs,
      );
    });

    it('reads the same in any sizes of source reads', () => {
      const file = writeTrace(create, startUnixUs, sample);
      const whole = readTrace(open, file);
      const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 });
      fc.assert(
        fc.property(sizes, (each) => {
          expect(readTrace(open, file, each)).toEqual(whole);
        }),
        runs,
      );
      expect(readTrace(open, file, [1])).toEqual(whole);
    });

    it('reads the same into batches of any capacity', () => {
      const events = Array.from({ length: 9000 }, (_, n) => classicAt(n * 1000, [n & 0xff]));
      const file = writeTrace(create, startUnixUs, events);
      const whole = readTrace(open, file, [], 64);
      expect(since(startUnixUs, whole)).toEqual(held(events));
      for (const capacity of [8, 1000, 4096]) {
        expect(readTrace(open, file, [], capacity)).toEqual(whole);
      }
    });

    it('fills each batch before it gives it, and clears it at the end', () => {
      const events = Array.from({ length: 20 }, (_, n) => classicAt(n * 1000));
      const reader = open(new MemorySource(writeTrace(create, startUnixUs, events)));
      const batch = new TraceBatch(8);
      const counts: number[] = [];
      while (reader.read(batch)) counts.push(batch.count);
      expect(counts).toEqual([8, 8, 4]);
      expect(batch.count).toBe(0);
      expect(reader.read(batch)).toBe(false);
    });

    it('has used the whole file when it is at the end', () => {
      const file = writeTrace(create, startUnixUs, sample);
      const reader = open(new MemorySource(file));
      restOf(reader);
      expect(reader.position).toBe(file.length);
    });

    it('reads an empty trace as one without events', () => {
      const trace = readTrace(open, writeTrace(create, startUnixUs, []));
      expect(trace.events).toEqual([]);
      expect(trace.account).toMatchObject({ events: 0, malformed: 0, truncated: false });
    });

    it('keeps times of many days to the last digit', () => {
      const days = [1, 30, 100].map((day) => day * 86_400e9);
      const events = [0, ...days.flatMap((ns) => [ns, ns + 999_999_000])].map((ns) =>
        classicAt(ns),
      );
      const trace = readTrace(open, writeTrace(create, startUnixUs, events));
      expect(since(startUnixUs, trace)).toEqual(held(events));
    });

    it('keeps times of years to the microsecond', () => {
      const timeNs = 20 * 365 * 86_400e9 + 123_456_000;
      const file = writeTrace(create, startUnixUs, [classicAt(0), classicAt(timeNs)]);
      const [, last] = since(startUnixUs, readTrace(open, file));
      expect(Math.abs((last?.timeNs ?? 0) - timeNs)).toBeLessThan(1000);
    });

    it('gives what came before the cut of a file that was cut at any byte', () => {
      const file = writeTrace(create, startUnixUs, sample.slice(0, 16), [5]);
      const events = readTrace(open, file).events.map((event) => JSON.stringify(event));
      const unsure = lastEventMayBeCut ? 1 : 0;
      let max = 0;
      for (let length = 0; length < file.length; length += cases(5, 1)) {
        const trace = readOrRefuse(file.subarray(0, length));
        if (trace === undefined) {
          expect(max).toBe(0);
          continue;
        }
        const got = trace.events.map((event) => JSON.stringify(event));
        const sure = Math.max(got.length - unsure, 0);
        expect(got.slice(0, sure).join()).toBe(events.slice(0, sure).join());
        expect(got.length).toBeGreaterThanOrEqual(max - unsure);
        max = Math.max(max, got.length);
      }
      expect(max).toBeGreaterThan(events.length - 6);
    });

    it('has put all it was given into the sink when a call returns', () => {
      const sink = new FileSink();
      const writer = create(sink, optionsAt(startUnixUs));
      const batch = batchOf(sample);
      for (let row = 0; row < batch.count; row++) {
        writer.write(batch, row, row + 1);
        const { events } = readTrace(open, sink.bytes());
        expect(events).toHaveLength(held(sample.slice(0, row + 1)).length);
      }
    });

    it('writes into a sink that cannot go back', () => {
      const sink = new StreamSink();
      const writer = create(sink, optionsAt(startUnixUs));
      writer.write(batchOf(sample), 0, sample.length);
      writer.end();
      const trace = readTrace(open, sink.bytes());
      expect(since(startUnixUs, trace)).toEqual(held(sample));
    });

    it('writes only the rows that were asked for', () => {
      const sink = new FileSink();
      const writer = create(sink, optionsAt(startUnixUs));
      const events = Array.from({ length: 10 }, (_, n) => classicAt(n * 1000, [n]));
      const batch = batchOf(events);
      writer.write(batch, 3, 7);
      writer.write(batch, 8, 8);
      writer.end();
      const trace = readTrace(open, sink.bytes());
      expect(since(startUnixUs, trace)).toEqual(held(events.slice(3, 7)));
    });

    it('is not disturbed by notes, regardless of their text', () => {
      const notes = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), {
        minLength: 1,
        maxLength: 4,
      });
      const noteworthy = [
        '',
        'a\nb',
        '\r\n0.5 1 1 Rx d 0',
        '\0',
        '(1.0) can0 1#',
        'x'.repeat(9000),
      ];
      const check = (texts: readonly string[]): void => {
        const sink = new FileSink();
        const writer = create(sink, optionsAt(startUnixUs));
        const batch = batchOf(sample);
        for (const text of texts) writer.note(0, text);
        writer.write(batch, 0, 10);
        for (const text of texts) writer.note(batch.timeNs[10] as number, text);
        writer.write(batch, 10, batch.count);
        for (const text of texts) writer.note(batch.timeNs[batch.count - 1] as number, text);
        writer.end();
        const trace = readTrace(open, sink.bytes());
        expect(since(startUnixUs, trace)).toEqual(held(sample));
        expect(trace.account).toMatchObject({ malformed: 0, truncated: false });
      };
      check(noteworthy);
      fc.assert(fc.property(notes, check), { numRuns: cases(5, 20), seed });
    });

    it('lets the failure of a sink through, at whichever call it comes', () => {
      const failure = new BusbarError('file_unavailable');
      const attempt = (sink: FailingSink): void => {
        const writer = create(sink, optionsAt(startUnixUs));
        const batch = batchOf(sample);
        writer.write(batch, 0, 10);
        writer.note(batch.timeNs[10] as number, 'halfway');
        writer.write(batch, 10, batch.count);
        writer.end();
      };
      for (let calls = 0; calls < 2; calls++) {
        expect(() => attempt(new FailingSink(calls, failure))).toThrow(failure);
      }
    });

    it('rejects other files, and throws nothing else, for any bytes', () => {
      expect(readOrRefuse(new Uint8Array())).toBeUndefined();
      expect(readOrRefuse(new Uint8Array(1000))).toBeUndefined();
      expect(readOrRefuse(Buffer.from('\x7fELF, not a trace at all\n'))).toBeUndefined();
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
          readOrRefuse(bytes);
        }),
        runs,
      );
    });

    it('survives damage anywhere in a file', () => {
      const file = writeTrace(create, startUnixUs, sample, [7]);
      const damage = fc.array(
        fc.tuple(fc.nat({ max: file.length - 1 }), fc.integer({ min: 0, max: 0xff })),
        { minLength: 1, maxLength: 12 },
      );
      fc.assert(
        fc.property(damage, (hits) => {
          const damaged = Buffer.from(file);
          for (const [at, byte] of hits) damaged[at] = byte;
          const trace = readOrRefuse(damaged);
          expect(trace?.account.events).toBe(trace?.events.length);
        }),
        { numRuns: cases(25, 300), seed },
      );
    });
  });
};
