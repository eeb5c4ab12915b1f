import type { ExchangeResult, UdsExchange } from '../uds-exchange.ts';

/** What a request awaits. */
export type Exchange = Pick<
  UdsExchange,
  | 'failure'
  | 'result'
  | 'pending'
  | 'unexpected'
  | 'deadlineUs'
  | 'sent'
  | 'began'
  | 'broke'
  | 'response'
  | 'expire'
>;

const never = Number.POSITIVE_INFINITY;

/** An exchange without a protocol above ISO-TP: the first payload is the response. */
export class RawExchange implements Exchange {
  failure: UdsExchange['failure'];
  result: ExchangeResult | undefined;
  deadlineUs = never;
  readonly pending = 0;
  readonly unexpected = null;
  readonly #p2Us: number;
  readonly #wantsResponse: boolean;

  constructor(p2Us: number, wantsResponse: boolean) {
    this.#p2Us = p2Us;
    this.#wantsResponse = wantsResponse;
  }

  sent(atUs: number): void {
    if (this.#wantsResponse) this.deadlineUs = atUs + this.#p2Us;
    else this.#finish(null);
  }

  began(): void {
    this.deadlineUs = never;
  }

  /** The caller ends the request. */
  broke(): void {}

  response(payload: Uint8Array, _atUs: number, id = 0): void {
    if (this.result) return;
    this.#finish({ id, payload: payload.slice(), positive: true, nrc: null });
  }

  expire(nowUs: number): void {
    if (nowUs < this.deadlineUs || this.result) return;
    this.failure = 'no_response';
    this.deadlineUs = never;
  }

  #finish(response: ExchangeResult['response']): void {
    this.deadlineUs = never;
    this.result = { response, responses: response ? [response] : [], pending: 0 };
  }
}
