import { uint16At } from './big-endian.ts';
import { nrc } from './nrc.ts';
import { hasSubFunction, isSuppressed, negativeResponse, responseBit, sid } from './services.ts';

export interface ExchangeTimers {
  readonly p2Us: number;
  readonly p2StarUs: number;
}

export interface ExchangeOptions {
  readonly request: Uint8Array;
  readonly functional: boolean;
  readonly timers: ExchangeTimers;
  /** Any payload is a response: the request is of another protocol. */
  readonly isRaw?: boolean;
}

export type ExchangeFailure = 'no_response' | 'response_pending_timeout' | 'unexpected_response';

export interface UdsResponse {
  /** The responder, as the caller reported it. */
  readonly from: number;
  readonly payload: Uint8Array;
  readonly positive: boolean;
  readonly nrc: number | null;
}

export interface ExchangeResult {
  /** None if the response was suppressed; a functional request can have many. */
  readonly responses: readonly UdsResponse[];
}

const never = Number.POSITIVE_INFINITY;
/** Responders that a functional request follows. */
export const maxResponders = 32;

const testerPresentResponse = sid.testerPresent | responseBit;

const isRefusedTesterPresent = (payload: Uint8Array): boolean =>
  payload[0] === negativeResponse && payload[1] === sid.testerPresent;

/** Services whose responses repeat what follows the service or its sub-function. */
const echoBytes: Readonly<Record<number, number>> = {
  [sid.writeDid]: 2,
  [sid.ioControl]: 3,
  [sid.transfer]: 1,
  [sid.routine]: 3,
};

/** Reports of one DTC, which their responses repeat. */
const dtcReports: ReadonlySet<number> = new Set([0x04, 0x06]);

/** Bytes after the service that a positive response repeats. */
const echoOf = (request: Uint8Array): number => {
  const service = request[0] as number;
  const isAboutDtc = service === sid.readDtcs && dtcReports.has((request[1] ?? 0) & 0x7f);
  return isAboutDtc ? 4 : (echoBytes[service] ?? (hasSubFunction(service) ? 1 : 0));
};

const readsDid = (request: Uint8Array, did: number): boolean => {
  for (let at = 1; at + 1 < request.length; at += 2) if (uint16At(request, at) === did) return true;
  return false;
};

/** Whether a payload is a response to a request, with all that it must repeat of the request. */
export const answers = (request: Uint8Array, payload: Uint8Array): boolean => {
  const service = request[0] as number;
  if (payload[0] === negativeResponse) return payload.length >= 3 && payload[1] === service;
  if (payload[0] !== (service | responseBit)) return false;
  if (service === sid.readDids) {
    return payload.length >= 3 && readsDid(request, uint16At(payload, 1));
  }
  const echo = echoOf(request);
  for (let at = 1; at <= echo && at < request.length; at++) {
    const mask = at === 1 && hasSubFunction(service) ? 0x7f : 0xff;
    if (payload[at] !== ((request[at] as number) & mask)) return false;
  }
  return true;
};

interface Responder {
  readonly from: number;
  state: 'awaiting' | 'answering' | 'pending' | 'done';
  /** End of P2* after 0x78, otherwise of P2. */
  endUs: number;
  pending: UdsResponse | null;
}

/**
 * One request and its responses. A physical request has one responder, a functional one as many
 * as answer; each follows this table.
 *
 *     state       input                     next state
 *     awaiting    response begins           answering
 *                 P2 over                   over: success without response if functional or
 *                                           suppressed, else failed
 *     answering   0x78, unless raw          pending, P2* runs
 *                 other response            done
 *                 foreign payload           as before it began
 *                 reception failed          as before it began
 *     pending     response begins           answering
 *                 P2* over                  failed; functional: done, 0x78 is its response
 *     done        any                       ignored
 *
 * P2 runs from the end of the request. While a responder is answering, the time-outs of the
 * reception apply instead.
 *
 * A foreign payload, which does not answer the request, belongs to an earlier request or to none.
 * It changes nothing as long as a response can follow; if none does, the request fails with
 * `unexpected_response` instead of a time-out. Answers to TesterPresent, which is sent in
 * between, never count.
 *
 * Payloads are reported only after the request was sent. The caller ends a physical request itself
 * if the reception of its response fails.
 */
