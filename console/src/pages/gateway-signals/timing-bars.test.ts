import { describe, expect, it } from 'vitest';
import type { GatewayTask } from '../../api/client.ts';
import { timingBars, timingGroups } from './timing-bars.ts';

const none = { count: 0, max: 0, window: 0, p50: 0, p95: 0, p99: 0 };
const task = (part: object): GatewayTask =>
  ({ ...Object.fromEntries(timingGroups.map(([name]) => [name, none])), ...part }) as never;

describe('timingBars', () => {
  it('share a scale that ends at the largest p99', () => {
    const slow = { ...none, p50: 9, p95: 99, p99: 999 };
    const bars = timingBars(task({ queue_wait_us: slow, tick_to_submit_us: { ...none, p99: 9 } }));
    const bar = bars.find(({ name }) => name === 'queue_wait_us');
    expect([bar?.p50, bar?.p95, bar?.p99].map((share) => Math.round(share ?? 0))).toEqual([
      33, 67, 100,
    ]);
    const quick = bars.find(({ name }) => name === 'tick_to_submit_us');
    expect(Math.round(quick?.p99 ?? 0)).toBe(33);
  });

  it('have no length where nothing was measured', () => {
    for (const { p50, p99 } of timingBars(task({}))) expect([p50, p99]).toEqual([0, 0]);
  });

  it('tell all five groups', () => {
    expect(timingBars(task({}))).toHaveLength(5);
  });
});
