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
  /** Most exchanges that may wait for the link. */
  readonly queueLimit?: number;
}

const defaultQueueLimit = 1024;
const never = Number.POSITIVE_INFINITY;

/**
 * One physical link with all requests on it in one queue, of which one is under way at a time. A
 * time-out or an answer that does not fit ends a connection, so that nothing late is ever taken for
 * the next answer. A serial line is not closed for that: what is late would arrive all the same,
 * and opening a port resets some adapters. There a unit that let its time pass is not asked what it
 * could answer with something old, until that cannot come any more (`unit-state.ts`).
 *
 * The queue is served in order, but for units that let their time pass: what waits for them goes
 * behind the others.
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
  /** Exchanges that come now are given the link later, by the call that set this. */
  #isPumping = false;
  /** Some in the queue wait for a unit that is left alone until then. */
  #returnUs = never;

  constructor({ transport, clock, scheduler, queueLimit = defaultQueueLimit }: SessionOptions) {
    this.#transport = transport;
    this.#clock = clock;
    this.#queue = new ExchangeQueue(queueLimit);
    this.#task = scheduler.createTask(`modbus ${transport.endpoint}`, (nowUs) => this.#run(nowUs));
    const matcher = new ReplyMatcher(this.#turn, this.#units, this.#probe, this.counters, {
      answered: (response) => this.#takeAnswer(response),
      spoiled: (reply) => this.#spoil(reply),
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

  /** Exchanges that wait for the link. */
  get queueLength(): number {
    return this.#queue.length;
  }

  get isIdle(): boolean {
    return this.#turn.phase === 'none' && this.#queue.length === 0;
  }

  /** Units that were asked, and how they do. */
  units(): readonly UnitReport[] {
    return this.#units.reports(this.#clock.monotonicUs());
  }

  /** Whether a poll should pass over a unit that does not answer, for the sake of the others. */
  isBackingOff(unit: number, nowUs: number): boolean {
    return this.#units.isBackingOff(unit, nowUs);
  }

  /** Puts an exchange at the end of the queue. Refuses by throwing; then the exchange is not ended. */
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
   * Ends an exchange at once with `operation_cancelled`; if it is under way, as a time-out would.
   * False when it had ended before.
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
   * Makes the link and keeps it without any request, until the returned function is called. How the
   * link is now is told in the next turn of the scheduler.
   */
  connect(use: LinkUse): () => void {
    this.#link.keeper.add(use);
    this.#pump(this.#clock.monotonicUs());
    return () => this.#link.keeper.remove(use);
  }

  /** Takes an exchange out that still waits for the link, without telling it. False if it does not. */
  withdraw(exchange: Exchange): boolean {
    if (!this.#queue.take((queued) => queued === exchange)) return false;
    this.counters.counts.failures += 1;
    return true;
  }

  /** Closes the link until the next request. No exchange may be waiting for it. */
  rest(): void {
    this.#link.rest();
    this.#task.cancel();
  }

  /** Ends the session for good: all exchanges fail with `operation_cancelled`. */
  close(): void {
    this.#isClosed = true;
    this.#link.drop();
    this.#failAll(cancelledError('session_closed'));
    this.#task.cancel();
  }

  /** Takes the link from the exchange that has it. */
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

  /** Does what has become possible. */
  #settle(nowUs: number): void {
    if (this.#turn.phase === 'waiting') this.#advance(nowUs);
    this.#pump(nowUs);
  }

  /** Gives the link to exchanges that wait, as long as it is free. */
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

  /** The first that waits, passing over those whose unit is left alone for now. */
  #next(nowUs: number): Exchange | undefined {
    if (this.#returnUs === never) return this.#queue.shift();
    return this.#queue.take((exchange) => {
      const { request, tuning, timeoutMs } = exchange;
      const record = this.#units.of(exchange.unit);
      if (record.admit(request, tuning?.probe ?? true, nowUs) !== 'wait') return true;
      // One that would wait for longer than it is ready to is refused instead.
      return record.untilUs - nowUs > 1000 * timeoutMs;
    });
  }

  /**
   * A deadline that moved away is left to ring for nothing: it moves with every answer, and the
   * task finds out by itself when it runs.
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

  /** Sends the request as soon as the link is open and silent. */
  #advance(nowUs: number): void {
    if (this.#link.isBackingOff(nowUs)) {
      // Failing here and now would let a caller that tries again at once keep the thread for itself.
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

  /** Nothing came in time, or nothing that is an answer. */
  #miss(nowUs: number): void {
    const { record, unit, timeoutMs, badReply, isProbing, queuedMs } = this.#turn;
    record.backOff.missed(nowUs, 1000 * timeoutMs);
    if (!this.#link.recover(nowUs)) this.#expectLate(nowUs, false);
    // The others come first, as this may happen again.
    this.#queue.moveBehind(unit);
    if (badReply !== undefined) this.#fail(this.#turn.spoiledBy(this.endpoint, badReply));
    else if (isProbing) this.#failLate(nowUs);
    else {
      this.counters.counts.timeouts += 1;
      this.#tell(timeoutError(unit, timeoutMs, queuedMs));
    }
  }

  /** What is on the link may be answered later, when it must not be taken for another answer. */
  #expectLate(nowUs: number, isCancelled: boolean): void {
    this.#turn.expectLate(nowUs, isCancelled);
    this.#returnUs = this.#units.nextReturnUs(nowUs);
  }

  /** Fails exchanges whose time-out the attempt has used up; it goes on for the others. */
  #expireConnecting(nowUs: number): void {
    const waitedMs = (nowUs - this.#link.askedUs) / 1000;
    const expired = this.#queue.takeAll(({ timeoutMs }) => timeoutMs <= waitedMs);
    const error =
      this.#queue.length > 0
        ? linkError(this.endpoint, 'connect_timeout')
        : this.#link.giveUp('connect_timeout', nowUs);
    this.#failThese(error, expired);
  }

  /** Fails exchanges that have waited too long for the link. */
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
    this.#tell(exceptionError(unit, response.exception));
  }

  /** The answer is here, but cannot be used. No other is to come, unless some are owed anyway. */
  #spoil(reply: BadReply): void {
    const { record } = this.#turn;
    const nowUs = this.#link.takenUs;
    record.backOff.answered();
    if (!this.#link.recover(nowUs) && !record.isHealthy) this.#expectLate(nowUs, false);
    this.#fail(this.#turn.spoiledBy(this.endpoint, reply));
  }

  /** The unit was not asked, as it may still answer something else. */
  #failLate(nowUs: number): void {
    this.#fail(resynchronisingError(this.#turn.record, nowUs, this.#clock.unixUs()));
  }

  /** The answer is there. What the exchange asks next comes before all other exchanges. */
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
    this.#tell(error);
  }

  #tell(error: BusbarError): void {
    const { exchange } = this.#turn;
    this.#turn.end();
    this.counters.remember(error, this.#clock.unixUs());
    exchange?.failed(error);
  }

  #failAll(error: BusbarError): void {
    this.#failThese(error, this.#queue.takeAll());
  }

  /** Fails the one that has the link, and some that waited for it. Those they bring stay waiting. */
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
