import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { PollJob, PollResult } from '../../modbus/client/poll-job.ts';
import { PollService } from '../../modbus/client/poll-service.ts';
import { SessionPool } from '../../modbus/session/session-pool.ts';
import {
  type ItemsMeant,
  itemCount,
  itemsMeant,
  ModbusRequests,
  type ReadRequest,
  valuesIn,
} from './modbus-requests.ts';
import { ModbusServers } from './modbus-servers.ts';
import { namedEndpoint } from './modbus-target.ts';

interface ModbusServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly mostServers: number;
  readonly onDefect: (thrown: unknown) => void;
}

export interface PollRequest extends ReadRequest {
  readonly period_ms?: number;
}

/** What a poll tells its caller about each result. */
export interface PollRecord {
  readonly sequence: number;
  readonly timestamp_us: number;
  readonly values: readonly string[] | null;
  readonly registers: readonly number[] | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly missed: number;
  readonly coalesced: number;
}

/** A link that nobody uses is kept a little, for whoever asks again and again. */
const keepAliveMs = 5000;
const usualPeriodMs = 1000;

const pollRecord = (meant: ItemsMeant, job: PollJob, result: PollResult): PollRecord => {
  const { sequence, unixUs, items, error } = result;
  const { missed, coalesced } = job.counts;
  return {
    sequence,
    timestamp_us: Math.floor(unixUs),
    values: items && valuesIn(meant, items),
    registers: items && [...items],
    error: error && { code: error.code, message: error.message },
    missed,
    coalesced,
  };
};

/** Modbus as the bench thread has it: one pool of sessions for everybody, and servers. */
export class ModbusService {
  readonly #pool: SessionPool;
  readonly #polls: PollService;
  readonly requests: ModbusRequests;
  readonly servers: ModbusServers;

  constructor({ clock, scheduler, mostServers, onDefect }: ModbusServiceOptions) {
    this.#pool = new SessionPool({ clock, scheduler, keepAliveMs });
    this.#polls = new PollService({ clock, scheduler, pool: this.#pool });
    this.requests = new ModbusRequests(this.#pool);
    this.servers = new ModbusServers({
      clock,
      scheduler,
      capacity: mostServers,
      letGo: (key) => this.#pool.letGo(key),
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
    const endpoint = await namedEndpoint(request, bench);
    const { timeout_ms: timeoutMs } = request;
    const job: PollJob = await this.#polls.start({
      endpoint,
      unit: request.unit,
      ...meant.item,
      count: itemCount(meant, request.count ?? 1),
      periodMs: request.period_ms ?? usualPeriodMs,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
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
      sessions: this.#pool.sessions().map(({ round_trip, last_error, ...session }) => ({
        ...session,
        round_trip_us: {
          count: round_trip.count,
          p50: round_trip.p50Us,
          p99: round_trip.p99Us,
          max: Math.round(round_trip.maxUs),
        },
        last_error: last_error && {
          code: last_error.code,
          message: last_error.message,
          timestamp_us: Math.floor(last_error.unix_us),
        },
      })),
      servers: this.servers.records(),
    };
  }

  async close(): Promise<void> {
    this.#polls.stopAll();
    this.#pool.close();
    await this.servers.close();
  }
}
