import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { IdPredicate } from '../../frame/id-filter.ts';
import type { PortReporter } from '../port-reporter.ts';
import type { CanCalls } from './can-calls.ts';

export interface CanPortParts {
  readonly calls: CanCalls;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly reporter: PortReporter;
  readonly filters: readonly IdPredicate[];
  readonly receiveBuffer: number;
  readonly onDown: () => void;
}

export interface PortInterface {
  readonly name: string;
  readonly index: number;
  readonly fd: boolean;
  readonly kernelFilters: Uint32Array | undefined;
}

const maxFilterHit = 255;

/** Number of the matching filter, from 1; 0 without filters, -1 if no filter matches. */
export const filterHit = (filters: readonly IdPredicate[], id: number, flags: number): number => {
  if (filters.length === 0) return 0;
  for (let i = 0; i < filters.length; i++) {
    if (filters[i]?.(id, flags)) return Math.min(i + 1, maxFilterHit);
  }
  return -1;
};
