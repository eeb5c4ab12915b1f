import { describe, expect, it } from 'vitest';
import { container, file, fileHeader, message, object } from './blf/testing/blf-bytes.ts';
import { openTrace } from './open-trace.ts';
import { MemorySource } from './testing/memory-bytes.ts';
import { TraceBatch } from './trace-batch.ts';
import type { TraceStats } from './trace-format.ts';

const asc = [
  'date Thu Jan 1 12:00:00.000 am 2026',
  'base hex  timestamps absolute',
  '   0.100000 1  123             Rx   d 1 01',
  '',
].join('\n');
const candump = '(1767225600.000100) can0 123#01\n';
const blf = file(container(message(1)));

/** Position after each call of a reader, in bytes of the file. */
const stepsOf = (bytes: Uint8Array) => {
  const reader = openTrace(new MemorySource(bytes));
  const batch = new TraceBatch(64);
  const steps: number[] = [];
  let events = 0;
  let hasMore = true;
  while (hasMore) {
    const before = reader.position;
    hasMore = reader.read(batch);
    events += batch.count;
    steps.push(reader.position - before);
  }
  return { steps, events, account: reader.account };
};

const megabytes = 1024 * 1024;

describe('a file in which events are few', () => {
  const junk = (line: string): string => line.repeat(Math.ceil((2 * megabytes) / line.length));

  it.each([
    [
      'ASC, lines that are unusable',
      asc,
      junk('   0.2 1  zzz  Rx d 1 01\n'),
      asc.slice(asc.indexOf('   ')),
    ],
    ['ASC, remarks', asc, junk('// nothing\n'), asc.slice(asc.indexOf('   '))],
    ['ASC, blank lines', asc, junk('\n'), asc.slice(asc.indexOf('   '))],
    ['ASC, a line without an end', asc, junk('x'), `\n${asc.slice(asc.indexOf('   '))}`],
    [
      'ASC, remarks before all events',
      asc.slice(0, asc.indexOf('   ')),
      junk('// nothing\n'),
      asc.slice(asc.indexOf('   ')).repeat(2),
    ],
    ['candump, lines that are unusable', candump, junk('(1767225600.0001) can0 123#01\n'), candump],
    ['candump, remarks', candump, junk('# nothing\n'), candump],
    ['candump, blank lines', candump, junk('\n'), candump],
    ['candump, a line without an end', candump, junk('x'), `\n${candump}`],
  ])('is read in short steps: %s', (_name, head, middle, tail) => {
    const { steps, events } = stepsOf(Buffer.from(`${head}${middle}${tail}`));
    expect(events).toBe(2);
    expect(steps.length).toBeGreaterThan(3);
    expect(Math.max(...steps)).toBeLessThan(megabytes);
  });

  it('is read in short steps: BLF, objects that are no events', () => {
    const markers = Buffer.concat(Array(100_000).fill(object(96, Buffer.alloc(40))));
    const inside = stepsOf(file(container(markers), container(message(1))));
    const outside = stepsOf(file(markers, message(1)));
    for (const { steps, events, account } of [inside, outside]) {
      expect(events).toBe(1);
      expect(account.skipped.marker).toBe(100_000);
      expect(steps.length).toBeGreaterThan(2);
    }
  });

  it('is read in short steps: BLF, something else between its objects', () => {
    const noise = Buffer.alloc(40 * megabytes, 'noise');
    const { steps, events, account } = stepsOf(file(message(1), noise, message(2)));
    expect([events, account.malformed]).toEqual([2, 1]);
    expect(Math.max(...steps)).toBeLessThan(20 * megabytes);
  });
});

describe('a file that ends in NUL bytes', () => {
  const accountOf = (bytes: Uint8Array): TraceStats => stepsOf(bytes).account;
  const nul = (count: number): Buffer => Buffer.alloc(count);
  const whole = { events: 1, malformed: 0, truncated: false };

  it.each([
    ['ASC', Buffer.from(asc)],
    ['candump', Buffer.from(candump)],
    ['BLF', blf],
    ['BLF without containers', file(message(1))],
  ])('is truncated, and keeps what it has: %s', (_name, bytes) => {
    expect(accountOf(bytes)).toMatchObject(whole);
    for (const count of [16, 4096, 300_000, 2_000_000]) {
      expect(accountOf(Buffer.concat([bytes, nul(count)]))).toMatchObject({
        ...whole,
        truncated: true,
      });
    }
  });

  it('is truncated where they began inside a line', () => {
    for (const text of [`${asc}   0.2000`, `${candump}(1767225600.0002`]) {
      expect(accountOf(Buffer.concat([Buffer.from(text), nul(5000)]))).toMatchObject({
        ...whole,
        truncated: true,
      });
    }
  });

  it('is not so where something follows them, which is a flaw of BLF', () => {
    for (const count of [12, 100, 300_000]) {
      const account = accountOf(Buffer.concat([file(message(1)), nul(count), message(2)]));
      const at = fileHeader().length + message(1).length;
      expect(account).toMatchObject({
        events: 2,
        malformed: 1,
        truncated: false,
        errors: [{ at }],
      });
    }
    expect(accountOf(Buffer.concat([file(message(1)), nul(8), message(2)]))).toMatchObject({
      events: 2,
      malformed: 0,
      truncated: false,
    });
  });
});
