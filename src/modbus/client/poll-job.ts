import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { nextPeriod, skippedPeriods } from '../../base/schedule/period.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { ReadBits, ReadRegisters } from '../pdu/requests.ts';
import type { Exchange, GoodResponse, WireListener } from '../session/exchange.ts';
import type { SessionLease } from '../session/session-pool.ts';
import type { UnitTuning } from '../session/unit-tuning.ts';
import { itemsOf } from './readings.ts';
import type { WireRecord } from './wire-record.ts';
import { WireTrace } from './wire-trace.ts';

/** What a poll found: items as `ModbusClient.read` gives them, or why there are none. */
export interface PollResult {
  /** Counts the polls of a job from 1 on, with those that were never taken. */
  readonly sequence: number;
  readonly unixUs: number;
  readonly items: Uint16Array | null;
  readonly error: BusbarError | null;
  /** The raw bytes, where they are kept. */
  readonly trace: readonly WireRecord[] | null;
}

export interface PollCounts {
  readonly polls: number;
  readonly results: number;
  readonly errors: number;
  /**
   * Periods that went by without a poll, as the one before was not done, the unit was left alone for
   * the sake of others, or the thread was late.
   */
  readonly missed: number;
  /** Results that a newer one replaced before the client took them. */
  readonly coalesced: number;
}

export interface PollSettings {
  readonly unit: number;
  readonly request: ReadBits | ReadRegisters;
  readonly periodMs: number;
  readonly timeoutMs: number;
  /** Whether the raw bytes of every poll are kept for its result. */
  readonly traces?: boolean | undefined;
  readonly tuning?: UnitTuning | undefined;
  /** Called when there is a result to take and there was none before. */
  readonly onReady: () => void;
}

/** Reads the same items again and again, on a grid of absolute times, one request at a time. */
export class PollJob implements Exchange {
  readonly unit: number;
  readonly request: ReadBits | ReadRegisters;
  readonly timeoutMs: number;
  readonly wire: WireListener | undefined;
  readonly #trace: WireTrace | undefined;
  readonly tuning: UnitTuning | undefined;
  readonly #periodUs: number;
  readonly #onReady: () => void;
  readonly #clock: Clock;
  readonly #task: Task;
  readonly #lease: SessionLease;
  #isOutstanding = false;
  #isStopped = false;
  #latest: PollResult | undefined;
  #polls = 0;
  #results = 0;
  #errors = 0;
  #missed = 0;
  #coalesced = 0;

  constructor(settings: PollSettings, lease: SessionLease, clock: Clock, scheduler: Scheduler) {
    this.unit = settings.unit;
    this.request = settings.request;
    this.timeoutMs = settings.timeoutMs;
    this.#trace = settings.traces ? new WireTrace() : undefined;
    this.wire = this.#trace?.listen;
    this.tuning = settings.tuning;
    this.#periodUs = settings.periodMs * 1000;
    this.#onReady = settings.onReady;
    this.#clock = clock;
    this.#lease = lease;
    const name = `modbus poll ${lease.session.endpoint}`;
    this.#task = scheduler.createTask(name, (nowUs, dueUs) => this.#run(nowUs, dueUs));
    this.#task.scheduleAt(clock.monotonicUs());
  }

  get endpoint(): string {
    return this.#lease.session.endpoint;
  }

  get counts(): PollCounts {
    return {
      polls: this.#polls,
      results: this.#results,
      errors: this.#errors,
      missed: this.#missed,
      coalesced: this.#coalesced,
    };
  }

  /** The newest result, unless it was taken already. */
  take(): PollResult | undefined {
    const result = this.#latest;
    this.#latest = undefined;
    return result;
  }

  /** Ends the job and lets go of its session. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#task.cancel();
    if (this.#isOutstanding) this.#lease.session.cancel(this);
    this.#lease.release();
  }

  answered(response: GoodResponse): undefined {
    this.#results += 1;
    this.#finish(itemsOf(response), null);
  }

  failed(error: BusbarError): void {
    this.#errors += 1;
    this.#finish(null, error);
  }

  #run(nowUs: number, dueUs: number): number {
    this.#missed += skippedPeriods(dueUs, this.#periodUs, nowUs);
    if (this.#isOutstanding || this.#isPassedOver(nowUs)) this.#missed += 1;
    else this.#poll();
    return this.#isStopped ? Number.POSITIVE_INFINITY : nextPeriod(dueUs, this.#periodUs, nowUs);
  }

  /** The first poll is always made: its caller has just come, and would hear nothing for long. */
  #isPassedOver(nowUs: number): boolean {
    return this.#polls > 0 && this.#lease.session.isBackingOff(this.unit, nowUs);
  }

  #poll(): void {
    this.#polls += 1;
    this.#isOutstanding = true;
    try {
      this.#lease.session.submit(this);
    } catch (error) {
      this.failed(BusbarError.from(error));
    }
  }

  #finish(items: Uint16Array | null, error: BusbarError | null): void {
    this.#isOutstanding = false;
    if (this.#isStopped) return;
    const wasTaken = this.#latest === undefined;
    if (!wasTaken) this.#coalesced += 1;
    const trace = this.#trace?.take() ?? null;
    this.#latest = { sequence: this.#polls, unixUs: this.#clock.unixUs(), items, error, trace };
    if (wasTaken) this.#onReady();
  }
}
