import type { Clock } from '../../base/clock/clock.ts';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { requireUnit } from '../framing/unit-ids.ts';
import type { DataTable } from '../pdu/data-tables.ts';
import { readRequest } from '../pdu/make-request.ts';
import type { ModbusSession } from '../session/modbus-session.ts';
import type { SessionPool } from '../session/session-pool.ts';
import { tuningOf } from '../session/unit-tuning.ts';
import type { Endpoint } from '../transport/endpoint.ts';
import { defaultPeriodMs, defaultTimeoutMs } from './client-defaults.ts';
import {
  PeriodicRead,
  type PeriodicReadOwner,
  type PeriodicReadSettings,
} from './periodic-read.ts';
import { PollJob } from './poll-job.ts';

export interface PollOptions {
  readonly endpoint: Endpoint;
  readonly unit: number;
  readonly table: DataTable;
  readonly address: number;
  readonly count: number;
  readonly periodMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly traces?: boolean | undefined;
  readonly onReady: () => void;
}

export interface PollServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly pool: SessionPool;
}

const requirePositive = (field: string, value: number): number => {
  if (Number.isFinite(value) && value > 0) return value;
  throw invalidArgument(field, `${field} is a positive number`, { reason: 'range' });
};

export class PollService {
  readonly #options: PollServiceOptions;
  readonly #jobs = new Set<PollJob>();
  readonly #reads = new Set<PeriodicRead>();

  constructor(options: PollServiceOptions) {
    this.#options = options;
  }

  get jobs(): readonly PollJob[] {
    return [...this.#jobs];
  }

  /** Starts polling. Rejects an invalid request before it acquires a session. */
  async start({
    endpoint,
    unit,
    table,
    address,
    count,
    ...options
  }: PollOptions): Promise<PollJob> {
    const { clock, scheduler, pool } = this.#options;
    const request = readRequest(table, address, count);
    requireUnit(endpoint.kind, unit);
    const periodMs = requirePositive('period_ms', options.periodMs ?? defaultPeriodMs);
    const timeoutMs = requirePositive('timeout_ms', options.timeoutMs ?? defaultTimeoutMs);
    const lease = await pool.acquire(endpoint);
    const { onReady, traces } = options;
    const tuning = tuningOf(endpoint, unit);
    const settings = { unit, request, periodMs, timeoutMs, tuning, traces, onReady };
    const job = new PollJob(settings, lease, clock, scheduler);
    this.#jobs.add(job);
    return job;
  }

  startRead(
    session: ModbusSession,
    settings: PeriodicReadSettings,
    owner: PeriodicReadOwner,
  ): PeriodicRead {
    const { clock, scheduler } = this.#options;
    const read = new PeriodicRead(settings, session, owner, clock, scheduler);
    this.#reads.add(read);
    return read;
  }

  endRead(read: PeriodicRead): void {
    read.cancel();
    this.#reads.delete(read);
  }

  stop(job: PollJob): void {
    job.stop();
    this.#jobs.delete(job);
  }

  stopAll(): void {
    for (const job of this.#jobs) this.stop(job);
    for (const read of this.#reads) this.endRead(read);
  }
}
