import type { GatewayTask, GatewayTiming } from '../../api/client.ts';

/** Timing groups, in the order a value passes them. */
export const timingGroups = [
  ['source_age_at_submit_us', 'Source age', 'Age of the oldest source value at submission'],
  ['tick_to_submit_us', 'Tick to submit', 'From the scheduled tick to submission'],
  ['queue_wait_us', 'Queue wait', 'Time in the link queue'],
  ['protocol_wait_us', 'Protocol wait', 'From request to response'],
  ['completion_wait_us', 'Completion wait', 'From submission to completion'],
] as const satisfies readonly (readonly [keyof GatewayTask, string, string])[];

export interface TimingBar {
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  readonly timing: GatewayTiming;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/**
 * Bars on a logarithmic scale from 1 µs to the largest p99, because microseconds and seconds
 * occur together.
 */
export const timingBars = (task: GatewayTask): readonly TimingBar[] => {
  const groups = timingGroups.map(([name, title, meaning]) => ({
    name,
    title,
    meaning,
    timing: task[name],
  }));
  const max = Math.max(10, ...groups.map(({ timing }) => timing.p99));
  const share = (us: number): number => (100 * Math.log10(1 + us)) / Math.log10(1 + max);
  return groups.map((group) => ({
    ...group,
    p50: share(group.timing.p50),
    p95: share(group.timing.p95),
    p99: share(group.timing.p99),
  }));
};
