import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { PollCounts, PollJob, PollResult } from '../client/poll-job.ts';
import type { PollService } from '../client/poll-service.ts';
import { type TypedItems, textsOf } from '../client/typed-items.ts';
import type { TargetRecord } from './item-record.ts';
import type { ReadRequest } from './modbus-requests.ts';
import { namedEndpoint, withCallersEndpoint } from './named-endpoint.ts';
import { itemRecord, itemsToRead, requestedItems } from './named-items.ts';
import type { ModbusPoll } from './poll-record.ts';

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
