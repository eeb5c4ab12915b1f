import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { ExceptionResponse, InvalidResponse, ModbusResponse } from '../pdu/responses.ts';
import type { UnitTuning } from './unit-tuning.ts';

export type GoodResponse = Exclude<ModbusResponse, ExceptionResponse | InvalidResponse>;

/** Requests are `tx`; everything received is `rx`. */
export type WireDirection = 'tx' | 'rx';

/** Receives the raw bytes on the link, valid only during the call. */
export type WireListener = (direction: WireDirection, bytes: Uint8Array, unixUs: number) => void;

/** One use of the link, with its caller. Exactly one of `answered` and `failed` completes it. */
export interface Exchange {
  readonly unit: number;
  readonly request: ModbusRequest;
  /** Starts when the exchange gets the link, and includes connecting. */
  readonly timeoutMs: number;
  /** Receives all bytes while the exchange has the link, including probes and late responses. */
  readonly wire?: WireListener | undefined;
  /** Overrides the treatment of a late unit. */
  readonly tuning?: UnitTuning | undefined;
  /**
   * The first request is being sent. Called at most once, before other callbacks and possibly
   * during `submit`. Probes do not count.
   */
  started?(nowUs: number): void;
  /**
   * The response, valid only during the call. A returned request is sent to the same unit
   * before any other exchange.
   */
  answered(response: GoodResponse): ModbusRequest | undefined;
  failed(error: BusbarError): void;
}
