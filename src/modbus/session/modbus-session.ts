import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { FramingProblem, FramingProblemKind } from '../framing/framing.ts';
import { requireUnit } from '../framing/unit-ids.ts';
import { decodeResponse } from '../pdu/decode-response.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { Exchange, GoodResponse } from './exchange.ts';
import { ExchangeQueue } from './exchange-queue.ts';
import { LateUnits } from './late-units.ts';
import type { Line } from './line.ts';
import type { LinkState } from './link-state.ts';
import { SessionCounters } from './session-counters.ts';
import {
  cancelledError,
  exceptionError,
  linkError,
  protocolError,
  timeoutError,
} from './session-errors.ts';
import { SessionLink } from './session-link.ts';

export interface SessionOptions {
  readonly line: Line;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Most exchanges that may wait for the line. */
  readonly queueLimit?: number;
}

const QUEUE_LIMIT = 1024;
/** How long a unit may still answer that does not answer probes either, unless it had more time. */
const LATEST_US = 5_000_000;
const never = Number.POSITIVE_INFINITY;

/** What the exchange that has the line is about: to be sent, to be answered, or told its answer. */
type Phase = 'none' | 'waiting' | 'awaiting' | 'ending';

/**
 * One physical link with all requests on it in one queue, of which one is under way at a time. A
 * time-out or an answer that does not fit ends a connection, so that nothing late is ever taken for
 * the next answer. A serial line is not closed for that: what is late would arrive all the same,
 * and opening a port resets some adapters. There the unit is probed, until it is certain that it has
 * nothing older left to say, before it is asked anything else.
 */
export class ModbusSession {
  readonly counters = new SessionCounters();
  readonly #line: Line;
  readonly #clock: Clock;
  readonly #task: Task;
  readonly #queue: ExchangeQueue;
  readonly #late = new LateUnits();
  readonly #link: SessionLink;
  #isClosed = false;
  /** Whoever comes now is given the line later, by whom this was set. */
  #isPumping = false;

  #phase: Phase = 'none';
  /** Who waits for the request on the line; nobody if it was given up. */
  #exchange: Exchange | undefined;
  #request: ModbusRequest | undefined;
  /** What is on the line is a probe, ahead of the request. */
  #isProbing = false;
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
      bytes: (direction, bytes) => this.#exchange?.wire?.(direction, bytes, this.#clock.unixUs()),
      frame: (transaction, unit, bytes, at, length) =>
        this.#takeFrame(transaction, unit, bytes, at, length),
      problem: (problem) => this.#takeProblem(problem),
      taken: (nowUs) => this.#settle(nowUs),
      lost: (error, nowUs) => {
        if (this.#phase === 'awaiting') this.#fail(error);
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
    requireUnit(this.#line.kind, exchange.unit);
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
   * Ends an exchange at once with `operation_cancelled`; if it is under way, as a time-out would.
   * False when it had ended before.
   */
  cancel(exchange: Exchange): boolean {
    if (this.#exchange === exchange) this.#abandon();
    else if (!this.#queue.take((queued) => queued === exchange)) return false;
    this.counters.failures += 1;
    exchange.failed(cancelledError('caller'));
    this.#pump();
    return true;
  }

  /** Lets go of the link until somebody asks again. Nobody may be waiting for it. */
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

  /** Takes the line from the exchange that has it. */
  #abandon(): void {
    const nowUs = this.#clock.monotonicUs();
    if (this.#phase === 'awaiting') this.#recover(nowUs);
    else if (this.#link.state === 'connecting' && this.#queue.length === 0) this.#link.drop();
    this.#release();
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
    const fromUs = this.#link.state === 'connecting' ? this.#link.askedUs : nowUs;
    this.#deadlineUs = fromUs + exchange.timeoutMs * 1000;
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
    this.#isProbing = this.#late.has(this.#unit, nowUs);
    if (this.#isProbing) this.#link.sendPdu(this.#unit, this.#late.probe(this.#unit));
    else this.#link.send(this.#unit, this.#request as ModbusRequest);
  }

  #expire(nowUs: number): void {
    if (this.#phase === 'awaiting') {
      this.#recover(nowUs);
      this.counters.timeouts += 1;
      this.#tell(timeoutError(this.#unit, this.#timeoutMs, this.#problem));
    } else if (this.#phase === 'waiting') {
      const { state } = this.#link;
      if (state === 'open') this.#fail(linkError(this.endpoint, 'line_busy'));
      else if (state === 'connecting') this.#expireConnecting(nowUs);
      else this.#failAll(this.#link.refusal(nowUs));
    }
  }

  /** Fails all whose patience the attempt has used up; it goes on for those who have more. */
  #expireConnecting(nowUs: number): void {
    const waitedMs = (nowUs - this.#link.askedUs) / 1000;
    const impatient = this.#queue.takeAll(({ timeoutMs }) => timeoutMs <= waitedMs);
    const error =
      this.#queue.length > 0
        ? linkError(this.endpoint, 'connect_timeout')
        : this.#link.giveUp('connect_timeout', nowUs);
    this.#failThese(error, impatient);
  }

  /** Sees to it that the answer to what is under way will not be taken for another. */
  #recover(nowUs: number): void {
    this.#link.recover(nowUs);
    if (this.#link.carriesTransactions || this.#isProbing) return;
    const leftUs = this.#deadlineUs === never ? 0 : this.#deadlineUs - nowUs;
    this.#late.expect(this.#unit, nowUs + Math.max(LATEST_US, leftUs));
  }

  #takeFrame(
    transaction: number,
    unit: number,
    bytes: Uint8Array,
    at: number,
    length: number,
  ): void {
    const { carriesTransactions } = this.#link;
    const isOfProbe = !carriesTransactions && this.#late.hear(unit, bytes, at, length);
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
    if (this.#isProbing || isOfProbe) {
      // Late, or to a probe that was given up: what is wanted may still come.
      if (this.#isProbing !== isOfProbe) this.counters.protocolErrors += 1;
      if (this.#isProbing) this.#askIfSettled();
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

  /** Lets the request go out once the unit has nothing older left to say. */
  #askIfSettled(): void {
    const nowUs = this.#link.takenUs;
    if (this.#late.has(this.#unit, nowUs)) return;
    this.#isProbing = false;
    this.#phase = 'waiting';
    this.#deadlineUs = nowUs + this.#timeoutMs * 1000;
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
    this.#recover(this.#link.takenUs);
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
    this.#isProbing = false;
    this.#exchange = undefined;
    this.#request = undefined;
    this.#deadlineUs = never;
  }

  #failAll(error: BusbarError): void {
    this.#failThese(
      error,
      this.#queue.takeAll(() => true),
    );
  }

  /** Fails the one that has the line, and some that waited for it. Those they bring stay waiting. */
  #failThese(error: BusbarError, waiting: readonly Exchange[]): void {
    const wasPumping = this.#isPumping;
    this.#isPumping = true;
    if (this.#phase === 'waiting' || this.#phase === 'awaiting') this.#fail(error);
    for (const exchange of waiting) {
      this.counters.failures += 1;
      exchange.failed(error);
    }
    this.#isPumping = wasPumping;
  }
}
