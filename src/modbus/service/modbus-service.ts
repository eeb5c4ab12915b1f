import type { Clock } from '../../base/clock/clock.ts';
import type { BusbarError, ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { PollCounts, PollJob, PollResult } from '../client/poll-job.ts';
import { PollService } from '../client/poll-service.ts';
import { type TypedItems, textsOf } from '../client/typed-items.ts';
import { SessionPool } from '../session/session-pool.ts';
import type { TargetRecord } from './item-record.ts';
import { ModbusLinks } from './modbus-links.ts';
import { ModbusRequests, type ReadRequest } from './modbus-requests.ts';
import { ModbusScans } from './modbus-scans.ts';
import { ModbusServers, type ReadMap } from './modbus-servers.ts';
import { namedEndpoint, withCallersEndpoint } from './named-endpoint.ts';
import { itemRecord, itemsToRead, requestedItems } from './named-items.ts';
import type { ModbusPoll } from './poll-record.ts';
import type { ModbusStatus } from './status-record.ts';

export interface PollRequest extends Omit<ReadRequest, 'retries'> {
  readonly period_ms: number;
}

const errorRecord = (named: TargetRecord, thrown: BusbarError): ModbusPoll['error'] => {
  const { code, message, details } = withCallersEndpoint(named, thrown);
  return { code, message, details };
};

const pollRecord = (
  named: TargetRecord,
  { unit, show }: PollRequest,
  typed: TypedItems,
  { missed, coalesced }: PollCounts,
  { sequence, unixUs, items, error, trace }: PollResult,
): ModbusPoll => {
  return {
    sequence,
    timestamp_us: Math.floor(unixUs),
    ...itemRecord(named, unit, typed),
    values: items && textsOf(typed, items, show),
    registers: items && [...items],
    error: error && errorRecord(named, error),
    missed,
    coalesced,
    ...(trace && { trace }),
  };
};

class ModbusPolls {
  readonly #jobs: PollService;

  constructor(jobs: PollService) {
    this.#jobs = jobs;
  }

  async poll(
    request: PollRequest,
    bench: BenchSource,
    signal: AbortSignal,
    report: (record: ModbusPoll) => void,
  ): Promise<void> {
    const typed = requestedItems(request);
    const { table, address } = typed;
    const count = itemsToRead(typed, request, request.count);
    const { endpoint, named } = await namedEndpoint(request, bench);
    const polling = this.#jobs.start({
      endpoint,
      unit: request.unit,
      table,
      address,
      count,
      periodMs: request.period_ms,
      timeoutMs: request.timeout_ms,
      traces: request.trace,
      onReady: () => {
        const result = job.take();
        if (result) report(pollRecord(named, request, typed, job.counts, result));
      },
    });
    const job: PollJob = await polling.catch((thrown: unknown) => {
      throw withCallersEndpoint(named, thrown);
    });
    try {
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
    } finally {
      this.#jobs.stop(job);
    }
  }

  close(): void {
    this.#jobs.stopAll();
  }
}

interface ModbusServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly maxServers: number;
  readonly readMap: ReadMap;
  readonly onServerLost: (endpoint: string, error: ErrorRecord | null) => void;
  readonly onServerFound: (endpoint: string) => void;
  readonly onDefect: (thrown: unknown) => void;
}

/** Idle links stay open this long, for repeated calls. */
const keepAliveMs = 5000;
const remembered = 64;

/** Modbus on the bench thread: servers, and one pool of sessions for all callers. */
export class ModbusService {
  readonly #pool: SessionPool;
  readonly polls: ModbusPolls;
  readonly links: ModbusLinks;
  readonly requests: ModbusRequests;
  readonly scans: ModbusScans;
  readonly servers: ModbusServers;

  constructor(options: ModbusServiceOptions) {
    const { clock, scheduler, maxServers, onServerLost, onServerFound, onDefect } = options;
    this.#pool = new SessionPool({ clock, scheduler, keepAliveMs, remembered });
    const polls = new PollService({ clock, scheduler, pool: this.#pool });
    this.polls = new ModbusPolls(polls);
    this.links = new ModbusLinks(this.#pool, polls);
    this.requests = new ModbusRequests(this.#pool, clock);
    this.scans = new ModbusScans(this.#pool, clock);
    this.servers = new ModbusServers({
      clock,
      scheduler,
      capacity: maxServers,
      readMap: options.readMap,
      closeIdle: (key) => this.#pool.closeIdle(key),
      onLost: (endpoint, error) => onServerLost(endpoint, error?.toRecord() ?? null),
      onFound: onServerFound,
      onDefect,
    });
  }

  status(): ModbusStatus {
    const sessions = this.#pool.sessions();
    return {
      sessions: sessions.map(({ units: _, ...record }) => record),
      units: sessions.flatMap(({ endpoint, units }) =>
        units.map((unit) => ({ endpoint, ...unit })),
      ),
      servers: this.servers.records(),
    };
  }

  async close(): Promise<void> {
    this.polls.close();
    this.#pool.close();
    await this.servers.close();
  }
}
