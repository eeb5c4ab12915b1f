import { describe, expect, it } from 'vitest';
import type { ModbusUnit } from '../../api/client.ts';
import { ailingGroups, shownUnits, unitsIn, unitsText } from './units.ts';

describe('units to scan', () => {
  it('are each named once, in their order', () => {
    expect(unitsIn('10-12, 3,11 ,1')).toEqual([1, 3, 10, 11, 12]);
    expect(unitsIn('')).toHaveLength(247);
  });

  it.each(['all', '5-2', '256', '1,', '-3', '1-300'])('are left to the service for %s', (text) => {
    expect(unitsIn(text)).toBeNull();
  });

  it.each(['1,3,10-12', '0', '7-8', '1-247'])('are a text again: %s', (text) => {
    expect(unitsText(unitsIn(text) ?? [])).toBe(text);
  });
});

const unit = (endpoint: string, number: number, state: ModbusUnit['state']): ModbusUnit => ({
  endpoint,
  unit: number,
  state,
  misses: 1,
  retry_in_ms: null,
});

describe('units that are not healthy', () => {
  it('are folded by endpoint and state', () => {
    const groups = ailingGroups([
      unit('tcp:a:502', 1, 'healthy'),
      ...[2, 3, 4, 6].map((number) => unit('tcp:a:502', number, 'silent')),
      unit('tcp:a:502', 5, 'late'),
      unit('tcp:b:502', 2, 'silent'),
    ]);
    expect(
      groups.map(({ endpoint, state, units }) => [
        endpoint,
        state,
        shownUnits(units.map((each) => each.unit)),
      ]),
    ).toEqual([
      ['tcp:a:502', 'silent', '2–4, 6'],
      ['tcp:a:502', 'late', '5'],
      ['tcp:b:502', 'silent', '2'],
    ]);
  });
});
