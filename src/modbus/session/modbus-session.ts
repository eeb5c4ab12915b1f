import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { FramingProblem, FramingProblemKind } from '../framing/framing.ts';
import { decodeResponse } from '../pdu/decode-response.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { Exchange, GoodResponse } from './exchange.ts';
import { ExchangeQueue } from './exchange-queue.ts';
import type { Line } from './line.ts';
import { SessionCounters } from './session-counters.ts';
import { cancelledError, exceptionError, protocolError, timeoutError } from './session-errors.ts';
import { type LinkState, SessionLink } from './session-link.ts';
import { isBroadcast, requireUnit } from './units.ts';

export interface SessionOptions {
  readonly line: Line;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Most exchanges that may wait for the line. */
  readonly queueLimit?: number;
}

const QUEUE_LIMIT = 1024;
/** What units need to carry out a broadcast, from the serial line guide 2.4.1. */
const TURNAROUND_US = 100_000;
const never = Number.POSITIVE_INFINITY;

/**
 * What the exchange that has the line is about: to be sent, to be answered, to be carried out by
 * all units, or being told its answer.
 */
type Phase = 'none' | 'waiting' | 'awaiting' | 'turnaround' | 'ending';

/**
 * One physical link with all requests on it in one queue, of which one is under way at a time. A
 * time-out or an answer that does not fit ends a connection, so that nothing late is ever taken for
 * the next answer. A serial line is not closed for that: what is late would arrive all the same,
 * and opening a port resets some adapters. There the line has to be silent for a while instead.
 */
export class ModbusSession {
  readonly counters = new SessionCounters();
  /** Called when nothing waits or is under way any more. */
  onIdle: (() => void) | undefined;
  readonly #line: Line;
  readonly #clock: Clock;
  readonly #task: Task;
  readonly #queue: ExchangeQueue;
  readonly #link: SessionLink;
  #isClosed = false;
  /** Whoever comes now is given the line later, by whom this was set. */
  #isPumping = false;

  #phase: Phase = 'none';
  /** Who waits for the request on the line; nobody if it was given up. */
  #exchange: Exchange | undefined;
  #request: ModbusRequest | undefined;
  #unit = 0;
  #timeoutMs = 0;
  #deadlineUs = never;
  #sentUs = 0;
  #problem: FramingProblemKind | undefined;

