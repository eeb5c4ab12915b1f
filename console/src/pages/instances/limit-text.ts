import type { GatewayInstance } from '../../api/schema.ts';
import { formatBytes, formatCount } from '../../format/figures.ts';

/** How many instances there are, of how many there can be; that is null until it was told. */
export const countText = (count: number, limit: number | null): string =>
  limit === null ? formatCount(count) : `${formatCount(count)} of ${formatCount(limit)}`;

type Memory = Pick<GatewayInstance, 'memory_budget_bytes' | 'daemon_memory_budget_bytes'>;

/** What an instance is charged, and what is left for all of them together. */
export const memoryText = (status: Memory, limit: number | null): string => {
  const all = formatBytes(status.daemon_memory_budget_bytes);
  const room = limit === null ? all : `${all} of ${formatBytes(limit)}`;
  return `${formatBytes(status.memory_budget_bytes)}; all instances: ${room}`;
};
