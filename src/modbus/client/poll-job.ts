import type { Clock } from '../../base/clock/clock.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { GoodResponse } from '../session/exchange.ts';
import type { SessionLease } from '../session/session-pool.ts';
import {
  PeriodicRead,
  type PeriodicReadOwner,
  type PeriodicReadSettings,
} from './periodic-read.ts';
import { itemsOf } from './readings.ts';
import type { WireRecord } from './wire-record.ts';
import { WireTrace } from './wire-trace.ts';

export interface PollResult {
  /** Counts polls from 1, including results that were never taken. */
  readonly sequence: number;
  readonly unixUs: number;
  readonly items: Uint16Array | null;
  readonly error: BusbarError | null;
  readonly trace: readonly WireRecord[] | null;
}

export interface PollCounts {
  readonly polls: number;
  readonly results: number;
  readonly errors: number;
  readonly missed: number;
  /** Results replaced by a newer one before the client took them. */
  readonly coalesced: number;
}

export interface PollSettings extends Omit<PeriodicReadSettings, 'wire'> {
  readonly traces?: boolean | undefined;
  readonly onReady: () => void;
}

/** Repeats a read and stores the newest result until it is taken. */
export class PollJob implements PeriodicReadOwner {
  readonly #trace: WireTrace | undefined;
  readonly #onReady: () => void;
  readonly #clock: Clock;
  readonly #lease: SessionLease;
  readonly #read: PeriodicRead;
  #isStopped = false;
  #latest: PollResult | undefined;
  #results = 0;
  #errors = 0;
  #missed = 0;
  #coalesced = 0;

  constructor(
    { traces, onReady, ...settings }: PollSettings,
    lease: SessionLease,
    clock: Clock,
    scheduler: Scheduler,
  ) {
    this.#trace = traces ? new WireTrace() : undefined;
    this.#onReady = onReady;
    this.#clock = clock;
    this.#lease = lease;
    const read = { ...settings, wire: this.#trace?.listen };
    this.#read = new PeriodicRead(read, lease.session, this, clock, scheduler);
  }

  get endpoint(): string {
    return this.#lease.session.endpoint;
  }

  get counts(): PollCounts {
    return {
      polls: this.#read.made,
      results: this.#results,
      errors: this.#errors,
      missed: this.#missed,
      coalesced: this.#coalesced,
    };
  }

  take(): PollResult | undefined {
    const result = this.#latest;
    this.#latest = undefined;
    return result;
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#read.cancel();
    this.#lease.release();
  }

  answered(response: GoodResponse): void {
    this.#results += 1;
    this.#finish(itemsOf(response), null);
  }

  failed(error: BusbarError): void {
    this.#errors += 1;
    this.#finish(null, error);
  }

  missed(periods: number): void {
    this.#missed += periods;
  }

  #finish(items: Uint16Array | null, error: BusbarError | null): void {
    const wasTaken = this.#latest === undefined;
    if (!wasTaken) this.#coalesced += 1;
    const trace = this.#trace?.take() ?? null;
    const { made: sequence } = this.#read;
    this.#latest = { sequence, unixUs: this.#clock.unixUs(), items, error, trace };
    if (wasTaken) this.#onReady();
  }
}
