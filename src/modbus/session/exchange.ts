import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { ExceptionResponse, InvalidResponse, ModbusResponse } from '../pdu/responses.ts';
import type { UnitTuning } from './unit-tuning.ts';

/** Answers with the requested data. */
export type GoodResponse = Exclude<ModbusResponse, ExceptionResponse | InvalidResponse>;

/** Requests are sent; everything else is received. */
export type WireDirection = 'tx' | 'rx';

/** Receives the raw bytes on the link; valid only during the call. */
export type WireListener = (direction: WireDirection, bytes: Uint8Array, unixUs: number) => void;

/** One turn on the link, and its caller. Exactly one of `answered` and `failed` ends it. */
export interface Exchange {
  readonly unit: number;
  readonly request: ModbusRequest;
  /** Counts from when the exchange gets the link, and includes connecting. */
  readonly timeoutMs: number;
  /** Receives all bytes while the exchange has the link, including probes and late answers. */
  readonly wire?: WireListener | undefined;
  /** Overrides how a late unit is treated. */
  readonly tuning?: UnitTuning | undefined;
  /**
   * The first request is being sent. Called at most once, before anything else and possibly
   * during `submit`; a probe does not count.
   */
  started?(nowUs: number): void;
  /**
   * The answer, valid only during the call. A returned request is sent to the same unit before
   * any other exchange gets the link.
   */
  answered(response: GoodResponse): ModbusRequest | undefined;
  failed(error: BusbarError): void;
}
