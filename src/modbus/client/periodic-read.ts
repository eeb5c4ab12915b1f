import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { nextPeriod, skippedPeriods } from '../../base/schedule/period.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { ReadBits, ReadRegisters } from '../pdu/requests.ts';
import type { Exchange, GoodResponse, WireListener } from '../session/exchange.ts';
import type { ModbusSession } from '../session/modbus-session.ts';
import type { UnitTuning } from '../session/unit-tuning.ts';

interface WaitingPoll {
  ask(): void;
}

const maxReads = 512;

/** Serves the periodic reads of one session in due order, so that none starves. */
class PollRoundRobin {
  readonly #waiting = new Set<WaitingPoll>();
  #taken = 0;
  #isPassing = false;

  request(turn: WaitingPoll): void {
    this.#waiting.add(turn);
    this.#pass();
  }

  leave(turn: WaitingPoll): boolean {
    return this.#waiting.delete(turn);
  }

  end(): void {
    this.#taken -= 1;
    this.#pass();
  }

  /** A read that fails completes immediately and must not re-enter this loop. */
  #pass(): void {
    if (this.#isPassing) return;
    this.#isPassing = true;
    for (const turn of this.#waiting) {
      if (this.#taken >= maxReads) break;
      this.#waiting.delete(turn);
      this.#taken += 1;
      turn.ask();
    }
    this.#isPassing = false;
  }
}

const turnsOfSessions = new WeakMap<ModbusSession, PollRoundRobin>();

const turnsOf = (session: ModbusSession): PollRoundRobin => {
  const known = turnsOfSessions.get(session);
  if (known) return known;
  const turns = new PollRoundRobin();
  turnsOfSessions.set(session, turns);
  return turns;
};

export interface PeriodicReadSettings {
  readonly unit: number;
  readonly request: ReadBits | ReadRegisters;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly tuning?: UnitTuning | undefined;
  readonly wire?: WireListener | undefined;
}

export interface PeriodicReadOwner {
  /** The response is valid only during the call. */
  answered(response: GoodResponse): void;
  failed(error: BusbarError): void;
  /**
   * Periods without a request: the previous request was outstanding, the unit was in back-off,
   * or the thread was late.
   */
  missed(periods: number): void;
}

/** Repeats a read at fixed intervals from now, with one request at a time. */
export class PeriodicRead implements Exchange, WaitingPoll {
  readonly unit: number;
  readonly request: ReadBits | ReadRegisters;
  readonly timeoutMs: number;
  readonly wire: WireListener | undefined;
  readonly tuning: UnitTuning | undefined;
  made = 0;
  readonly #periodUs: number;
  readonly #session: ModbusSession;
  readonly #turns: PollRoundRobin;
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

  get isOutstanding(): boolean {
    return this.#isOutstanding;
  }

  /**
   * Stops reading and reporting. A request on the link completes, because aborting it would
   * close a shared connection.
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

  #isPassedOver(nowUs: number): boolean {
    return this.made > 0 && this.#session.isBackingOff(this.unit, nowUs);
  }

  #make(): void {
    this.made += 1;
    this.#isOutstanding = true;
    this.#turns.request(this);
  }
}
