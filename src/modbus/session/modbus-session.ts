import type { Clock } from '../../base/clock/clock.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import { requireUnit } from '../framing/unit-ids.ts';
import { isOfGateway } from '../pdu/exception-codes.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { ExceptionResponse } from '../pdu/responses.ts';
import type { Exchange, GoodResponse } from './exchange.ts';
import { ExchangeQueue } from './exchange-queue.ts';
import type { LinkUse } from './link-keeper.ts';
import { ReplyMatcher } from './reply-matcher.ts';
import { SessionCounters } from './session-counters.ts';
import {
  type BadReply,
  cancelledError,
  exceptionError,
  linkError,
  queuedTooLongError,
  queueFullError,
  resynchronisingError,
  timeoutError,
} from './session-errors.ts';
import { SessionLink } from './session-link.ts';
import type { LinkState, UnitReport } from './session-record.ts';
import { SessionUnits } from './session-units.ts';
import type { Transport } from './transport.ts';
import { Turn } from './turn.ts';
import { UnitProbe } from './unit-probe.ts';

export interface SessionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly queueLimit?: number;
}

const defaultQueueLimit = 1024;
const never = Number.POSITIVE_INFINITY;

/**
 * One physical link with one request queue and one outstanding request. A timeout or an invalid
 * response closes a connection, so that no late response is matched to the next request. A serial
 * line stays open: late bytes would arrive anyway, and opening a port resets some adapters. There a
 * late unit gets no request that an old response could match (`unit-state.ts`). The queue is served
 * in order, except that exchanges with late units move to its end.
 */
export class ModbusSession {
  readonly counters = new SessionCounters();
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #task: Task;
  readonly #queue: ExchangeQueue;
  readonly #units = new SessionUnits();
  readonly #probe = new UnitProbe();
  readonly #turn = new Turn();
  readonly #link: SessionLink;
  #isClosed = false;
  /** Set while `#pump` runs. Nested submits leave the link to it. */
  #isPumping = false;
  #returnUs = never;

