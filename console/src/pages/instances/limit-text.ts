import type { GatewayInstance } from '../../api/client.ts';
import { formatBytes, formatCount } from '../../format/figures.ts';

const withLimit = (
  format: (value: number) => string,
  value: number,
  limit: number | null,
): string => (limit === null ? format(value) : `${format(value)} of ${format(limit)}`);

/** How many instances there are, of how many there can be; that is null until it was told. */
export const countText = (count: number, limit: number | null): string =>
  withLimit(formatCount, count, limit);

type Memory = Pick<GatewayInstance, 'memory_budget_bytes' | 'daemon_memory_budget_bytes'>;

/** What an instance is charged, and what is left for all of them together. */
export const memoryText = (status: Memory, limit: number | null): string => {
  const all = withLimit(formatBytes, status.daemon_memory_budget_bytes, limit);
  return `${formatBytes(status.memory_budget_bytes)}; all instances: ${all}`;
};
