import { describe, expect, it } from 'vitest';
import { ReaderStats } from '../reader-stats.ts';
import { MemorySource } from '../testing/memory-bytes.ts';
import { DataStream } from './data-stream.ts';
import { MemoryBudget } from './memory-budget.ts';
import { Mf4File } from './mf4-file.ts';
import { addData, addList, HandmadeMf4, zippedBlock } from './testing/handmade-mf4.ts';

const limit = 1024 * 1024;
const recordBytes = 24;

const dataOf = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 0xff));

describe('The memory of many streams', () => {
  const data = dataOf(300_000);
  const file = new HandmadeMf4();
  const link = addList(file, [
    file.put(zippedBlock(data.subarray(0, 200_000), recordBytes)),
    addData(file, data.subarray(200_000)),
  ]);
  const bytes = file.bytes();

  const streams = (count: number): DataStream[] => {
    const mf4 = new Mf4File(new MemorySource(bytes));
    const budget = new MemoryBudget(limit);
    budget.share(count);
    return Array.from(
      { length: count },
      () => new DataStream(mf4, new ReaderStats(), budget, link, 'DT', 0),
    );
  };

  const held = (all: readonly DataStream[]): number =>
    all.reduce((sum, { heldBytes }) => sum + heldBytes, 0);

  it('is limited, and every stream has its bytes in turn', () => {
    const all = streams(12);
    for (let at = 0; at + recordBytes <= data.length; at += recordBytes * 97) {
      for (const stream of all) {
        const index = stream.find(at, recordBytes);
        const found = stream.bytes.subarray(index, index + recordBytes);
        expect(data.subarray(at, at + recordBytes).equals(found)).toBe(true);
      }
      expect(held(all)).toBeLessThanOrEqual(limit);
    }
  });

  it('is less for each of more streams', () => {
    const heldBy = (count: number): number => {
      const [first] = streams(count);
      first?.find(0, recordBytes);
      return first?.heldBytes ?? 0;
    };
    expect(heldBy(1)).toBe(200_000);
    expect(heldBy(4)).toBe(limit / 8);
    expect(heldBy(1000)).toBe(64 * 1024);
  });

  it('is given back by the stream that was read longest ago', () => {
    const all = streams(20);
    for (const stream of all) stream.find(0, recordBytes);
    expect(held(all)).toBeLessThanOrEqual(limit);
    expect(all.map(({ heldBytes }) => heldBytes > 0).lastIndexOf(false)).toBeLessThan(10);
    const [first] = all;
    const index = first?.find(48, recordBytes) ?? -1;
    const again = first?.bytes.subarray(index, index + recordBytes);
    expect(data.subarray(48, 72).equals(again ?? Buffer.alloc(0))).toBe(true);
  });
});
