import type { ErrorEnvelope } from './schema.ts';

/** Error that the service returned. Act on `code`, which is stable, and on `details`. */
export class BusbarError extends Error {
  override readonly name: string = 'BusbarError';
  readonly code: string;
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly requestId: string | null;

  constructor(
    code: string,
    message: string,
    fields: {
      readonly details?: Readonly<Record<string, unknown>>;
      readonly retryable?: boolean;
      readonly status?: number | null;
      readonly requestId?: string;
    } = {},
  ) {
    super(`${code}: ${message}`);
    this.code = code;
    this.reason = message;
    this.details = fields.details ?? {};
    this.retryable = fields.retryable ?? false;
    this.status = fields.status ?? null;
    this.requestId = fields.requestId ?? null;
  }
}

/** Nothing answers at the address, or another program does. */
export class Unreachable extends BusbarError {
  override readonly name = 'Unreachable';

  /** `status` is set if another program answered. */
  constructor(message: string, status: number | null = null) {
    super('unreachable', message, { retryable: true, status });
  }
}

/** No response within the time limit. The request may have been executed. */
export class RequestTimeout extends BusbarError {
  override readonly name = 'RequestTimeout';

  constructor(message: string) {
    super('timeout', message, { retryable: true });
  }
}

/** An ECU refused a request. */
export class NegativeResponse extends BusbarError {
  override readonly name = 'NegativeResponse';
  /** Negative response code, such as 0x31. */
  readonly nrc: number;
  /** Its name, such as `request out of range`. */
  readonly nrcName: string;
  /** The response in hex. */
  readonly response: string;

  constructor(ecu: string, request: string, response: string, nrc: number, nrcName: string) {
    const code = `0x${nrc.toString(16).toUpperCase().padStart(2, '0')}`;
    super('negative_response', `${ecu} refused ${request}: ${code} ${nrcName}`, {
      details: { ecu, request, nrc, nrc_name: nrcName },
    });
    this.nrc = nrc;
    this.nrcName = nrcName;
    this.response = response;
  }
}

/** No item within the time limit. The stream continues, and the next item can be requested. */
export class StreamTimeout extends Error {
  override readonly name = 'StreamTimeout';
}

/** Whether the connection failed, and not the request. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable ||
  error instanceof RequestTimeout ||
  (error instanceof BusbarError && [502, 503, 504].includes(error.status ?? 0));

export const notBusbar = (status: number, body: string): Unreachable =>
  new Unreachable(`What answers is no Busbar: status ${status}, ${body.slice(0, 200)}`, status);

export const errorOf = (status: number, body: string): BusbarError => {
  try {
    const { error, request_id } = JSON.parse(body) as ErrorEnvelope;
    const { code, message, details, retryable } = error;
    if (typeof code !== 'string') return notBusbar(status, body);
    return new BusbarError(code, message, { details, retryable, status, requestId: request_id });
  } catch {
    return notBusbar(status, body);
  }
};