export class UdsExchange {
  failure: ExchangeFailure | undefined;
  result: ExchangeResult | undefined;
  /** The last foreign payload. */
  unexpected: Uint8Array | null = null;
  /** Responses 0x78 so far. */
  pending = 0;
  readonly #options: ExchangeOptions;
  readonly #responders: Responder[] = [];
  readonly #responses: UdsResponse[] = [];
  #p2EndUs = never;
  #isP2Over = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    if (!options.functional) this.#addResponder(0);
  }

  get isOver(): boolean {
    return this.result !== undefined || this.failure !== undefined;
  }

  /** Time of the next `expire`; Infinity if none. */
  get deadlineUs(): number {
    if (this.isOver) return never;
    let deadlineUs = this.#options.functional && !this.#isP2Over ? this.#p2EndUs : never;
    for (const { state, endUs } of this.#responders) {
      const isTimed = state === 'pending' || (state === 'awaiting' && !this.#options.functional);
      if (isTimed && endUs < deadlineUs) deadlineUs = endUs;
    }
    return deadlineUs;
  }

  /** The last frame of the request was sent. */
  sent(atUs: number): void {
    if (this.#p2EndUs !== never) return;
    this.#p2EndUs = atUs + this.#options.timers.p2Us;
    for (const responder of this.#responders) responder.endUs = this.#p2EndUs;
  }

  /** The first frame of a payload was received. */
  began(from = 0): void {
    if (this.isOver) return;
    const responder = this.#responder(from);
    if (responder !== undefined && responder.state !== 'done') responder.state = 'answering';
  }

  /** The payload that began will not be complete. */
  broke(nowUs: number, from = 0): void {
    if (this.isOver) return;
    const responder = this.#responder(from);
    if (responder?.state === 'answering') this.#resume(responder);
    this.#settle(nowUs);
  }

  /** A payload was received, whose bytes are copied. False if it is foreign. */
  response(payload: Uint8Array, atUs: number, from = 0): boolean {
    this.began(from);
    const responder = this.#responder(from);
    if (this.isOver || responder?.state !== 'answering') return false;
    const isPresence = payload[0] === testerPresentResponse || isRefusedTesterPresent(payload);
    let isAnswer = true;
    if (this.#options.isRaw) {
      this.#close(responder, { from, payload: payload.slice(), positive: true, nrc: null });
    } else if (answers(this.#options.request, payload)) {
      this.#accept(responder, payload.slice(), atUs);
    } else {
      isAnswer = isPresence;
      if (!isPresence) this.unexpected = payload.slice();
      this.#resume(responder);
    }
    this.#settle(atUs);
    return isAnswer;
  }

  /** The deadline has passed. */
  expire(nowUs: number): void {
    if (this.isOver || nowUs < this.deadlineUs) return;
    for (const responder of this.#responders) {
      if (nowUs < responder.endUs) continue;
      if (responder.state === 'pending') this.#expirePending(responder);
      else if (responder.state === 'awaiting' && !this.#options.functional) this.#expireSilent();
    }
    this.#settle(nowUs);
  }

  #accept(responder: Responder, payload: Uint8Array, atUs: number): void {
    const positive = payload[0] !== negativeResponse;
    const code = positive ? null : (payload[2] as number);
    const response = { from: responder.from, payload, positive, nrc: code };
    if (code === nrc.responsePending) {
      this.pending += 1;
      responder.pending = response;
      responder.state = 'pending';
      responder.endUs = atUs + this.#options.timers.p2StarUs;
    } else this.#close(responder, response);
  }

  #close(responder: Responder, response: UdsResponse): void {
    responder.state = 'done';
    this.#responses.push(response);
    if (!this.#options.functional) this.#finish();
  }

  #resume(responder: Responder): void {
    responder.state = responder.pending === null ? 'awaiting' : 'pending';
  }

  #expirePending(responder: Responder): void {
    if (!this.#options.functional) {
      this.#fail('response_pending_timeout');
      return;
    }
    responder.state = 'done';
    if (responder.pending !== null) this.#responses.push(responder.pending);
  }

  #expireSilent(): void {
    if (!this.#options.isRaw && isSuppressed(this.#options.request)) this.#finish();
    else this.#fail('no_response');
  }

  /** A functional request is over after P2, once no responder has more to say. */
  #settle(nowUs: number): void {
    if (!this.#options.functional || this.isOver) return;
    this.#isP2Over ||= nowUs >= this.#p2EndUs;
    const isBusy = this.#responders.some(
      ({ state }) => state === 'answering' || state === 'pending',
    );
    if (this.#isP2Over && !isBusy) this.#finish();
  }

  #finish(): void {
    this.result = { responses: this.#responses };
  }

  #fail(timeout: ExchangeFailure): void {
    this.failure = this.unexpected === null ? timeout : 'unexpected_response';
  }

  #responder(from: number): Responder | undefined {
    const known = this.#options.functional
      ? this.#responders.find((responder) => responder.from === from)
      : this.#responders[0];
    if (known !== undefined || this.#isP2Over) return known;
    return this.#responders.length < maxResponders ? this.#addResponder(from) : undefined;
  }

  #addResponder(from: number): Responder {
    const responder: Responder = { from, state: 'awaiting', endUs: this.#p2EndUs, pending: null };
    this.#responders.push(responder);
    return responder;
  }
}
