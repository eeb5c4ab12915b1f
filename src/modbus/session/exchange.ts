import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { ExceptionResponse, FlawedResponse, ModbusResponse } from '../pdu/responses.ts';

/** Answers that carry what was asked for. */
export type GoodResponse = Exclude<ModbusResponse, ExceptionResponse | FlawedResponse>;

/** One turn on the line, and who waits for it. Exactly one of the two calls ends it. */
export interface Exchange {
  readonly unit: number;
  readonly request: ModbusRequest;
  /** Counts from the moment the exchange has the line, and includes connecting. */
  readonly timeoutMs: number;
  /**
   * Takes the answer, which is valid during the call only. It may give another request, which then
   * goes out to the same unit before anybody else gets the line, and is answered or fails in turn.
   */
  answered(response: GoodResponse): ModbusRequest | undefined;
  failed(error: BusbarError): void;
}
