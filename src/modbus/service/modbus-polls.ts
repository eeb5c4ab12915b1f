import type { BusbarError, ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { PollCounts, PollJob, PollResult } from '../client/poll-job.ts';
import type { PollService } from '../client/poll-service.ts';
import { type TypedItems, textsOf } from '../client/typed-items.ts';
import type { WireRecord } from '../client/wire-record.ts';
import type { ReadRequest } from './modbus-requests.ts';
import { namedEndpoint, type Target, withCallersEndpoint } from './named-endpoint.ts';
import { itemRecord, itemsToRead, requestedItems } from './named-items.ts';

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

/** Polls of items as callers name them, over the sessions that single requests use too. */
export class ModbusPolls {
  readonly #jobs: PollService;

  constructor(jobs: PollService) {
    this.#jobs = jobs;
  }

  /** Polls and reports every result until the signal ends it. */
  async poll(
    request: PollRequest,
    bench: BenchSource,
    signal: AbortSignal,
    report: (record: PollRecord) => void,
  ): Promise<void> {
    const meant = requestedItems(request);
    const { table, address } = meant;
    const count = itemsToRead(meant, request, request.count ?? 1);
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
      this.#jobs.stop(job);
    }
  }

  close(): void {
    this.#jobs.stopAll();
  }
}
