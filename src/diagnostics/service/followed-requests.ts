import { nrc } from '../nrc.ts';
import { isSuppressed, negativeResponse } from '../services.ts';
import type { SessionState } from '../session-state.ts';
import { answers, type ExchangeTimers } from '../uds-exchange.ts';
import { LateAlarm } from './late-alarm.ts';

const never = Number.POSITIVE_INFINITY;
const noMessage = Number.NEGATIVE_INFINITY;
const maxFollowed = 32;

/** A request to an ECU, by its own link or functionally by another one. */
export interface FollowedRequest {
  /** The same for all calls about one request. */
  readonly key: object;
  readonly request: Uint8Array;
  /** Whether the ECU is addressed for certain: silence then is the response to the suppress bit. */
  readonly isAddressed: boolean;
  readonly timers: ExchangeTimers;
}

interface Entry extends FollowedRequest {
  /** A message that began earlier is no response. */
  fromUs: number;
  /** End of P2, or of P2* after 0x78; Infinity until the request was sent. */
  endUs: number;
  isPending: boolean;
}

/**
 * The requests that an ECU may still answer, in the order in which they were sent, whether or not
 * a caller awaits the response. The session, the security level and S3 follow them.
 *
 *     state       input                   next state
 *     sending     sent                    awaiting, P2 runs
 *                 withdrawn               over
 *     awaiting    0x78                    pending, P2* runs
 *                 other response          over
 *                 P2 over                 over; the suppress bit counts as positive
 *                 a later one responded   over if the response is suppressed: it was positive
 *     pending     0x78                    pending, P2* runs again
 *                 other response          over
 *                 P2* over                over, without response
 *
 * P2 and P2* do not end during a message that can be the response. S3 runs once all requests
 * that address the ECU are over.
 */
export class FollowedRequests {
  readonly #session: SessionState;
  readonly #lateAlarm = new LateAlarm();
  #entries: Entry[] = [];
  /** Beginning of the message under way. */
  #beganUs = noMessage;

  constructor(session: SessionState) {
    this.#session = session;
  }

  /** Time of the next `expire`; Infinity if none. */
  get deadlineUs(): number {
    let deadlineUs = never;
    for (const entry of this.#entries) deadlineUs = Math.min(deadlineUs, this.#deadlineOf(entry));
    return deadlineUs;
  }

  /** A request is being sent. A message that begins before `fromUs`, or `sent`, is no response. */
  begin(request: FollowedRequest, fromUs: number): void {
    if (this.#entries.length === maxFollowed) {
      const unsure = this.#entries.findIndex(({ isAddressed }) => !isAddressed);
      this.#entries.splice(Math.max(unsure, 0), 1);
    }
    const copy = request.request.slice();
    this.#entries.push({ ...request, request: copy, fromUs, endUs: never, isPending: false });
    if (request.isAddressed) this.#session.began();
  }

  sent(key: object, atUs: number): void {
    const entry = this.#find(key);
    if (!entry) return;
    entry.fromUs = Math.min(entry.fromUs, atUs);
    // A port may report that a request was sent after 0x78.
    if (!entry.isPending) entry.endUs = atUs + entry.timers.p2Us;
    this.#lateAlarm.reset();
  }

  /** A request will not be sent. */
  withdraw(key: object, nowUs: number): void {
    const entry = this.#find(key);
    if (!entry) return;
    this.#remove(entry);
    if (entry.isAddressed) this.active(nowUs);
  }

  /** The ECU received something, such as TesterPresent. */
  active(nowUs: number): void {
    this.#session.active(nowUs);
    if (this.#entries.some((each) => each.isAddressed || each.isPending)) this.#session.began();
  }

  began(atUs: number): void {
    this.#beganUs = atUs;
    this.#lateAlarm.reset();
  }

  broke(): void {
    this.#beganUs = noMessage;
  }

  /** `key` is that of the request which a caller awaits. False if no request is answered. */
  received(payload: Uint8Array, atUs: number, key: object | null): boolean {
    const beganUs = this.#beganUs;
    this.#beganUs = noMessage;
    const answered = this.#entries.filter(
      ({ request, fromUs }) => fromUs <= beganUs && answers(request, payload),
    );
    // A request with the suppress bit is rather answered by silence than one without it.
    const entry =
      answered.find((each) => each.key === key) ??
      answered.find((each) => each.isPending || !isSuppressed(each.request)) ??
      answered[0];
    if (!entry) return false;
    this.#settleBefore(entry, atUs);
    if (payload[0] === negativeResponse && payload[2] === nrc.responsePending) {
      entry.endUs = atUs + entry.timers.p2StarUs;
      entry.isPending = true;
      this.#session.began();
    } else this.#settle(entry, payload, atUs);
    return true;
  }

  expire(nowUs: number): void {
    const { deadlineUs } = this;
    if (nowUs < deadlineUs || this.#lateAlarm.postpones(deadlineUs, nowUs)) return;
    const over = this.#entries.filter((entry) => this.#deadlineOf(entry) <= nowUs);
    this.#lateAlarm.reset();
    for (const entry of over) {
      if (entry.isPending) {
        this.#remove(entry);
        this.active(nowUs);
      } else if (entry.isAddressed) this.#settle(entry, null, nowUs);
      else this.#remove(entry);
    }
  }

  clear(): void {
    this.#entries = [];
    this.#beganUs = noMessage;
  }

  #deadlineOf({ fromUs, endUs }: Entry): number {
    return fromUs <= this.#beganUs ? never : endUs + this.#lateAlarm.graceUs;
  }

  #find(key: object): Entry | undefined {
    return this.#entries.find((entry) => entry.key === key);
  }

  #remove(entry: Entry): void {
    this.#entries = this.#entries.filter((each) => each !== entry);
  }

  /** An ECU that responds to a request is done with earlier ones, also if it was silent. */
  #settleBefore(entry: Entry, nowUs: number): void {
    for (const each of this.#entries.slice(0, this.#entries.indexOf(entry))) {
      const isSilent = each.isAddressed && !each.isPending && each.endUs !== never;
      if (isSilent && isSuppressed(each.request)) this.#settle(each, null, nowUs);
    }
  }

  #settle(entry: Entry, response: Uint8Array | null, nowUs: number): void {
    this.#remove(entry);
    this.#session.finished(entry.request, response, nowUs);
    this.active(nowUs);
  }
}