  constructor({ transport, clock, scheduler, queueLimit = defaultQueueLimit }: SessionOptions) {
    this.#transport = transport;
    this.#clock = clock;
    this.#queue = new ExchangeQueue(queueLimit);
    this.#task = scheduler.createTask(`modbus ${transport.endpoint}`, (nowUs) => this.#run(nowUs));
    const matcher = new ReplyMatcher(this.#turn, this.#units, this.#probe, this.counters, {
      answered: (response) => this.#takeAnswer(response),
      corrupted: (reply) => this.#spoil(reply),
      confused: () => this.#link.drop(),
    });
    this.#link = new SessionLink(transport, clock, this.counters, matcher, {
      opened: (nowUs) => this.#settle(nowUs),
      bytes: (direction, bytes) =>
        this.#turn.exchange?.wire?.(direction, bytes, this.#clock.unixUs()),
      taken: (nowUs) => this.#settle(nowUs),
      lost: (error, nowUs) => {
        if (this.#turn.phase === 'awaiting') {
          if (!this.#link.carriesTransactions) this.#expectLate(nowUs, true);
          this.#fail(error);
        }
        this.#settle(nowUs);
      },
      refused: (error, nowUs) => {
        this.#failAll(error);
        this.#settle(nowUs);
      },
    });
    matcher.attach(this.#link);
  }

  get endpoint(): string {
    return this.#transport.endpoint;
  }

  get kind(): Transport['kind'] {
    return this.#transport.kind;
  }

  get state(): LinkState {
    return this.#link.state;
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  get isIdle(): boolean {
    return this.#turn.phase === 'none' && this.#queue.length === 0;
  }

  units(): readonly UnitReport[] {
    return this.#units.reports(this.#clock.monotonicUs());
  }

  isBackingOff(unit: number, nowUs: number): boolean {
    return this.#units.isBackingOff(unit, nowUs);
  }

  /** Queues an exchange. If it throws, neither callback of the exchange is called. */
  submit(exchange: Exchange): void {
    if (this.#isClosed) throw cancelledError('session_closed');
    requireUnit(this.#transport.kind, exchange.unit);
    if (this.#queue.isFull) throw queueFullError(this.endpoint, this.#queue.limit);
    this.counters.counts.requests += 1;
    const nowUs = this.#clock.monotonicUs();
    this.#queue.push(exchange, nowUs);
    this.#pump(nowUs);
  }

  /**
   * Fails an exchange with `operation_cancelled`; on the link, it is handled like a timeout.
   * Returns false if it had completed.
   */
  cancel(exchange: Exchange): boolean {
    const nowUs = this.#clock.monotonicUs();
    if (this.#turn.exchange === exchange) this.#abandon(nowUs);
    else if (!this.withdraw(exchange)) return false;
    exchange.failed(cancelledError('caller'));
    this.#pump(nowUs);
    return true;
  }

  /**
   * Opens the link and keeps it until the returned function is called. The link state is
   * reported in the scheduler's next turn.
   */
  connect(use: LinkUse): () => void {
    this.#link.keeper.add(use);
    this.#pump(this.#clock.monotonicUs());
    return () => this.#link.keeper.remove(use);
  }

  /** Removes a queued exchange without a callback. Returns false if it is not queued. */
  withdraw(exchange: Exchange): boolean {
    if (!this.#queue.take((queued) => queued === exchange)) return false;
    this.counters.counts.failures += 1;
    return true;
  }

  /** Closes the link until the next request. The queue must be empty. */
  rest(): void {
    this.#link.rest();
    this.#task.cancel();
  }

  close(): void {
    this.#isClosed = true;
    this.#link.drop();
    this.#failAll(cancelledError('session_closed'));
    this.#task.cancel();
  }

  #abandon(nowUs: number): void {
    this.counters.counts.failures += 1;
    if (this.#turn.phase === 'awaiting') {
      if (!this.#link.recover(nowUs)) this.#expectLate(nowUs, true);
    } else if (this.#queue.length === 0 && !this.#link.keeper.isNeeded) this.#link.stopConnecting();
    this.#turn.end();
  }

  #run(nowUs: number): undefined {
    this.#link.idle(nowUs);
    if (nowUs >= this.#turn.deadlineUs) this.#expire(nowUs);
    if (nowUs >= this.#queue.expiryUs) this.#expireQueued(nowUs);
    if (nowUs >= this.#returnUs) this.#returnUs = this.#units.nextReturnUs(nowUs);
    this.#link.keeper.run(this.#turn.phase === 'waiting', nowUs);
    this.#settle(nowUs);
  }

  #settle(nowUs: number): void {
    if (this.#turn.phase === 'waiting') this.#advance(nowUs);
    this.#pump(nowUs);
  }

  #pump(nowUs: number): void {
    if (this.#isPumping || this.#link.isTaking || this.#isClosed) return;
    this.#isPumping = true;
    while (this.#turn.phase === 'none') {
      const exchange = this.#next(nowUs);
      if (exchange === undefined) break;
      this.#turn.isStarted = false;
      this.#begin(exchange, exchange.request, this.#queue.takenSinceUs, nowUs);
    }
    this.#isPumping = false;
    this.#arm();
  }

  #next(nowUs: number): Exchange | undefined {
    if (this.#returnUs === never) return this.#queue.shift();
    return this.#queue.take((exchange) => {
      const { request, tuning, timeoutMs } = exchange;
      const record = this.#units.of(exchange.unit);
      if (record.admit(request, tuning?.probe ?? true, nowUs) !== 'wait') return true;
      // Refuses an exchange that would wait longer than its timeout.
      return record.untilUs - nowUs > 1000 * timeoutMs;
    });
  }

  /**
   * The deadline moves later with every response. The task is not rescheduled; it checks the
   * deadline when it runs.
   */
  #arm(): void {
    const isWaiting = this.#turn.phase === 'waiting';
    const linkUs = this.#link.nextDeadlineUs(isWaiting);
    const { keeper } = this.#link;
    const keeperUs = keeper.isNeeded ? keeper.nextDeadlineUs(isWaiting, this.#clock) : never;
    const queueUs = this.#queue.length > 0 ? Math.min(this.#queue.expiryUs, this.#returnUs) : never;
    const nextUs = Math.min(this.#turn.deadlineUs, linkUs, keeperUs, queueUs);
    if (nextUs < this.#task.dueUs) this.#task.scheduleAt(nextUs);
  }

  #begin(exchange: Exchange, request: ModbusRequest, sinceUs: number, nowUs: number): void {
    const fromUs = this.#link.state === 'connecting' ? this.#link.askedUs : nowUs;
    this.#turn.begin(exchange, request, this.#units.of(exchange.unit), sinceUs, fromUs);
    this.#advance(nowUs);
  }

  #advance(nowUs: number): void {
    if (this.#link.isBackingOff(nowUs)) {
      // Failing here would let a caller that retries immediately block the thread.
      this.#turn.deadlineUs = nowUs;
    } else if (this.#link.isReady(nowUs)) this.#transmit(nowUs);
  }

  #transmit(nowUs: number): void {
    const turn = this.#turn;
    const admission = turn.prepare(nowUs);
    if (admission === 'wait') return;
    if (admission === 'probe') this.#link.sendPdu(turn.unit, this.#probe.next());
    else this.#link.send(turn.unit, turn.request as ModbusRequest);
  }

  #expire(nowUs: number): void {
    if (this.#turn.phase === 'awaiting') {
      this.#link.settle(nowUs);
      if (this.#turn.phase === 'awaiting') this.#miss(nowUs);
    } else if (this.#turn.phase === 'waiting') {
      const { state } = this.#link;
      if (this.#turn.isHeld) this.#failLate(nowUs);
      else if (state === 'open') this.#fail(linkError(this.endpoint, 'line_busy'));
      else if (state === 'connecting') this.#expireConnecting(nowUs);
      else this.#failAll(this.#link.refusal(nowUs));
    }
  }

  #miss(nowUs: number): void {
    const { record, unit, timeoutMs, badReply, isProbing, queuedMs } = this.#turn;
    record.backOff.missed(nowUs, 1000 * timeoutMs);
    if (!this.#link.recover(nowUs)) this.#expectLate(nowUs, false);
    // Other units first, because this may happen again.
    this.#queue.moveBehind(unit);
    if (badReply !== undefined) this.#fail(this.#turn.corruptedBy(this.endpoint, badReply));
    else if (isProbing) this.#failLate(nowUs);
    else {
      this.counters.counts.timeouts += 1;
      this.#report(timeoutError(unit, timeoutMs, queuedMs));
    }
  }

  /** A late response to this request must not match another one. */
  #expectLate(nowUs: number, isCancelled: boolean): void {
    this.#turn.expectLate(nowUs, isCancelled);
    this.#returnUs = this.#units.nextReturnUs(nowUs);
  }

  #expireConnecting(nowUs: number): void {
    const waitedMs = (nowUs - this.#link.askedUs) / 1000;
    const expired = this.#queue.takeAll(({ timeoutMs }) => timeoutMs <= waitedMs);
    const error =
      this.#queue.length > 0
        ? linkError(this.endpoint, 'connect_timeout')
        : this.#link.abandon('connect_timeout', nowUs);
    this.#failThese(error, expired);
  }

  #expireQueued(nowUs: number): void {
    for (const [exchange, sinceUs] of this.#queue.takeExpired(nowUs)) {
      const queuedMs = Math.round((nowUs - sinceUs) / 1000);
      this.counters.counts.failures += 1;
      exchange.failed(queuedTooLongError(this.endpoint, exchange.unit, queuedMs));
    }
  }

  #takeAnswer(response: GoodResponse | ExceptionResponse): void {
    const { record, unit, timeoutMs, sentUs } = this.#turn;
    const nowUs = this.#link.takenUs;
    this.counters.roundTrip.record(nowUs - sentUs);
    if (response.kind !== 'exception') {
      record.backOff.answered();
      this.counters.counts.responses += 1;
      this.#end(response, nowUs);
      return;
    }
    this.counters.counts.exceptions += 1;
    if (isOfGateway(response.exception)) {
      record.backOff.missed(nowUs, 1000 * timeoutMs);
      this.#queue.moveBehind(unit);
    } else record.backOff.answered();
    this.#report(exceptionError(unit, response.exception));
  }

  /** The response arrived, but is unusable. No other is expected unless late responses are due. */
  #spoil(reply: BadReply): void {
    const { record } = this.#turn;
    const nowUs = this.#link.takenUs;
    record.backOff.answered();
    if (!this.#link.recover(nowUs) && !record.isHealthy) this.#expectLate(nowUs, false);
    this.#fail(this.#turn.corruptedBy(this.endpoint, reply));
  }

  /** No request was sent to the unit, because it may still respond to an earlier one. */
  #failLate(nowUs: number): void {
    this.#fail(resynchronisingError(this.#turn.record, nowUs, this.#clock.unixUs()));
  }

  /** The response arrived. The exchange's next request precedes all others. */
  #end(response: GoodResponse, nowUs: number): void {
    const { exchange } = this.#turn;
    this.#turn.end();
    this.#turn.phase = 'ending';
    let next: ModbusRequest | undefined;
    try {
      next = exchange?.answered(response);
    } finally {
      this.#turn.phase = 'none';
    }
    if (exchange === undefined || next === undefined) return;
    this.counters.counts.requests += 1;
    if (!this.#isClosed) this.#begin(exchange, next, nowUs, nowUs);
    else this.#failThese(cancelledError('session_closed'), [exchange]);
  }

  #fail(error: BusbarError): void {
    this.counters.counts.failures += 1;
    this.#report(error);
  }

  #report(error: BusbarError): void {
    const { exchange } = this.#turn;
    this.#turn.end();
    this.counters.remember(error, this.#clock.unixUs());
    exchange?.failed(error);
  }

  #failAll(error: BusbarError): void {
    this.#failThese(error, this.#queue.takeAll());
  }

  /** Fails the current exchange and some queued ones. Those submitted meanwhile stay queued. */
  #failThese(error: BusbarError, waiting: readonly Exchange[]): void {
    const wasPumping = this.#isPumping;
    this.#isPumping = true;
    if (this.#turn.phase === 'waiting' || this.#turn.phase === 'awaiting') this.#fail(error);
    for (const exchange of waiting) {
      this.counters.counts.failures += 1;
      exchange.failed(error);
    }
    this.#isPumping = wasPumping;
  }
}
