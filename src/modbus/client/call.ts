import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { Exchange, GoodResponse, WireListener } from '../session/exchange.ts';
import type { ModbusSession } from '../session/modbus-session.ts';
import type { UnitTuning } from '../session/unit-tuning.ts';

export interface CallTarget {
  readonly session: ModbusSession;
  readonly unit: number;
  readonly timeoutMs: number;
  readonly tuning?: UnitTuning | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly wire?: WireListener | undefined;
}

const unset = (): void => undefined;

export abstract class Call<Result> implements Exchange {
  readonly unit: number;
  readonly request: ModbusRequest;
  readonly timeoutMs: number;
  readonly wire: WireListener | undefined;
  readonly tuning: UnitTuning | undefined;
  readonly promise: Promise<Result>;
  protected fulfil: (result: Result) => void = unset;
  #reject: (error: BusbarError) => void = unset;

  constructor({ unit, timeoutMs, tuning, wire }: CallTarget, request: ModbusRequest) {
    this.unit = unit;
    this.timeoutMs = timeoutMs;
    this.tuning = tuning;
    this.wire = wire;
    this.request = request;
    this.promise = new Promise((resolve, reject) => {
      this.fulfil = resolve;
      this.#reject = reject;
    });
  }

  abstract answered(response: GoodResponse): ModbusRequest | undefined;

  failed(error: BusbarError): void {
    this.#reject(error);
  }
}

/** A call with a single response. The reader copies data that must outlive the frame. */
export class SingleCall<Result> extends Call<Result> {
  readonly #reading: (response: GoodResponse) => Result;

  constructor(
    target: CallTarget,
    request: ModbusRequest,
    reading: (response: GoodResponse) => Result,
  ) {
    super(target, request);
    this.#reading = reading;
  }

  answered(response: GoodResponse): undefined {
    this.fulfil(this.#reading(response));
  }
}

const requireTimeout = (timeoutMs: number): void => {
  if (Number.isFinite(timeoutMs) && timeoutMs > 0) return;
  throw invalidArgument('timeout_ms', 'timeout_ms is a positive number', { reason: 'range' });
};

export const perform = <Result>(
  { session, signal }: CallTarget,
  call: Call<Result>,
): Promise<Result> => {
  const { promise } = call;
  try {
    requireTimeout(call.timeoutMs);
    if (signal?.aborted) throw new BusbarError('operation_cancelled');
    session.submit(call);
  } catch (error) {
    call.failed(BusbarError.from(error));
    return promise;
  }
  if (signal === undefined) return promise;
  const cancel = (): void => {
    session.cancel(call);
  };
  const forget = (): void => signal.removeEventListener('abort', cancel);
  signal.addEventListener('abort', cancel);
  promise.then(forget, forget);
  return promise;
};
