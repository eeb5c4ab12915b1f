import { describe, expect, it } from 'vitest';
import { betterView, firstView, lookOf, rowsOf, streamPath } from './register-view.ts';

const items = (registers: readonly (number | null)[], values: readonly (string | null)[]) => ({
  table: 'holding' as const,
  address: 10,
  registers,
  values,
});

describe('lookOf', () => {
  it('asks for the registers that are looked at', () => {
    expect(lookOf('tcp:127.0.0.1:502', { ...firstView, address: '0x10', unit: '3' })).toBe(
      'endpoint=tcp%3A127.0.0.1%3A502&table=holding&address=16&count=32&show=decimal&unit=3&type=u16&order=ABCD',
    );
  });

  it('asks for no type of bits, and for no order of a bool', () => {
    expect(lookOf('a:1', { ...firstView, table: 'coil' })).not.toMatch(/type|order/);
    expect(lookOf('a:1', { ...firstView, type: 'bool' })).not.toContain('order');
  });

  it('leaves registers out while no server is chosen, or a field makes no sense', () => {
    expect(streamPath(lookOf(null, firstView))).toBe('/api/v1/modbus/stream');
    for (const count of ['many', '', '0', '2001']) {
      expect(lookOf('a:1', { ...firstView, count })).toBeNull();
    }
  });
});

describe('rowsOf', () => {
  it('has the registers of each value, and what the unit does not have', () => {
    const rows = rowsOf(items([1, 0x86a0, 7, null], ['100000', null]));
    expect(rows.map((row) => [row.address, row.reference, row.registers, row.value])).toEqual([
      [10, '40011', '0001 86A0', '100000'],
      [12, '40013', '0007 ----', null],
    ]);
  });

  it('marks what is another than before, but not what other items were', () => {
    const before = items([1, 2], ['1', '2']);
    const now = items([1, 3], ['1', '3']);
    const changes = (earlier: typeof before | null) =>
      rowsOf(now, earlier).map(({ hasChanged }) => hasChanged);
    expect(changes(before)).toEqual([false, true]);
    expect(changes({ ...before, address: 11 })).toEqual([false, false]);
    expect(changes(null)).toEqual([false, false]);
  });
});

describe('betterView', () => {
  const reported = {
    network: null,
    endpoint: '',
    unit: 1,
    reference: '',
    type: 'u16',
    order: 'ABCD',
    ...items([null, null], [null, null]),
    ranges: [
      { table: 'coil', address: 0, count: 50 },
      { table: 'input', address: 7, count: 2 },
      { table: 'holding', address: 3, count: 1 },
    ],
    range_total: 3,
  } as const;

  it('is where the unit has most, if not all that is in sight is there', () => {
    expect(betterView(firstView, reported)).toMatchObject({
      table: 'input',
      address: '7',
      count: '2',
    });
    expect(betterView(firstView, { ...reported, registers: [2, 1] })).toBeNull();
    expect(betterView(firstView, { ...reported, ranges: [] })).toBeNull();
  });
});
