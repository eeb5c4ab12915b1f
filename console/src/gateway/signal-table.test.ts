import { describe, expect, it } from 'vitest';
import type { GatewaySignal } from '../api/client.ts';
import { SignalTable } from './signal-table.ts';

const entry = (
  id: string,
  value: string | null,
  observed_us: number | null = 5,
): GatewaySignal => ({
  id,
  type: 'float64',
  producer: 'input',
  unit: null,
  value,
  label: null,
  valid: true,
  quality: 'good',
  observed_us,
  error: null,
  binding_total: 0,
  bindings: [],
});

describe('SignalTable', () => {
  it('keeps signals in the order in which they came first', () => {
    const table = new SignalTable();
    table.take([entry('b', '1'), entry('a', '2')], 0);
    table.take([entry('a', '3')], 0);
    expect(table.entries.map(({ id, value }) => `${id}=${value}`)).toEqual(['b=1', 'a=3']);
    expect([table.rowOf('a'), table.rowOf('c'), table.get('c')]).toEqual([1, -1, null]);
  });

  it('tells which rows have changed since a revision', () => {
    const table = new SignalTable();
    table.take([entry('a', '1'), entry('b', '1')], 0);
    const seen = table.revision;
    table.take([entry('b', '2')], 0);
    expect([0, 1].filter((row) => table.revisionAt(row) > seen)).toEqual([1]);
  });

  it('knows when a signal was observed that keeps its value', () => {
    const table = new SignalTable();
    table.take([entry('a', '1', 7), entry('b', null, null)], 0);
    table.takeTimes(0, [9, null, 11]);
    expect([table.observedUsAt(0), table.observedUsAt(1)]).toEqual([9, null]);
  });

  it('grows with its signals, and keeps trends of as many as memory allows', () => {
    const table = new SignalTable();
    const many = Array.from({ length: 5000 }, (_, row) => entry(`s${row}`, String(row), row + 1));
    table.take(many, 1_000_000);
    expect([table.count, table.observedUsAt(4999), table.rowOf('s4999')]).toEqual([
      5000, 5000, 4999,
    ]);
    expect(table.trendAt(3999)?.pointAt(0).high).toBe(3999);
    expect(table.trendAt(4999)).toBeNull();
  });

  it('forgets everything when another instance has taken the name', () => {
    const table = new SignalTable();
    table.take([entry('a', '1')], 0);
    table.clear();
    expect([table.count, table.observedUsAt(0), table.rowOf('a')]).toEqual([0, null, -1]);
  });
});
