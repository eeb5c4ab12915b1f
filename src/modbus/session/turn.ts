import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { FrameClaim } from '../framing/framing.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import { answerLength } from '../pdu/response-shape.ts';
import type { Exchange } from './exchange.ts';
import { type BadReply, badReplyError } from './session-errors.ts';
import { type Admission, UnitRecord } from './unit-record.ts';

const never = Number.POSITIVE_INFINITY;

/**
 * What the exchange that has the link is about:
 *
 * ```
 *         begin             sent                answered
 *  none ────────▶ waiting ────────▶ awaiting ─────────────▶ ending
 *   ▲                ▲                 │                      │
 *   │                └──── restart ────┘                      │
 *   └────────── told; begin again if it asks for more ────────┘
 *
 *  given up, failed, an exception: from waiting and awaiting to none
 * ```
 *
 * - `waiting`: its request is to be sent, once the link is open and silent.
 * - `awaiting`: the request, or a probe ahead of it, is on the link. `restart` sends it again, or at last: the probe
 *   was answered, or an answer was passed over that may have been an old one.
 * - `ending`: it is being told its answer, and may ask for more.
 *
 * Changed by `turn.ts` and `modbus-session.ts`; `reply-matcher.ts` restarts it.
 */
export type Phase = 'none' | 'waiting' | 'awaiting' | 'ending';

/** The exchange that has the link, and how far its request has come. One for each session. */
export class Turn {
  phase: Phase = 'none';
  /** The caller that waits for the request on the link; none if it was given up. */
  exchange: Exchange | undefined;
  request: ModbusRequest | undefined;
  record = new UnitRecord(0);
  unit = 0;
  timeoutMs = 0;
  deadlineUs = never;
  sentUs = 0;
  /** What is on the link is a probe, ahead of the request. */
  isProbing = false;
  /** The request is made several times, and all answers but the last are passed over. */
  isRepeated = false;
  /** The unit must not be asked now. */
  isHeld = false;
  /** Its exchange has been told that the first of its requests goes out. */
  isStarted = false;
  /** What has come so far and was no answer. */
  badReply: BadReply | undefined;
  #sinceUs = 0;
  #queuedUs = 0;
  /** Answers that still count for nothing, as they may be old. */
  #repeats = 0;

  /** `sinceUs` is when the exchange came, and `fromUs` from when on its time counts. */
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

  /** How long it has waited before anything was sent for it. */
  get queuedMs(): number {
    return Math.round(Math.max(0, this.#queuedUs) / 1000);
  }

  /** Notes what goes out now, or that nothing may. */
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

  /** The first request goes out now, which its exchange is told. */
  #start(): void {
    this.isStarted = true;
    this.exchange?.started?.(this.sentUs);
  }

  /** What its caller is told of a reply that was no answer. */
  spoiledBy(endpoint: string, reply: BadReply): BusbarError {
    const more = { timeout_ms: this.timeoutMs, queued_ms: this.queuedMs };
    return badReplyError(endpoint, this.unit, reply, more);
  }

  /** The request goes out again, or at last, with all of its time. */
  restart(nowUs: number): void {
    this.phase = 'waiting';
    this.isProbing = false;
    this.deadlineUs = nowUs + this.timeoutMs * 1000;
  }

  /** Whether an answer is to be passed over, and the request made once more. */
  passOver(): boolean {
    if (this.#repeats === 0) return false;
    this.#repeats -= 1;
    const request = this.request as ModbusRequest;
    if (this.record.outstandingOf(request.function) === 0) return false;
    this.record.passOver(request);
    return true;
  }

  /** What was sent is not waited for any more, and may be answered later. */
  expectLate(nowUs: number, isCancelled: boolean): void {
    const restUs = 1000 * (this.exchange?.tuning?.lateMs ?? this.timeoutMs);
    if (!this.isProbing) {
      const leftUs = this.deadlineUs === never ? 0 : this.deadlineUs - nowUs;
      this.record.addOutstanding(this.request as ModbusRequest, nowUs, Math.max(restUs, leftUs));
    } else if (isCancelled) this.record.cancelProbe();
    else this.record.missProbe(this.badReply === undefined, nowUs, restUs);
  }

  /**
   * Whether a damaged frame is the answer, so that no other is to come. One that is only as long as
   * the answer must be it where nothing else can be under way.
   */
  isAnsweredBy({ unit, function: code, pduLength }: FrameClaim, isAlone: boolean): boolean {
    const { request } = this;
    if (request === undefined || this.isProbing) return false;
    if (unit === this.unit && (code & 0x7f) === request.function) return true;
    return isAlone && pduLength === answerLength(request);
  }
}
