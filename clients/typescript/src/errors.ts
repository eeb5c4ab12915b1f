import type { ErrorEnvelope } from './schema.ts';

/** What the service has refused. Act on `code`, which is stable, and on `details`. */
export class BusbarError extends Error {
  override readonly name: string = 'BusbarError';
  readonly code: string;
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
      readonly status?: number;
      readonly requestId?: string;
    } = {},
  ) {
    super(`${code}: ${message}`);
    this.code = code;
    this.details = fields.details ?? {};
    this.retryable = fields.retryable ?? false;
    this.status = fields.status ?? null;
    this.requestId = fields.requestId ?? null;
  }
}

/** Nothing answers at the address, or what answers is no Busbar. */
export class Unreachable extends BusbarError {
  override readonly name = 'Unreachable';

  constructor(message: string) {
    super('unreachable', message, { retryable: true });
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

/** What an answer that is no success tells. */
export const errorOf = (status: number, body: string): BusbarError => {
  try {
    const { error, request_id } = JSON.parse(body) as ErrorEnvelope;
    const { code, message, details, retryable } = error;
    return new BusbarError(code, message, { details, retryable, status, requestId: request_id });
  } catch {
    return new Unreachable(`What answers is no Busbar: status ${status}, ${body.slice(0, 200)}`);
  }
};
