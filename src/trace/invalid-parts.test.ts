import { describe, expect, it } from 'vitest';
import { readAsc } from './asc/asc-reader.ts';
import { readBlf } from './blf/read-blf.ts';
import { file as blfFile, container, messages } from './blf/testing/blf-bytes.ts';
import { readCandump } from './candump/candump-reader.ts';
import { readMf4 } from './mf4/read-mf4.ts';
import {
  addData,
  addDataGroups,
  addList,
  HandmadeMf4,
  zippedBlock,
} from './mf4/testing/handmade-mf4.ts';
import { plainBytes, plainGroup, plainRecord } from './mf4/testing/plain-frames.ts';
import { MemorySource } from './testing/memory-bytes.ts';
import { TraceBatch } from './trace-batch.ts';
import type { OpenTrace } from './trace-format.ts';

/** Events of a file, and the numbers of events before its gaps. */
const gapsIn = (open: OpenTrace, bytes: Uint8Array, capacity: number) => {
  const reader = open(new MemorySource(bytes));
  const batch = new TraceBatch(capacity);
  const after: number[] = [];
  let events = 0;
  for (let hasMore = true; hasMore; events += batch.count) {
    hasMore = reader.read(batch);
    expect(batch.gaps.every(({ missed }) => missed === null)).toBe(true);
    after.push(...batch.gaps.map(({ row }) => events + row));
  }
  return { events, after: [...new Set(after)], malformed: reader.account.malformed };
};

const ascLines = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => ` ${from + at}.000000 1 123 Rx d 1 00`);

const ascFile = (...lines: readonly string[]): Buffer =>
  Buffer.from(
    ['date Mon Jan 1 00:00:00.000 2024', 'base hex timestamps absolute', ...lines, ''].join('\n'),
  );

const candumpLines = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `(${from + at}.000000) can0 123#00`);

const brokenContainer = (): Buffer => {
  const broken = container(messages(30));
  broken.fill(0xff, 40, 50);
  return broken;
};

/** Frames of one group every second; the other one ends with a block that cannot be inflated. */
const mf4File = (): Buffer => {
  const file = new HandmadeMf4();
  const records = (from: number, to: number): Buffer =>
    Buffer.concat(
      Array.from({ length: to - from }, (_, at) => plainRecord({ seconds: from + at })),
    );
  const broken = zippedBlock(records(50, 100), plainBytes);
  broken.fill(0xff, broken.length - 40);
  const good = file.put(zippedBlock(records(0, 50), plainBytes));
  const data = addList(file, [good, file.put(broken)]);
  addDataGroups(file, [
    { groups: [plainGroup(100)], data },
    { groups: [plainGroup(100)], data: addData(file, records(0, 100)) },
  ]);
  return file.bytes();
};

describe('Invalid parts of a trace', () => {
  it.each<[string, OpenTrace, Uint8Array, { events: number; after: number[] }]>([
    [
      'a torn line of an ASC file',
      readAsc,
      ascFile(...ascLines(0, 70), ' 70.0', 'not a line', ...ascLines(70, 100)),
      { events: 100, after: [70] },
    ],
    [
      'lines before and after all events of an ASC file',
      readAsc,
      ascFile('not a line', ...ascLines(0, 9), ' 9.000000 1 123 Rx d 1'),
      { events: 9, after: [0, 9] },
    ],
    [
      'two lines of a candump log',
      readCandump,
      Buffer.from(
        [
          ...candumpLines(0, 10),
          '(10.000000) can0 123#Q',
          ...candumpLines(10, 90),
          '(90.000000) can0',
          ...candumpLines(90, 100),
          '',
        ].join('\n'),
      ),
      { events: 100, after: [10, 90] },
    ],
    [
      'a line before all events of a candump log',
      readCandump,
      Buffer.from(['(0.000000) can0 123#Q', ...candumpLines(0, 5), ''].join('\n')),
      { events: 5, after: [0] },
    ],
    [
      'a container of a BLF file',
      readBlf,
      blfFile(container(messages(70)), brokenContainer(), container(messages(30))),
      { events: 100, after: [70] },
    ],
    [
      'bytes between objects of a BLF file',
      readBlf,
      blfFile(
        container(Buffer.concat([messages(40), Buffer.alloc(64, 0xaa), messages(10)])),
        container(messages(50)),
      ),
      { events: 100, after: [40] },
    ],
    [
      'the end of a container of a BLF file that claims more',
      readBlf,
      blfFile(container(messages(40), { claimed: 100_000 }), container(messages(60))),
      { events: 100, after: [40] },
    ],
    [
      'the last container of a BLF file',
      readBlf,
      blfFile(container(messages(70)), brokenContainer()),
      { events: 70, after: [70] },
    ],
    [
      'a block of one group of an MF4 file',
      readMf4,
      mf4File(),
      // 50 seconds with two frames each; then one group has frames.
      { events: 150, after: [99] },
    ],
  ])('are gaps where they are: %s', (_, open, bytes, expected) => {
    const { malformed } = gapsIn(open, bytes, 4096);
    expect(malformed).toBeGreaterThan(0);
    for (const capacity of [8, 16, 64]) {
      expect(gapsIn(open, bytes, capacity), `batches of ${capacity}`).toEqual({
        ...expected,
        malformed,
      });
    }
  });
});
