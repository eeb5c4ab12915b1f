import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModbusResourceRow } from '../project/tables/modbus-resources.ts';
import { type PollRead, pollReads } from './poll-reads.ts';

const polled = (fields: Partial<ModbusResourceRow>): ModbusResourceRow => ({
  id: `${fields.table ?? 'holding'}.${fields.address}`,
  endpoint: 'plc',
  table: 'holding',
  address: 0,
  access: 'poll',
  ...fields,
});

/** A read as one line: function, first address, count, period, and its resources. */
const lineOf = ({ request, pollMs, fills }: PollRead): string => {
  const { function: code, address, count } = request;
  return `${code} ${address}+${count} ${pollMs} ms: ${fills.map(({ resource, at }) => `${resource.id}@${at}`).join(' ')}`;
};

const linesOf = (...rows: readonly Partial<ModbusResourceRow>[]): string[] =>
  pollReads(rows.map(polled)).map(lineOf);

const registers = (address: number, count: number): Partial<ModbusResourceRow> => ({
  address,
  count,
});

describe('the reads of polled resources', () => {
  it('reads touching resources at once, in the order of their addresses', () => {
    expect(linesOf(registers(12, 4), registers(10, 2), registers(16, 1))).toEqual([
      '3 10+7 1000 ms: holding.10@0 holding.12@2 holding.16@6',
    ]);
  });

  it('never reads over a gap', () => {
    expect(linesOf(registers(0, 2), registers(3, 1))).toEqual([
      '3 0+2 1000 ms: holding.0@0',
      '3 3+1 1000 ms: holding.3@0',
    ]);
  });

  it.each([
    ['coil', 1],
    ['discrete', 2],
    ['holding', 3],
    ['input', 4],
  ] as const)('reads a %s with function %i', (table, code) => {
    expect(linesOf({ table, address: 65_535 })).toEqual([
      `${code} 65535+1 1000 ms: ${table}.65535@0`,
    ]);
  });

  it('keeps tables, periods and endpoints apart', () => {
    const reads = pollReads([
      polled({ address: 0 }),
      polled({ address: 1, poll_ms: 50 }),
      polled({ address: 2, table: 'input' }),
      polled({ address: 3, endpoint: 'meter' }),
      polled({ address: 1, id: 'second', poll_ms: 1000 }),
    ]);
    expect(reads.map((read) => `${read.endpoint} ${lineOf(read)}`)).toEqual([
      'plc 3 0+2 1000 ms: holding.0@0 second@1',
      'plc 3 1+1 50 ms: holding.1@0',
      'plc 4 2+1 1000 ms: input.2@0',
      'meter 3 3+1 1000 ms: holding.3@0',
    ]);
  });

  it('reads a word once for all of its bits, and for values that overlap', () => {
    expect(
      linesOf(
        { id: 'bit0', address: 4, bit_offset: 0 },
        { id: 'bit9', address: 4, bit_offset: 9 },
        { id: 'all', address: 3, count: 4 },
        { id: 'behind', address: 7, count: 1 },
      ),
    ).toEqual(['3 3+5 1000 ms: all@0 bit0@1 bit9@1 behind@4']);
  });

  it('reads 125 registers at most, and no value in two parts', () => {
    const rows = Array.from({ length: 40 }, (_, index) => registers(4 * index, 4));
    const reads = pollReads(rows.map(polled));
    expect(reads.map(({ request }) => [request.address, request.count])).toEqual([
      [0, 124],
      [124, 36],
    ]);
    expect(linesOf(registers(0, 125), registers(125, 1))).toHaveLength(2);
  });

  it('reads 2000 bits at most', () => {
    const rows = Array.from(
      { length: 2001 },
      (_, address) => ({ address, table: 'coil' }) as const,
    );
    const reads = pollReads(rows.map(polled));
    expect(reads.map(({ request }) => [request.address, request.count])).toEqual([
      [0, 2000],
      [2000, 1],
    ]);
  });

  it('passes over what is written or served', () => {
    expect(linesOf({ access: 'write' }, { access: 'serve' }, { access: 'external' })).toEqual([]);
  });

  it('fills every resource by one read, and reads nothing that is in none', () => {
    const resource = fc.record({
      table: fc.constantFrom('coil' as const, 'holding' as const, 'input' as const),
      address: fc.oneof(fc.nat(400), fc.integer({ min: 65_000, max: 65_400 })),
      count: fc.constantFrom(1, 2, 4, 32, 125),
      poll_ms: fc.constantFrom(100, 1000),
    });
    fc.assert(
      fc.property(fc.array(resource, { maxLength: 60 }), (fields) => {
        const rows = fields.map((row, index) =>
          polled({ ...row, id: `r${index}`, count: row.table === 'coil' ? 1 : row.count }),
        );
        const reads = pollReads(rows);
        const filled = reads.flatMap(({ fills }) => fills.map(({ resource: { id } }) => id));
        expect(filled.sort()).toEqual(rows.map(({ id }) => id).sort());
        for (const { request, fills, pollMs } of reads) {
          const items = new Set<number>();
          for (const { resource: row, at } of fills) {
            const { address, count = 1, table, poll_ms } = row;
            expect(address).toBe(request.address + at);
            expect([table, poll_ms]).toEqual([fills[0]?.resource.table, pollMs]);
            for (let item = 0; item < count; item++) items.add(at + item);
          }
          expect(items.size).toBe(request.count);
          expect(Math.max(...items)).toBe(request.count - 1);
          expect(request.count).toBeLessThanOrEqual(request.function === 1 ? 2000 : 125);
        }
      }),
      { seed: 63, numRuns: 300 },
    );
  });
});
