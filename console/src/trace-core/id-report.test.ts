import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canFrameBits, fdDataBits, fdNominalBits } from '../../../src/frame/can-bits.ts';
import { busCode, eventKindCode } from '../../../src/frame/frm2-layout.ts';
import { seenBefore } from './bit-changes.ts';
import { ByIdTable } from './by-id-table.ts';
import { changesReport, statisticsReport } from './id-report.ts';
import { aChunk, brs, error, fd } from './testing/records.ts';

type Fields = Parameters<typeof aChunk>[number];

const take = (table: ByIdTable, frames: readonly Fields[]): void => {
  const chunk = aChunk(...frames);
  for (let row = 0; row < chunk.count; row++) table.take(chunk, row);
};

const tableOf = (...frames: Fields[]): ByIdTable => {
  const table = new ByIdTable(8);
  take(table, frames);
  return table;
};

const statisticsOf = (table: ByIdTable) => statisticsReport(table, table.sorted);
const changesOf = (table: ByIdTable, selected: number | null = null) =>
  changesReport(table, table.sorted, selected);

const aByte = fc.integer({ min: 0, max: 255 });
const aPayload = fc.array(aByte, { maxLength: 10 });
const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex');

/** Changes of each bit of one identifier, counted from the list of its payloads. */
const slowChanges = (payloads: readonly (readonly number[])[]): number[] => {
  const bit = (bytes: readonly number[], at: number): number | undefined => {
    const byte = bytes[at >> 3];
    return byte === undefined ? undefined : (byte >> (at & 7)) & 1;
  };
  const last = payloads.at(-1) ?? [];
  return Array.from({ length: 8 * last.length }, (_, at) => {
    const values = payloads.map((bytes) => bit(bytes, at));
    return values.filter((value, i) => {
      const before = i === 0 ? undefined : values[i - 1];
      return value !== undefined && before !== undefined && value !== before;
    }).length;
  });
};

