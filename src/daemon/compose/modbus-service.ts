import type { Clock } from '../../base/clock/clock.ts';
import type { BusbarError, ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { PollCounts, PollJob, PollResult } from '../../modbus/client/poll-job.ts';
import { PollService } from '../../modbus/client/poll-service.ts';
import { type TypedItems, textsOf } from '../../modbus/client/typed-items.ts';
import type { WireRecord } from '../../modbus/client/wire-trace.ts';
import { SessionPool, type SessionRecord } from '../../modbus/session/session-pool.ts';
import { itemRecord, itemsMeant, itemsToRead } from './modbus-items.ts';
import { ModbusRequests, type ReadRequest } from './modbus-requests.ts';
import { ModbusScans } from './modbus-scans.ts';
import { ModbusServers, type ReadMap } from './modbus-servers.ts';
import { namedEndpoint, type Target, withCallersEndpoint } from './modbus-target.ts';

interface ModbusServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly mostServers: number;
  /** Reads what a server is to have from a file of the project. */
  readonly readMap: ReadMap;
  /** A server has lost its serial port. */
  readonly onServerLost: (endpoint: string, error: BusbarError | undefined) => void;
  /** It is back, and served again. */
  readonly onServerFound: (endpoint: string) => void;
  readonly onDefect: (thrown: unknown) => void;
}

export interface PollRequest extends Omit<ReadRequest, 'retries'> {
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
  /** The raw bytes, where they were asked for. */
  readonly trace?: readonly WireRecord[];
}

/** A link that nobody uses is kept a little, for whoever asks again and again. */
const keepAliveMs = 5000;
/** What they have counted is shown for longer. */
const remembered = 64;

const errorRecord = (named: Target['named'], thrown: BusbarError): PollRecord['error'] => {
  const { code, message, details } = withCallersEndpoint(named, thrown);
  return { code, message, details };
};

const pollRecord = (
  named: Target['named'],
  { unit, show }: PollRequest,
  meant: TypedItems,
  { missed, coalesced }: PollCounts,
  { sequence, unixUs, items, error, trace }: PollResult,
): PollRecord => {
  return {
    sequence,
    timestamp_us: Math.floor(unixUs),
    ...itemRecord(named, unit, meant),
    values: items && textsOf(meant, items, show),
    registers: items && [...items],
    error: error && errorRecord(named, error),
    missed,
    coalesced,
    ...(trace && { trace }),
  };
};

/** Whole microseconds: rounded alike, no percentile comes out above the maximum. */
const sessionRecord = ({ round_trip, last_error, units: _, ...session }: SessionRecord) => ({
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
  readonly scans: ModbusScans;
  readonly servers: ModbusServers;

  constructor(options: ModbusServiceOptions) {
    const { clock, scheduler, mostServers, onServerLost, onServerFound, onDefect } = options;
    this.#pool = new SessionPool({ clock, scheduler, keepAliveMs, remembered });
    this.#polls = new PollService({ clock, scheduler, pool: this.#pool });
    this.requests = new ModbusRequests(this.#pool, clock);
    this.scans = new ModbusScans(this.#pool, clock);
    this.servers = new ModbusServers({
      clock,
      scheduler,
      capacity: mostServers,
      readMap: options.readMap,
      letGo: (key) => this.#pool.letGo(key),
      onLost: onServerLost,
      onFound: onServerFound,
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
    const { endpoint, named } = await namedEndpoint(request, bench);
    const polling = this.#polls.start({
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
        if (result) report(pollRecord(named, request, meant, job.counts, result));
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
      this.#polls.stop(job);
    }
  }

  status() {
    const sessions = this.#pool.sessions();
    return {
      sessions: sessions.map(sessionRecord),
      units: sessions.flatMap(({ endpoint, units }) =>
        units.map((unit) => ({ endpoint, ...unit })),
      ),
      servers: this.servers.records(),
    };
  }

  async close(): Promise<void> {
    this.#polls.stopAll();
    this.#pool.close();
    await this.servers.close();
  }
}
