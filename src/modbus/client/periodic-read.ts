import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { nextPeriod, skippedPeriods } from '../../base/schedule/period.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { ReadBits, ReadRegisters } from '../pdu/requests.ts';
import type { Exchange, GoodResponse, WireListener } from '../session/exchange.ts';
import type { ModbusSession } from '../session/modbus-session.ts';
import type { UnitTuning } from '../session/unit-tuning.ts';
import { type PollTurn, type PollTurns, turnsOf } from './poll-turns.ts';

export interface PeriodicReadSettings {
  readonly unit: number;
  readonly request: ReadBits | ReadRegisters;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly tuning?: UnitTuning | undefined;
  readonly wire?: WireListener | undefined;
}

/** Told of every period, until the read is stopped. */
export interface PeriodicReadOwner {
  /** The answer is valid during the call only. */
  answered(response: GoodResponse): void;
  failed(error: BusbarError): void;
  /**
   * Periods went by without a request, as the one before was not done, the unit was left alone for
   * the sake of others, or the thread was late.
   */
  missed(periods: number): void;
}

/** Makes the same read again and again, on a grid of absolute times that begins now, one at a time. */
export class PeriodicRead implements Exchange, PollTurn {
  readonly unit: number;
  readonly request: ReadBits | ReadRegisters;
  readonly timeoutMs: number;
  readonly wire: WireListener | undefined;
  readonly tuning: UnitTuning | undefined;
  /** How often it was made. */
  made = 0;
  readonly #periodUs: number;
  readonly #session: ModbusSession;
  readonly #turns: PollTurns;
  readonly #owner: PeriodicReadOwner;
  readonly #task: Task;
  #isOutstanding = false;
  #isStopped = false;

  constructor(
    settings: PeriodicReadSettings,
    session: ModbusSession,
    owner: PeriodicReadOwner,
    clock: Clock,
    scheduler: Scheduler,
  ) {
    this.unit = settings.unit;
    this.request = settings.request;
    this.timeoutMs = settings.timeoutMs;
    this.wire = settings.wire;
    this.tuning = settings.tuning;
    this.#periodUs = settings.periodMs * 1000;
    this.#session = session;
    this.#turns = turnsOf(session);
    this.#owner = owner;
    const name = `modbus poll ${session.endpoint}`;
    this.#task = scheduler.createTask(name, (nowUs, dueUs) => this.#run(nowUs, dueUs));
    this.#task.scheduleAt(clock.monotonicUs());
  }

  /** A request of it waits for the link, or has it. */
  get isOutstanding(): boolean {
    return this.#isOutstanding;
  }

  /**
   * Asks no more, and tells its owner nothing more. What is on the link is left to be answered, as
   * ending it would close the connection that others use.
   */
  stop(): void {
    this.#isStopped = true;
    this.#task.cancel();
    if (!this.#isOutstanding) return;
    const isWaiting = this.#turns.leave(this);
    if (!isWaiting && !this.#session.withdraw(this)) return;
    this.#isOutstanding = false;
    if (!isWaiting) this.#turns.end();
  }

  /** Stops, and does not leave anything on the link either. */
  cancel(): void {
    this.stop();
    if (this.#isOutstanding) this.#session.cancel(this);
  }

  answered(response: GoodResponse): undefined {
    this.#isOutstanding = false;
    try {
      if (!this.#isStopped) this.#owner.answered(response);
    } finally {
      this.#turns.end();
    }
  }

  failed(error: BusbarError): void {
    this.#isOutstanding = false;
    try {
      if (!this.#isStopped) this.#owner.failed(error);
    } finally {
      this.#turns.end();
    }
  }

  /** It is its turn. */
  ask(): void {
    try {
      this.#session.submit(this);
    } catch (error) {
      this.failed(BusbarError.from(error));
    }
  }

  #run(nowUs: number, dueUs: number): number {
    const skipped = skippedPeriods(dueUs, this.#periodUs, nowUs);
    const isMade = !this.#isOutstanding && !this.#isPassedOver(nowUs);
    const missed = isMade ? skipped : skipped + 1;
    if (missed > 0) this.#owner.missed(missed);
    if (isMade) this.#make();
    return this.#isStopped ? Number.POSITIVE_INFINITY : nextPeriod(dueUs, this.#periodUs, nowUs);
  }

  /** The first is always made: its caller has just come, and would hear nothing for long. */
  #isPassedOver(nowUs: number): boolean {
    return this.made > 0 && this.#session.isBackingOff(this.unit, nowUs);
  }

  #make(): void {
    this.made += 1;
    this.#isOutstanding = true;
    this.#turns.request(this);
  }
}
