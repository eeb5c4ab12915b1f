import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../base/testing/long.ts';
import { dataTables, tableRows } from '../../pdu/data-tables.ts';
import { DataModel } from '../data-model.ts';
import type { MappedRange } from '../register-map.ts';
import { mergedMap } from './merged-map.ts';

const sameTurn = async (): Promise<void> => undefined;

const arbitraryRange = fc
  .record({
    table: fc.constantFrom(...dataTables),
    address: fc.integer({ min: 0, max: 40 }),
    count: fc.integer({ min: 1, max: 9 }),
    isWritable: fc.boolean(),
  })
  .map(({ table, address, count, isWritable }): MappedRange => {
    const writable = isWritable && tableRows[table].isWritable;
    return { table, address: address === 40 ? 65_536 - count : address, count, writable };
  });

describe('a merged map', () => {
  it('has what touches and can be written alike as one range', async () => {
    const merged = await mergedMap(
      [
        { table: 'holding', address: 12, count: 2, writable: true },
        { table: 'holding', address: 10, count: 2, writable: true },
        { table: 'holding', address: 14, count: 1, writable: false },
        { table: 'holding', address: 16, count: 1, writable: false },
        { table: 'input', address: 65_535, count: 1 },
      ],
      sameTurn,
    );
    expect(merged).toEqual([
      { table: 'input', address: 65_535, count: 1, writable: false },
      { table: 'holding', address: 10, count: 4, writable: true },
      { table: 'holding', address: 14, count: 1, writable: false },
      { table: 'holding', address: 16, count: 1, writable: false },
    ]);
  });

  it('can be read and written where the map can', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryRange, { maxLength: 12 }), async (map) => {
        const plain = new DataModel(map).access;
        const merged = new DataModel(await mergedMap(map, sameTurn)).access;
        for (const table of dataTables) {
          for (const address of [...Array(60).keys(), 65_530, 65_535]) {
            for (const side of ['readable', 'writable'] as const) {
              const count = 1;
              expect(merged[table][side].covers(address, count)).toBe(
                plain[table][side].covers(address, count),
              );
            }
          }
        }
      }),
      { numRuns: cases(20, 50) },
    );
  });

  it('is made in several turns where it is large', async () => {
    let turns = 0;
    const map = Array.from({ length: 30_000 }, (_, index) => ({
      table: 'holding' as const,
      address: 2 * index,
      count: 1,
    }));
    const merged = await mergedMap(map, async () => {
      turns += 1;
    });
    expect(merged).toHaveLength(30_000);
    expect(turns).toBeGreaterThan(20);
  });
});
