import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { ExceptionResponse, FlawedResponse, ModbusResponse } from '../pdu/responses.ts';
import type { UnitTuning } from './unit-tuning.ts';

/** Answers that carry what was asked for. */
export type GoodResponse = Exclude<ModbusResponse, ExceptionResponse | FlawedResponse>;

/** Requests are sent, and what follows is received. */
export type WireDirection = 'tx' | 'rx';

/** Told the raw bytes on the link; they are there during the call only. */
export type WireListener = (direction: WireDirection, bytes: Uint8Array, unixUs: number) => void;

/** One turn on the link, and who waits for it. Exactly one of the two calls ends it. */
export interface Exchange {
  readonly unit: number;
  readonly request: ModbusRequest;
  /** Counts from the moment the exchange has the link, and includes connecting. */
  readonly timeoutMs: number;
  /** Told all bytes while the exchange has the link: probes and late answers too. */
  readonly wire?: WireListener | undefined;
  /** What to do with the unit where it does not answer in time; as usual when left out. */
  readonly tuning?: UnitTuning | undefined;
  /**
   * The exchange has the link, which is ready, and the first bytes of its first request go out now.
   * Told once at the most, before anything else and maybe while it is submitted; a probe ahead of the
   * request is none.
   */
  started?(nowUs: number): void;
  /**
   * Takes the answer, which is valid during the call only. It may give another request, which then
   * goes out to the same unit before any other gets the link, and is answered or fails in turn.
   */
  answered(response: GoodResponse): ModbusRequest | undefined;
  failed(error: BusbarError): void;
}
