import type { RecordOf } from '../schema/schemas.ts';
import type { ErrorRow } from './error-row.ts';
import type { ErrorBody } from './error-schema.ts';
import { type ErrorCode, errorTable, isErrorCode } from './table.ts';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error at a boundary: content of the HTTP envelope and of an IPC answer. */
export type ErrorRecord = RecordOf<typeof ErrorBody>;

interface ErrorOptions {
  /** Overrides the table's message. */
  readonly message?: string | undefined;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
  /** Overrides the table's hint. */
  readonly hint?: string | undefined;
  /** Overrides the table's `retryable`. */
  readonly retryable?: boolean | undefined;
}

type ErrorText = Pick<ErrorOptions, 'message' | 'details'>;

/** The only kind of error that crosses a module boundary. */
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

  /** An own hint travels in the details; faces know the table's. */
  toRecord(): ErrorRecord {
    const { code, message, hint, retryable, row } = this;
    const details = hint === row.hint ? this.details : { ...this.details, hint };
    return { code, message, details, retryable };
  }

  /** The same error with another message or details. */
  with({ message = this.message, details = this.details }: ErrorText): BusbarError {
    const { code, hint, retryable } = this;
    return new BusbarError(code, { message, details, hint, retryable, cause: this.cause ?? this });
  }

  /** Restores an error sent by another thread or process. */
  static fromRecord(record: ErrorRecord): BusbarError {
    const isKnown = isErrorCode(record.code);
    const { hint, ...details } = record.details;
    return new BusbarError(isKnown ? record.code : 'internal_error', {
      message: record.message,
      retryable: isKnown ? record.retryable : undefined,
      ...(typeof hint === 'string' ? { details, hint } : { details: record.details }),
    });
  }

  /** Any thrown value as an error with a code; without one it is a defect. */
  static from(thrown: unknown): BusbarError {
    if (thrown instanceof BusbarError) return thrown;
    return new BusbarError('internal_error', { cause: thrown });
  }
}

/** A refusal that names its field. */
export const invalidArgument = (
  field: string,
  message: string,
  details: ErrorDetails = {},
): BusbarError => new BusbarError('invalid_argument', { message, details: { field, ...details } });

/** Range of a cursor. */
interface CursorBounds {
  /** Newest + 1 if there are none. */
  readonly oldestAvailable: number;
  readonly newestAvailable: number;
}

/** Refuses a cursor that has expired or is in the future. */
export const cursorExpired = (
  what: 'event' | 'sample' | 'fault event',
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

/** The same refusal with the outer field and optional details. */
export const withField = (field: string, thrown: unknown, more: ErrorDetails = {}): BusbarError => {
  const error = BusbarError.from(thrown);
  return error.with({ details: { ...error.details, ...more, field } });
};
