import { describe, expect, it } from 'vitest';
import type { GatewaySignal } from '../../api/client.ts';
import { rowsFound } from './signal-search.ts';

const entry = (id: string, part: Partial<GatewaySignal> = {}): GatewaySignal =>
  ({ id, producer: 'input', quality: 'good', bindings: [], ...part }) as never;

const entries = [
  entry('Engine.Speed'),
  entry('Engine.Temp', { quality: 'timeout' }),
  entry('pump', { producer: 'software' }),
  entry('valve', { bindings: [{ id: 'b', raw: '0', valid: false, error: {} }] as never }),
];

describe('rowsFound', () => {
  it('finds signals by words of their ids, in any case and order', () => {
    expect(rowsFound(entries, 'speed ENGINE', 'all')).toEqual([0]);
    expect(rowsFound(entries, ' ', 'all')).toEqual([0, 1, 2, 3]);
    expect(rowsFound(entries, 'none', 'all')).toEqual([]);
  });

  it('finds those that can be set, and those with something wrong about them', () => {
    expect(rowsFound(entries, '', 'settable')).toEqual([2]);
    expect(rowsFound(entries, '', 'not good')).toEqual([1, 3]);
  });
});