describe('statistics by ID', () => {
  it('agree with the whole list of frames', () => {
    const frames = fc.array(
      fc.record({
        id: fc.integer({ min: 1, max: 3 }),
        gapUs: fc.integer({ min: 0, max: 50_000 }),
        data: fc.array(aByte, { maxLength: 8 }),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(frames, (given) => {
        let us = 0;
        const all = given.map(({ id, gapUs, data }) => {
          us += gapUs;
          return { id, timestampUs: us, data: hex(data) };
        });
        const { ids, total, traffic, observedUs } = statisticsOf(tableOf(...all));
        expect(total).toBe(new Set(all.map(({ id }) => id)).size);
        expect(observedUs).toBe(us - (all[0]?.timestampUs ?? 0));
        for (const each of ids) {
          const own = all.filter(({ id }) => id === each.id);
          const cycles = own
            .slice(1)
            .map((frame, i) => frame.timestampUs - (own[i]?.timestampUs ?? 0));
          expect(each.count).toBe(own.length);
          expect(each.changes).toBe(
            own.filter(({ data }, i) => i > 0 && data !== own[i - 1]?.data).length,
          );
          expect(each.lengths).toEqual(
            [...new Set(own.map(({ data }) => data.length / 2))].sort((a, b) => a - b),
          );
          expect(each.nominalBits).toBe(
            own.reduce((sum, { id, data }) => {
              const bytes = Buffer.from(data, 'hex');
              return sum + canFrameBits(0, id, bytes.length, bytes, 0);
            }, 0),
          );
          if (cycles.length === 0) expect(each.cycle).toBeNull();
          else {
            expect(each.cycle).toMatchObject({
              minUs: Math.min(...cycles),
              maxUs: Math.max(...cycles),
            });
            expect(each.cycle?.meanUs).toBeCloseTo(
              cycles.reduce((sum, cycle) => sum + cycle, 0) / cycles.length,
              6,
            );
          }
        }
        expect(traffic.get(0)?.nominalBits).toBe(
          ids.reduce((sum, { nominalBits }) => sum + nominalBits, 0),
        );
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  it('keep the bits at the data bit rate apart, and count error frames and LIN', () => {
    const data = '01'.repeat(12);
    const { ids } = statisticsOf(
      tableOf(
        { id: 1, flags: fd | brs, dlc: 9, data },
        { id: 2, flags: error },
        { id: 0x11, bus: busCode.lin, channel: 1, data: '0102' },
      ),
    );
    const bytes = Buffer.from(data, 'hex');
    expect(ids.map(({ nominalBits, dataBits }) => [nominalBits, dataBits])).toEqual([
      [fdNominalBits(fd | brs, 1), fdDataBits(fd | brs, 9, bytes, 0)],
      [20, 0],
      [34 + 30, 0],
    ]);
    expect(ids[0]?.lengths).toEqual([12]);
  });

  it('keep both directions apart', () => {
    const { ids } = statisticsOf(
      tableOf({ id: 1, data: '00' }, { id: 1, kind: eventKindCode.tx_complete, data: '01' }),
    );
    expect(ids.map(({ count, changes }) => [count, changes])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });
});

describe('changes by ID', () => {
  it('agree with the whole list of payloads, before and after the mark', () => {
    fc.assert(
      fc.property(
        fc.array(aPayload, { minLength: 1, maxLength: 40 }),
        fc.array(aPayload, { minLength: 1, maxLength: 40 }),
        (before, since) => {
          const table = tableOf(...before.map((data) => ({ data: hex(data), flags: fd })));
          table.mark();
          take(
            table,
            since.map((data) => ({ data: hex(data), flags: fd })),
          );
          const all = slowChanges([...before, ...since]);
          const last = before.at(-1) as number[];
          const expected = slowChanges([last, ...since]);
          const { ids, cells, counts } = changesOf(table, 0);
          if (all.length === 0) {
            expect(ids).toEqual([]);
            return;
          }
          expect([...(counts ?? [])]).toEqual(expected);
          const seen = all.map((count, bit) => count > (expected[bit] as number));
          expect(Array.from(cells, (cell) => (cell & seenBefore) !== 0)).toEqual(seen);
          expect(Array.from(cells, (cell) => (cell & ~seenBefore) > 0)).toEqual(
            expected.map((count) => count > 0),
          );
          expect(ids[0]).toMatchObject({ framesSinceMark: since.length, isNew: false });
        },
      ),
      { seed: 6, numRuns: 200 },
    );
  });

  it('grade bits by changes per frame', () => {
    const frames = Array.from({ length: 200 }, (_, i) => {
      const bits = [i % 2, Math.floor(i / 5) % 2, Math.floor(i / 20) % 2, Number(i > 150)];
      return { data: hex([bits.reduce((sum, bit, at) => sum + (bit << at), 0)]) };
    });
    expect([...changesOf(tableOf(...frames)).cells]).toEqual([4, 3, 2, 1, 0, 0, 0, 0]);
  });

  it('name an ID new that has no frame before the mark', () => {
    const table = tableOf({ id: 1, data: '00' });
    table.mark();
    take(table, [
      { id: 2, data: '00', timestampUs: 7 },
      { id: 1, data: '00' },
    ]);
    expect(changesOf(table).ids.map(({ isNew }) => isNew)).toEqual([false, true]);
    table.unmark();
    expect(changesOf(table)).toMatchObject({ markUs: null, counts: null });
  });

  it('show no error frames and none without data', () => {
    const table = tableOf({ id: 1 }, { id: 2, flags: error, data: '00' }, { id: 3, data: '00' });
    expect(changesOf(table).ids.map(({ id }) => id)).toEqual([3]);
    expect(changesOf(table).total).toBe(3);
  });

  it('stay as they are in a copy, and are forgotten when the table is cleared', () => {
    const table = tableOf({ data: '00', timestampUs: 1 }, { data: '01', timestampUs: 11 });
    const copy = table.copy();
    take(table, [{ data: '00', timestampUs: 31 }]);
    expect([...(changesOf(copy, 0).counts ?? [])].at(0)).toBe(1);
    expect(statisticsOf(copy)).toMatchObject({ observedUs: 10, ids: [{ cycle: { maxUs: 10 } }] });
    expect([...(changesOf(table, 0).counts ?? [])].at(0)).toBe(2);
    table.mark();
    table.clear();
    take(table, [{ data: '01' }]);
    expect(changesOf(table, 1)).toMatchObject({ markUs: null, ids: [{ serial: 1 }] });
    expect(statisticsOf(table).ids[0]).toMatchObject({ changes: 0, cycle: null });
  });
});
