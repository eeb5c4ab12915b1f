import type { Clock } from '../../base/clock/clock.ts';
import type { BusbarError, ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { PollJob, PollResult } from '../../modbus/client/poll-job.ts';
import { PollService } from '../../modbus/client/poll-service.ts';
import { type TypedItems, textsOf } from '../../modbus/client/typed-items.ts';
import { SessionPool, type SessionRecord } from '../../modbus/session/session-pool.ts';
import { itemRecord, itemsMeant, itemsToRead } from './modbus-items.ts';
import { ModbusRequests, type ReadRequest } from './modbus-requests.ts';
import { ModbusServers } from './modbus-servers.ts';
import { namedEndpoint } from './modbus-target.ts';

interface ModbusServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly mostServers: number;
  /** A server has lost its serial port. */
  readonly onServerLost: (endpoint: string, error: BusbarError | undefined) => void;
  readonly onDefect: (thrown: unknown) => void;
}

export interface PollRequest extends ReadRequest {
  readonly period_ms?: number;
}

/** What a poll tells its caller about each result. */
export interface PollRecord extends ReturnType<typeof itemRecord> {
  readonly sequence: number;
  readonly timestamp_us: number;
  readonly values: readonly string[] | null;
  readonly registers: readonly number[] | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: ErrorDetails;
  } | null;
  readonly missed: number;
  readonly coalesced: number;
}

/** A link that nobody uses is kept a little, for whoever asks again and again. */
const keepAliveMs = 5000;
/** What they have counted is shown for longer. */
const remembered = 64;

const pollRecord = (meant: TypedItems, job: PollJob, result: PollResult): PollRecord => {
  const { sequence, unixUs, items, error } = result;
  const { missed, coalesced } = job.counts;
  return {
    sequence,
    timestamp_us: Math.floor(unixUs),
    ...itemRecord(job.endpoint, job.unit, meant),
    values: items && textsOf(meant, items),
    registers: items && [...items],
    error: error && { code: error.code, message: error.message, details: error.details },
    missed,
    coalesced,
  };
};

/** Whole microseconds: rounded alike, no percentile comes out above the maximum. */
const sessionRecord = ({ round_trip, last_error, ...session }: SessionRecord) => ({
  ...session,
  round_trip_us: {
    count: round_trip.count,
    p50: Math.round(round_trip.p50Us),
    p99: Math.round(round_trip.p99Us),
    max: Math.round(round_trip.maxUs),
  },
  last_error: last_error && {
    code: last_error.code,
    message: last_error.message,
    timestamp_us: Math.floor(last_error.unix_us),
  },
});

/** Modbus as the bench thread has it: one pool of sessions for everybody, and servers. */
export class ModbusService {
  readonly #pool: SessionPool;
  readonly #polls: PollService;
  readonly requests: ModbusRequests;
  readonly servers: ModbusServers;

  constructor(options: ModbusServiceOptions) {
    const { clock, scheduler, mostServers, onServerLost, onDefect } = options;
    this.#pool = new SessionPool({ clock, scheduler, keepAliveMs, remembered });
    this.#polls = new PollService({ clock, scheduler, pool: this.#pool });
    this.requests = new ModbusRequests(this.#pool);
    this.servers = new ModbusServers({
      clock,
      scheduler,
      capacity: mostServers,
      letGo: (key) => this.#pool.letGo(key),
      onLost: onServerLost,
      onDefect,
    });
  }

  /** Polls and reports every result until the signal ends it. */
  async poll(
    request: PollRequest,
    bench: BenchSource,
    signal: AbortSignal,
    report: (record: PollRecord) => void,
  ): Promise<void> {
    const meant = itemsMeant(request);
    const { table, address } = meant;
    const count = itemsToRead(meant, request, request.count ?? 1);
    const endpoint = await namedEndpoint(request, bench);
    const job: PollJob = await this.#polls.start({
      endpoint,
      unit: request.unit,
      table,
      address,
      count,
      periodMs: request.period_ms,
      timeoutMs: request.timeout_ms,
      onReady: () => {
        const result = job.take();
        if (result) report(pollRecord(meant, job, result));
      },
    });
    try {
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
    } finally {
      this.#polls.stop(job);
    }
  }

  status() {
    return {
      sessions: this.#pool.sessions().map(sessionRecord),
      servers: this.servers.records(),
    };
  }

  async close(): Promise<void> {
    this.#polls.stopAll();
    this.#pool.close();
    await this.servers.close();
  }
}