  constructor({ line, clock, scheduler, queueLimit = QUEUE_LIMIT }: SessionOptions) {
    this.#line = line;
    this.#clock = clock;
    this.#queue = new ExchangeQueue(queueLimit);
    this.#task = scheduler.createTask(`modbus ${line.endpoint}`, (nowUs) => this.#run(nowUs));
    this.#link = new SessionLink(line, clock, this.counters, {
      opened: (nowUs) => this.#settle(nowUs),
      frame: (transaction, unit, bytes, at, length) =>
        this.#takeFrame(transaction, unit, bytes, at, length),
      problem: (problem) => this.#takeProblem(problem),
      taken: (nowUs) => this.#settle(nowUs),
      lost: (error, nowUs) => {
        if (this.#isUnderWay()) this.#fail(error);
        this.#settle(nowUs);
      },
      refused: (error, nowUs) => {
        this.#failAll(error);
        this.#settle(nowUs);
      },
    });
  }

  get endpoint(): string {
    return this.#line.endpoint;
  }

  get kind(): Line['kind'] {
    return this.#line.kind;
  }

  get state(): LinkState {
    return this.#link.state;
  }

  /** Exchanges that wait for the line. */
  get queueLength(): number {
    return this.#queue.length;
  }

  get isIdle(): boolean {
    return this.#phase === 'none' && this.#queue.length === 0;
  }

  /** Puts an exchange at the end of the queue. Refuses by throwing; then the exchange is not ended. */
  submit(exchange: Exchange): void {
    if (this.#isClosed) throw cancelledError('session_closed');
    requireUnit(this.#line.kind, exchange.unit, exchange.request);
    if (this.#queue.isFull) {
      throw new BusbarError('capacity_exceeded', {
        message: `${this.#queue.limit} requests wait for ${this.endpoint} already`,
        details: { endpoint: this.endpoint, limit: this.#queue.limit },
      });
    }
    this.counters.requests += 1;
    this.#queue.push(exchange);
    this.#pump();
  }

  /**
   * Ends an exchange at once with `operation_cancelled`. If it is under way, the line stays busy
   * until its answer has come or is overdue. False when it had ended before.
   */
  cancel(exchange: Exchange): boolean {
    if (this.#exchange === exchange) {
      this.#exchange = undefined;
      if (this.#phase === 'waiting') {
        this.counters.failures += 1;
        this.#release();
      }
    } else if (this.#queue.remove(exchange)) this.counters.failures += 1;
    else return false;
    exchange.failed(cancelledError('caller'));
    this.#pump();
    return true;
  }

  /** Ends the session for good: all exchanges fail with `operation_cancelled`. */
  close(): void {
    this.#isClosed = true;
    this.#link.drop();
    this.#failAll(cancelledError('session_closed'));
    this.#task.cancel();
  }

  #run(nowUs: number): undefined {
    this.#link.idle(nowUs);
    if (nowUs >= this.#deadlineUs) this.#expire(nowUs);
    this.#settle(nowUs);
  }

  /** Does what has become possible. */
  #settle(nowUs: number): void {
    if (this.#phase === 'waiting') this.#advance(nowUs);
    this.#pump();
  }

  /** Gives the line to those who wait for it, as long as it can be had. */
  #pump(): void {
    if (this.#isPumping || this.#link.isTaking || this.#isClosed) return;
    this.#isPumping = true;
    while (this.#phase === 'none') {
      const exchange = this.#queue.shift();
      if (exchange === undefined) break;
      this.#begin(exchange, exchange.request, this.#clock.monotonicUs());
    }
    this.#isPumping = false;
    this.#arm();
    if (this.#phase === 'none') this.onIdle?.();
  }

  /**
   * A deadline that moved away is left to ring for nothing: it moves with every answer, and the
   * task finds out by itself when it runs.
   */
  #arm(): void {
    const linkUs = this.#link.nextDeadlineUs(this.#phase === 'waiting');
    const nextUs = Math.min(this.#deadlineUs, linkUs);
    if (nextUs < this.#task.dueUs) this.#task.scheduleAt(nextUs);
  }

  #begin(exchange: Exchange, request: ModbusRequest, nowUs: number): void {
    this.#exchange = exchange;
    this.#request = request;
    this.#unit = exchange.unit;
    this.#timeoutMs = exchange.timeoutMs;
    this.#problem = undefined;
    this.#phase = 'waiting';
    this.#deadlineUs = nowUs + exchange.timeoutMs * 1000;
    this.#advance(nowUs);
  }

  /** Sends the request as soon as there is a link and the line is silent. */
  #advance(nowUs: number): void {
    if (this.#link.isBackingOff(nowUs)) {
      // Failing here and now would let a caller that tries again at once keep the thread for itself.
      this.#deadlineUs = nowUs;
    } else if (this.#link.isReady(nowUs)) this.#transmit(nowUs);
  }

  #transmit(nowUs: number): void {
    this.#sentUs = nowUs;
    this.#phase = 'awaiting';
    if (isBroadcast(this.#line.kind, this.#unit)) {
      this.#phase = 'turnaround';
      this.#deadlineUs = nowUs + TURNAROUND_US;
    }
    this.#link.send(this.#unit, this.#request as ModbusRequest);
  }

  #expire(nowUs: number): void {
    if (this.#phase === 'turnaround') {
      this.counters.broadcasts += 1;
      this.#end({ kind: 'written' }, nowUs);
    } else if (this.#phase === 'awaiting') {
      this.#link.recover(nowUs);
      this.#timeOut();
    } else if (this.#phase === 'waiting') {
      const { state } = this.#link;
      if (state === 'open') this.#timeOut();
      else if (state === 'connecting') this.#failAll(this.#link.giveUp('connect_timeout', nowUs));
      else this.#failAll(this.#link.refusal(nowUs));
    }
  }

  #timeOut(): void {
    const error = timeoutError(this.#unit, this.#timeoutMs, this.#problem);
    this.counters.timeouts += 1;
    this.#tell(error);
  }

  #takeFrame(
    transaction: number,
    unit: number,
    bytes: Uint8Array,
    at: number,
    length: number,
  ): void {
    const { carriesTransactions } = this.#link;
    if (this.#phase !== 'awaiting') {
      this.counters.protocolErrors += 1;
      // What nobody asked for may be followed by more of its kind.
      if (carriesTransactions) this.#link.drop();
      return;
    }
    if (carriesTransactions && transaction !== this.#link.transaction) {
      this.#breach('transaction', `transaction ${transaction} was not asked for`);
      return;
    }
    if (unit !== this.#unit) {
      if (carriesTransactions) this.#breach('unit', `unit ${unit} was not asked`);
      // Late, and from somebody else: the answer may still come.
      else this.counters.protocolErrors += 1;
      return;
    }
    const response = decodeResponse(this.#request as ModbusRequest, bytes, at, length);
    if (response.kind === 'flawed') {
      this.#breach(response.flaw, response.message);
      return;
    }
    const nowUs = this.#link.takenUs;
    this.counters.roundTrip.record(nowUs - this.#sentUs);
    if (response.kind === 'exception') {
      this.counters.exceptions += 1;
      this.#tell(exceptionError(unit, response.exception));
    } else {
      this.counters.responses += 1;
      this.#end(response, nowUs);
    }
  }

  #takeProblem({ kind, fatal }: FramingProblem): void {
    this.#problem = kind;
    if (fatal && this.#phase === 'awaiting') {
      this.#breach(kind, kind.replaceAll('_', ' '));
      return;
    }
    this.counters.protocolErrors += 1;
    if (fatal) this.#link.drop();
  }

  /** The answer is none: nothing that follows it is trusted. */
  #breach(flaw: string, message: string): void {
    this.counters.protocolErrors += 1;
    this.#link.recover(this.#link.takenUs);
    this.#fail(protocolError(this.endpoint, this.#unit, flaw, message));
  }

  /** The answer is there. What the exchange asks next comes before everybody else. */
  #end(response: GoodResponse, nowUs: number): void {
    const exchange = this.#exchange;
    this.#release();
    this.#phase = 'ending';
    let next: ModbusRequest | undefined;
    try {
      next = exchange?.answered(response);
    } finally {
      this.#phase = 'none';
    }
    if (exchange === undefined || next === undefined) return;
    this.counters.requests += 1;
    if (!this.#isClosed) {
      this.#begin(exchange, next, nowUs);
      return;
    }
    this.counters.failures += 1;
    exchange.failed(cancelledError('session_closed'));
  }

  #fail(error: BusbarError): void {
    this.counters.failures += 1;
    this.#tell(error);
  }

  #tell(error: BusbarError): void {
    const exchange = this.#exchange;
    this.#release();
    this.counters.remember(error, this.#clock.unixUs());
    exchange?.failed(error);
  }

  #release(): void {
    this.#phase = 'none';
    this.#exchange = undefined;
    this.#request = undefined;
    this.#deadlineUs = never;
  }

  /** Fails all there are. Those who come meanwhile are not among them, however fast they return. */
  #failAll(error: BusbarError): void {
    const wasPumping = this.#isPumping;
    this.#isPumping = true;
    const waiting = this.#queue.length;
    if (this.#phase === 'waiting' || this.#isUnderWay()) this.#fail(error);
    for (let left = waiting; left > 0; left -= 1) {
      const exchange = this.#queue.shift();
      if (exchange === undefined) break;
      this.counters.failures += 1;
      exchange.failed(error);
    }
    this.#isPumping = wasPumping;
  }

  #isUnderWay(): boolean {
    return this.#phase === 'awaiting' || this.#phase === 'turnaround';
  }
}
