import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import type { IsotpReceiverFailure } from '../../pdu/isotp/receiver.ts';
import {
  type ExchangeFailure,
  type ExchangeTimers,
  maxResponders,
  UdsExchange,
  type UdsResponse,
} from '../uds-exchange.ts';
import { LateAlarm } from './late-alarm.ts';

export interface AskOptions {
  readonly protocol?: 'uds' | 'isotp';
  readonly functional?: boolean;
  /** Whether the response is awaited. */
  readonly wait?: boolean;
  /** Limit of the whole request; default: an hour. */
  readonly timeoutUs?: number;
}

/**
 * Limit of a request without one of its own: an ECU may set a long STmin, and answer 0x78 for as
 * long as a flash memory takes to be erased.
 */
const longestUs = 3_600_000_000;

export interface Answer {
  /** Null without response; to a functional request that of the ECU, else the first one. */
  readonly response: UdsResponse | null;
  readonly responses: readonly UdsResponse[];
  readonly pending: number;
  readonly durationUs: number;
}

export interface ActiveRequestOptions extends AskOptions {
  readonly ecu: string;
  readonly request: Uint8Array;
  /** P2 and P2* of the session, with what the bus adds to both. */
  readonly timers: ExchangeTimers;
  readonly clock: Clock;
  /** Key of the address of the ECU, one of those that answer a functional request. */
  readonly own: number;
}

/** A message that was read before the report that the request was sent. */
export interface EarlyMessage {
  readonly from: number;
  readonly beganUs: number;
  /** Null while it is incomplete. */
  payload: Uint8Array | null;
  endUs: number;
}

/** Two from each responder of a functional request. */
const maxEarly = 2 * maxResponders;

const brokenBy = (code: Exclude<IsotpReceiverFailure, 'replaced'>): BusbarError => {
  if (code === 'send_timeout') {
    return new BusbarError('hardware_timeout', {
      message: 'A flow control was not sent within N_Ar',
      details: { reason: code },
    });
  }
  if (code === 'dropped') {
    return new BusbarError('hardware_error', {
      message: 'The channel dropped a flow control',
      details: { reason: code },
    });
  }
  return new BusbarError(code);
};

/**
 * The request under way on a link, until it has its outcome.
 *
 *     state      input                      next state
 *     sending    message begins             sending; kept
 *                sent                       awaiting; over if no response is awaited
 *                                           the link reports the kept messages again
 *                timeout_ms over            over, flow_control_timeout or hardware_timeout
 *     awaiting   message begins             answering
 *                P2 or P2* over             over, as `UdsExchange` says
 *                timeout_ms over            over, no_response or response_pending_timeout
 *     answering  final response             over
 *                0x78, foreign payload      awaiting
 *                reception replaced         awaiting
 *                reception failed           over, with the failure; functional: awaiting
 *                timeout_ms over            as awaiting
 *     over       any                        over
 *
 * Each responder of a functional request is awaited and answers on its own. A port may report
 * that the request was sent after the beginning of the response.
 */
export class ActiveRequest {
  outcome: Answer | BusbarError | undefined;
  isSent = false;
  readonly #options: ActiveRequestOptions;
  readonly #exchange: UdsExchange;
  readonly #startUs: number;
  readonly #limitUs: number;
  /** Messages that began before the report that the request was sent, the oldest first. */
  #early: EarlyMessage[] = [];
  /** A message that began earlier is no response. */
  #sentUs = 0;
  /** Senders with a message under way that began after the request was sent. */
  readonly #answering = new Set<number>();
  readonly #lateAlarm = new LateAlarm();

  constructor(options: ActiveRequestOptions) {
    const { request, functional = false, timers } = options;
    this.#options = options;
    this.#exchange = new UdsExchange({ request, functional, timers, isRaw: this.isRaw });
    this.#startUs = options.clock.monotonicUs();
    this.#limitUs = options.timeoutUs ?? longestUs;
  }

  get request(): Uint8Array {
    return this.#options.request;
  }

  get isFunctional(): boolean {
    return this.#options.functional === true;
  }

  get isAwaited(): boolean {
    return this.#options.wait !== false;
  }

  /** Any payload is a response, and the request is over with the first one. */
  get isRaw(): boolean {
    return this.#options.protocol === 'isotp';
  }

  /** End of P2, P2* or `timeout_ms`. */
  get deadlineUs(): number {
    return Math.min(this.#exchange.deadlineUs, this.#endUs) + this.#lateAlarm.graceUs;
  }

  get #endUs(): number {
    return this.#startUs + this.#limitUs;
  }

