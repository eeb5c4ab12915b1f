import { nrc } from '../nrc.ts';
import { negativeResponse } from '../services.ts';
import type { SessionState } from '../session-state.ts';
import { answers, type ExchangeTimers } from '../uds-exchange.ts';
import { LateAlarm } from './late-alarm.ts';

const never = Number.POSITIVE_INFINITY;

/** A request that an ECU receives without its link awaiting the response. */
export interface UnawaitedRequest {
  /** The same for all calls about one request. */
  readonly key: object;
  readonly request: Uint8Array;
  /** Whether the ECU is addressed for certain: silence then is the response to the suppress bit. */
  readonly isAddressed: boolean;
}

/**
 * The response to the last request that its link does not await, or not as UDS: one that was sent
 * with `wait` false, as ISO-TP, or functionally by another link. The session follows it.
 *
 *     state       input                   next state
 *     none        request                 awaiting
 *     awaiting    message begins          answering
 *                 P2 or P2* over          none; the suppress bit counts as positive
 *     answering   0x78                    awaiting, P2* runs
 *                 other response          none
 *                 foreign, or broken      awaiting
 */
export class UnawaitedResponse {
  /** Whether the ECU has answered 0x78 so far. */
  isPending = false;
  readonly #session: SessionState;
  readonly #lateAlarm = new LateAlarm();
  #key: object | null = null;
  #request: Uint8Array | null = null;
  #isAddressed = false;
  #isAnswering = false;
  #endUs = never;

  constructor(session: SessionState) {
    this.#session = session;
  }

  /** Time of the next `expire`; Infinity if none. */
  get deadlineUs(): number {
    return this.#isAnswering ? never : this.#endUs + this.#lateAlarm.graceUs;
  }

  /** A request is being sent or was sent; its response begins before `endUs`. */
  expect({ key, request, isAddressed }: UnawaitedRequest, endUs: number): void {
    const isKnown = key === this.#key;
    if (isKnown && this.#request === null) return;
    this.#endUs = endUs;
    this.#lateAlarm.reset();
    if (isKnown) return;
    this.#key = key;
    this.#request = request.slice();
    this.#isAddressed = isAddressed;
    this.#isAnswering = false;
    this.isPending = false;
  }

  began(): void {
    this.#isAnswering = this.#request !== null;
    this.#lateAlarm.reset();
  }

  broke(): void {
    this.#isAnswering = false;
  }

  /** False if a payload is not the response. */
  received(payload: Uint8Array, atUs: number, { p2StarUs }: ExchangeTimers): boolean {
    const request = this.#isAnswering ? this.#request : null;
    this.#isAnswering = false;
    if (!request || !answers(request, payload)) return false;
    if (payload[0] === negativeResponse && payload[2] === nrc.responsePending) {
      this.#endUs = atUs + p2StarUs;
      this.isPending = true;
      this.#session.began();
      return true;
    }
    this.clear();
    this.#session.finished(request, payload, atUs);
    return true;
  }

  expire(nowUs: number): void {
    const request = this.#request;
    const { deadlineUs } = this;
    if (!request || nowUs < deadlineUs || this.#lateAlarm.postpones(deadlineUs, nowUs)) return;
    this.clear();
    if (this.#isAddressed) this.#session.finished(request, null, nowUs);
    else this.#session.active(nowUs);
  }

  clear(): void {
    this.#request = null;
    this.#isAnswering = false;
    this.isPending = false;
    this.#endUs = never;
  }
}
