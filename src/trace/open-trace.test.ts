import { describe, expect, it } from 'vitest';
import { createAsc } from './asc/asc-writer.ts';
import { createBlf } from './blf/create-blf.ts';
import { createCandump } from './candump/candump-writer.ts';
import { createMf4 } from './mf4/create-mf4.ts';
import { openTrace } from './open-trace.ts';
import { MemorySource } from './testing/memory-bytes.ts';
import { readTrace, restOf, type TraceEvent, writeTrace } from './testing/trace-events.ts';

const events: TraceEvent[] = Array.from({ length: 5000 }, (_, n) => ({
  timeNs: n * 1000,
  channel: 1,
  kind: 1,
  bus: 1,
  id: 0x123,
  flags: 0,
  dlc: 1,
  checksum: 0,
  data: [n & 0xff],
}));

const startUnixUs = Date.UTC(2026, 0, 15) * 1000;
const open = (text: string) => openTrace(new MemorySource(Buffer.from(text)));

describe('opening a trace', () => {
  it.each([
    ['asc', createAsc],
    ['blf', createBlf],
    ['candump', createCandump],
    ['mf4', createMf4],
  ] as const)('knows %s by its bytes and gives all of it', (format, create) => {
    const file = writeTrace(create, startUnixUs, events);
    for (const sizes of [[], [1, 7, 100]]) {
      const reader = openTrace(new MemorySource(file, sizes));
      expect(reader.format).toBe(format);
      expect(restOf(reader)).toEqual(events);
      expect(reader.position).toBe(file.length);
    }
  });

  it.each([
    ['asc', '\n  // made by hand\r\ndate Fri Mar 14 02:41:07 pm 2025\r\nbase hex\r\n'],
    ['asc', '\ufeffDATE Fri Mar 14 02:41:07 pm 2025\nbase hex\n'],
    ['asc', 'base hex  timestamps absolute\n'],
    ['candump', '\n\n# made by hand\n(1.000000) can0 123#\n'],
    ['candump', '// made by hand\n  (1.000000) can0 123#\n'],
    ['candump', 'log of Monday\n(1.000000) can0 123#\n'],
    ['candump', "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)\n"],
  ])('finds %s behind remarks and blank lines: %j', (format, text) => {
    expect(open(text).format).toBe(format);
  });

  it.each([
    ['', 'empty'],
    [' \n\n', 'unknown_format'],
    ['\0'.repeat(100), 'unknown_format'],
    ['MDF     4.10    ', 'truncated'],
    [`UnFinMF 3.30    ${'\0'.repeat(200)}`, 'unsupported_version'],
    ['MDF 4.10', 'unknown_format'],
    ['datum of nothing\n', 'unknown_format'],
    ['// nothing but remarks\n', 'unknown_format'],
    ['(hello)\n', 'not_candump'],
  ])('refuses %j', (text, reason) => {
    expect(() => open(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_trace',
        details: expect.objectContaining({ field: 'file', reason }),
      }),
    );
  });

  it('refuses a beginning that only looks like a format, naming the format', () => {
    for (const text of ['LOGG', 'LOGGgarbage that is no header']) {
      expect(() => open(text)).toThrow(
        expect.objectContaining({
          code: 'invalid_trace',
          details: expect.objectContaining({ field: 'file', format: 'blf' }),
        }),
      );
    }
  });

  it('lets the failure of a source through', () => {
    const failure = new Error('gone');
    const source = {
      size: null,
      read: () => {
        throw failure;
      },
    };
    expect(() => openTrace(source)).toThrow(failure);
    expect(readTrace(openTrace, Buffer.from('(1.000000) can0 123#\n')).events).toHaveLength(1);
  });
});