  /** The request ended at `atUs`. */
  sent(atUs: number): void {
    this.isSent = true;
    this.#sentUs = atUs;
    this.#exchange.sent(atUs);
    if (!this.isAwaited) this.#finish(null, []);
  }

  /** The messages kept until now, which the caller reports again. */
  takeEarly(): readonly EarlyMessage[] {
    const early = this.#early;
    this.#early = [];
    return early;
  }

  began(atUs: number, from: number): void {
    this.#answering.delete(from);
    if (this.outcome !== undefined) return;
    if (!this.isSent) {
      if (this.#early.length === maxEarly) this.#early.shift();
      this.#early.push({ from, beganUs: atUs, payload: null, endUs: atUs });
      return;
    }
    if (atUs < this.#sentUs) return;
    this.#answering.add(from);
    this.#lateAlarm.reset();
    this.#exchange.began(this.#responderOf(from));
  }

  /** False if the payload is no answer, or began before the request was sent. */
  received(payload: Uint8Array, atUs: number, from: number): boolean {
    const early = this.#incomplete(from);
    if (early) {
      early.payload = payload.slice();
      early.endUs = atUs;
      return true;
    }
    if (!this.#answering.delete(from)) return false;
    this.#lateAlarm.reset();
    const isAnswer = this.#exchange.response(payload, atUs, this.#responderOf(from));
    this.#check();
    return isAnswer;
  }

  broke(code: IsotpReceiverFailure, atUs: number, from: number): void {
    const early = this.#incomplete(from);
    if (early) this.#early.splice(this.#early.indexOf(early), 1);
    if (!this.#answering.delete(from)) return;
    this.#exchange.broke(atUs, this.#responderOf(from));
    if (!this.#options.functional && code !== 'replaced') this.fail(brokenBy(code));
    else this.#check();
  }

  fail(error: BusbarError): void {
    this.outcome ??= error;
  }

  /** The deadline has passed. */
  expire(nowUs: number, isAwaitingFlow: boolean): void {
    const { deadlineUs } = this;
    if (nowUs < deadlineUs) return;
    if (this.#lateAlarm.postpones(deadlineUs, nowUs)) return;
    this.#lateAlarm.reset();
    this.#exchange.expire(nowUs);
    this.#check();
    if (nowUs >= this.#endUs) this.fail(this.#tooLong(isAwaitingFlow));
  }

  #incomplete(from: number): EarlyMessage | undefined {
    return this.#early.find((each) => each.from === from && each.payload === null);
  }

  #responderOf(from: number): number {
    return this.#options.functional ? from : 0;
  }

  #check(): void {
    const { failure, result } = this.#exchange;
    if (failure) this.fail(this.#errorOf(failure));
    if (!result) return;
    const { responses } = result;
    const own = responses.find(({ from }) => from === this.#responderOf(this.#options.own));
    this.#finish(own ?? responses[0] ?? null, responses);
  }

  #finish(response: UdsResponse | null, responses: readonly UdsResponse[]): void {
    const durationUs = Math.round(this.#options.clock.monotonicUs() - this.#startUs);
    this.outcome ??= { response, responses, pending: this.#exchange.pending, durationUs };
  }

  #errorOf(failure: ExchangeFailure): BusbarError {
    const { ecu, timers } = this.#options;
    const { pending, unexpected } = this.#exchange;
    switch (failure) {
      case 'no_response':
        return new BusbarError(failure, { details: { ecu, p2_ms: timers.p2Us / 1000 } });
      case 'response_pending_timeout':
        return new BusbarError(failure, {
          details: { ecu, p2_star_ms: timers.p2StarUs / 1000, pending },
        });
      case 'unexpected_response': {
        const response = formatHex(unexpected ?? new Uint8Array());
        return new BusbarError(failure, { details: { ecu, response } });
      }
    }
  }

  #tooLong(isAwaitingFlow: boolean): BusbarError {
    const details = { ecu: this.#options.ecu, timeout_ms: this.#limitUs / 1000 };
    if (!this.isSent) {
      return new BusbarError(isAwaitingFlow ? 'flow_control_timeout' : 'hardware_timeout', {
        message: 'The request was not sent within timeout_ms',
        details,
      });
    }
    const code = this.#exchange.pending > 0 ? 'response_pending_timeout' : 'no_response';
    return new BusbarError(code, {
      message: 'The response was not complete within timeout_ms',
      details,
    });
  }
}
