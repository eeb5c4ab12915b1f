import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { FrameClaim } from '../framing/framing.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import { answerLength } from '../pdu/response-shape.ts';
import type { Exchange } from './exchange.ts';
import { type BadReply, badReplyError } from './session-errors.ts';
import { type Admission, UnitRecord } from './unit-record.ts';

const never = Number.POSITIVE_INFINITY;

/**
 * State of the exchange on the link, managed by `turn.ts`, `modbus-session.ts` and `reply-matcher.ts`:
 *
 * ```
 *         begin             sent                answered
 *  none ────────▶ waiting ────────▶ awaiting ─────────────▶ ending
 *   ▲                ▲                 │                      │
 *   │                └──── restart ────┘                      │
 *   └──── done; begin again if it has another request ────────┘
 *
 *  abandoned, failed, exception: from waiting and awaiting to none
 * ```
 *
 * - `waiting`: the request is sent once the link is open and silent.
 * - `awaiting`: the request, or a probe before it, is on the link. `restart` sends the request after
 *   the probe got a response, or after a response was skipped because it may be old.
 * - `ending`: the exchange is receiving its response and may send another request.
 */
export type Phase = 'none' | 'waiting' | 'awaiting' | 'ending';

/** The exchange on the link and the progress of its request. One per session. */
export class Turn {
  phase: Phase = 'none';
  /** The exchange of the request; undefined if abandoned. */
  exchange: Exchange | undefined;
  request: ModbusRequest | undefined;
  record = new UnitRecord(0);
  unit = 0;
  timeoutMs = 0;
  deadlineUs = never;
  sentUs = 0;
  /** A probe is on the link, before the request. */
  isProbing = false;
  /** The request is repeated, and all responses but the last are skipped. */
  isRepeated = false;
  isHeld = false;
  isStarted = false;
  badReply: BadReply | undefined;
  #sinceUs = 0;
  #queuedUs = 0;
  /** Responses to skip, because they may be old. */
  #repeats = 0;

  /** `sinceUs`: arrival of the exchange; `fromUs`: start of its timeout. */
  begin(
    exchange: Exchange,
    request: ModbusRequest,
    record: UnitRecord,
    sinceUs: number,
    fromUs: number,
  ): void {
    this.phase = 'waiting';
    this.exchange = exchange;
    this.request = request;
    this.record = record;
    this.unit = exchange.unit;
    this.timeoutMs = exchange.timeoutMs;
    this.deadlineUs = fromUs + exchange.timeoutMs * 1000;
    this.isRepeated = false;
    this.isHeld = false;
    this.badReply = undefined;
    this.#sinceUs = sinceUs;
    this.#queuedUs = -1;
    this.#repeats = 0;
  }

  end(): void {
    this.phase = 'none';
    this.isProbing = false;
    this.exchange = undefined;
    this.request = undefined;
    this.deadlineUs = never;
  }

  get queuedMs(): number {
    return Math.round(Math.max(0, this.#queuedUs) / 1000);
  }

  prepare(nowUs: number): Admission {
    const { record } = this;
    const admission = record.isHealthy || this.isRepeated ? 'ask' : this.#admit(record, nowUs);
    if (admission === 'wait') return admission;
    this.phase = 'awaiting';
    this.sentUs = nowUs;
    record.askedUs = nowUs;
    if (this.#queuedUs < 0) this.#queuedUs = nowUs - this.#sinceUs;
    if (!this.isStarted && admission !== 'probe') this.#start();
    return admission;
  }

  #admit(record: UnitRecord, nowUs: number): Admission {
    const request = this.request as ModbusRequest;
    const admission = record.admit(request, this.exchange?.tuning?.probe ?? true, nowUs);
    if (admission === 'probe') {
      this.isProbing = true;
      record.probe(nowUs);
    } else if (admission === 'repeat') {
      this.isRepeated = true;
      this.#repeats = record.outstandingOf(request.function);
    } else if (admission === 'wait') {
      this.isHeld = true;
      this.deadlineUs = nowUs;
    }
    return admission;
  }

  #start(): void {
    this.isStarted = true;
    this.exchange?.started?.(this.sentUs);
  }

  corruptedBy(endpoint: string, reply: BadReply): BusbarError {
    const more = { timeout_ms: this.timeoutMs, queued_ms: this.queuedMs };
    return badReplyError(endpoint, this.unit, reply, more);
  }

  restart(nowUs: number): void {
    this.phase = 'waiting';
    this.isProbing = false;
    this.deadlineUs = nowUs + this.timeoutMs * 1000;
  }

  passOver(): boolean {
    if (this.#repeats === 0) return false;
    this.#repeats -= 1;
    const request = this.request as ModbusRequest;
    if (this.record.outstandingOf(request.function) === 0) return false;
    this.record.passOver(request);
    return true;
  }

  /** The request is abandoned, and may get a late response. */
  expectLate(nowUs: number, isCancelled: boolean): void {
    const restUs = 1000 * (this.exchange?.tuning?.lateMs ?? this.timeoutMs);
    if (!this.isProbing) {
      const leftUs = this.deadlineUs === never ? 0 : this.deadlineUs - nowUs;
      this.record.addOutstanding(this.request as ModbusRequest, nowUs, Math.max(restUs, leftUs));
    } else if (isCancelled) this.record.cancelProbe();
    else this.record.missProbe(this.badReply === undefined, nowUs, restUs);
  }

  /**
   * Returns whether a damaged frame is the response. A frame of the expected length must be the
   * response if nothing else can be outstanding.
   */
  isAnsweredBy({ unit, function: code, pduLength }: FrameClaim, isAlone: boolean): boolean {
    const { request } = this;
    if (request === undefined || this.isProbing) return false;
    if (unit === this.unit && (code & 0x7f) === request.function) return true;
    return isAlone && pduLength === answerLength(request);
  }
}
