import type { GatewayInstance } from '../../api/schema.ts';
import {
  type CounterRates,
  type RatedCounter,
  ratedCounters,
} from '../../gateway/counter-rates.ts';

export interface CounterRow {
  readonly name: string;
  readonly title: string;
  readonly total: number;
  /** Growth a second; null where none is known, or where the figure goes up and down. */
  readonly rate: number | null;
  /** Something that should not be. */
  readonly isAlarm: boolean;
}

const alarming: readonly string[] = ['failed', 'unconfirmed', 'late', 'missed', 'poll_missed'];

/** Those that every instance has; the others are shown once they count. */
const always: readonly string[] = ['accepted', 'sent', 'failed', 'coalesced', 'late', 'missed'];

const titles: Readonly<Partial<Record<string, string>>> = {
  fault_conflicts: 'fault conflicts',
  processor_rejected_requests: 'requests refused',
  cancelled_requests: 'requests cancelled',
  poll_coalesced: 'polls replaced',
  poll_missed: 'polls missed',
};

const rowOf = (name: RatedCounter, status: GatewayInstance, rates: CounterRates): CounterRow => ({
  name,
  title: titles[name] ?? name,
  total: status[name],
  rate: status.state === 'running' ? rates.of(name) : null,
  isAlarm: alarming.includes(name) && status[name] > 0,
});

const gauge = (name: string, total: number, title = name): CounterRow => ({
  name,
  title,
  total,
  rate: null,
  isAlarm: false,
});

/** What an instance has done so far, as totals and rates. */
export const counterRows = (
  status: GatewayInstance,
  rates: CounterRates,
): readonly CounterRow[] => [
  ...ratedCounters
    .filter((name) => always.includes(name) || status[name] > 0)
    .map((name) => rowOf(name, status, rates)),
  gauge('pending', status.pending),
  ...(status.queued_requests > 0
    ? [gauge('queued_requests', status.queued_requests, 'requests queued')]
    : []),
  ...Object.entries(status.rejected_frames)
    .filter(([, frames]) => frames > 0)
    .map(([reason, frames]) => ({
      ...gauge(`rejected_${reason}`, frames, `frames rejected, ${reason}`),
      isAlarm: true,
    })),
];
