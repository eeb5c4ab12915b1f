import type { RecordOf } from '../schema/schemas.ts';
import type { ErrorRow } from './error-row.ts';
import type { ErrorBody } from './error-schema.ts';
import { type ErrorCode, errorTable, isErrorCode } from './table.ts';

export type ErrorDetails = Readonly<Record<string, unknown>>;

export type ErrorRecord = RecordOf<typeof ErrorBody>;

export interface ErrorOptions {
  readonly message?: string | undefined;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
  readonly hint?: string | undefined;
  readonly retryable?: boolean | undefined;
}

type ErrorText = Pick<ErrorOptions, 'message' | 'details'>;

/** The only error class that crosses a module boundary. */
export class BusbarError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly hint: string | undefined;
  readonly retryable: boolean;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? errorTable[code].message, { cause: options.cause });
    this.name = 'BusbarError';
    this.code = code;
    this.details = options.details ?? {};
    this.hint = options.hint ?? errorTable[code].hint;
    this.retryable = options.retryable ?? errorTable[code].retryable;
  }

  get row(): ErrorRow {
    return errorTable[this.code];
  }

  /** A custom hint travels in the details. The interfaces look up table hints. */
  toRecord(): ErrorRecord {
    const { code, message, hint, retryable, row } = this;
    const details = hint === row.hint ? this.details : { ...this.details, hint };
    return { code, message, details, retryable };
  }

  with({ message = this.message, details = this.details }: ErrorText): BusbarError {
    const { code, hint, retryable } = this;
    return new BusbarError(code, { message, details, hint, retryable, cause: this.cause ?? this });
  }

  static fromRecord(record: ErrorRecord): BusbarError {
    const isKnown = isErrorCode(record.code);
    const { hint, ...details } = record.details;
    return new BusbarError(isKnown ? record.code : 'internal_error', {
      message: record.message,
      retryable: isKnown ? record.retryable : undefined,
      ...(typeof hint === 'string' ? { details, hint } : { details: record.details }),
    });
  }

  /** Converts any thrown value. A value without an error code becomes an internal error. */
  static from(thrown: unknown): BusbarError {
    if (thrown instanceof BusbarError) return thrown;
    return new BusbarError('internal_error', { cause: thrown });
  }
}

export const invalidArgument = (
  field: string,
  message: string,
  details: ErrorDetails = {},
): BusbarError => new BusbarError('invalid_argument', { message, details: { field, ...details } });

interface CursorBounds {
  readonly oldestAvailable: number;
  readonly newestAvailable: number;
}

export const cursorExpired = (
  what: 'event' | 'sample' | 'fault event' | 'PDU',
  after: number,
  { oldestAvailable: oldest, newestAvailable: newest }: CursorBounds,
): BusbarError => {
  const details = { oldest_available: oldest, newest_available: newest };
  const kept = oldest > newest ? 'none are available' : `${oldest} to ${newest} are available`;
  if (after <= newest) {
    const message = `The ${what}s after ${after} have expired: ${kept}`;
    return new BusbarError('cursor_expired', { message, details });
  }
  return new BusbarError('cursor_expired', {
    message: `The cursor ${after} is ahead of the newest ${what}: ${kept}`,
    details,
    hint: `The cursor is from another run. Start from 0, or from ${newest} for new ones only.`,
  });
};

export const withField = (field: string, thrown: unknown, more: ErrorDetails = {}): BusbarError => {
  const error = BusbarError.from(thrown);
  return error.with({ details: { ...error.details, ...more, field } });
};
