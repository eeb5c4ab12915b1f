import type { ErrorEnvelope } from './schema.ts';

/** What the service has refused. Act on `code`, which is stable, and on `details`. */
export class BusbarError extends Error {
  override readonly name: string = 'BusbarError';
  readonly code: string;
  /** The message without the code before it. */
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;
  /** Status of the answer; null where there was none. */
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

/** Nothing answers at the address, or what answers is no Busbar. */
export class Unreachable extends BusbarError {
  override readonly name = 'Unreachable';

  /** Has the status of the response where something else than Busbar sent one. */
  constructor(message: string, status: number | null = null) {
    super('unreachable', message, { retryable: true, status });
  }
}

/** No answer came in time. Whether the request was carried out is unknown. */
export class RequestTimeout extends BusbarError {
  override readonly name = 'RequestTimeout';

  constructor(message: string) {
    super('timeout', message, { retryable: true });
  }
}

/** Nothing came in time. The stream is as good as before, and the next item can be asked for. */
export class StreamTimeout extends Error {
  override readonly name = 'StreamTimeout';
}

/** Whether the way to the service is at fault, and not what was asked of it. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable ||
  error instanceof RequestTimeout ||
  (error instanceof BusbarError && [502, 503, 504].includes(error.status ?? 0));

export const notBusbar = (status: number, body: string): Unreachable =>
  new Unreachable(`What answers is no Busbar: status ${status}, ${body.slice(0, 200)}`, status);

/** The error that a response reports. */
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
