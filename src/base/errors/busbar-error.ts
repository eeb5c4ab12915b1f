import type { RecordOf } from '../schema/schemas.ts';
import type { ErrorRow } from './error-row.ts';
import type { ErrorBody } from './error-schema.ts';
import { type ErrorCode, errorTable, isErrorCode } from './table.ts';

/** Facts about a failure that a program can act on, such as the field at fault. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error as it crosses a border: the inside of the HTTP envelope and of an IPC answer. */
export type ErrorRecord = RecordOf<typeof ErrorBody>;

interface ErrorOptions {
  /** This occurrence in words; the table's general message when left out. */
  readonly message?: string | undefined;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
  /** What to do about this occurrence, where the table's hint does not fit it. */
  readonly hint?: string | undefined;
  /** Whether a retry of this occurrence may help, where it differs from the table. */
  readonly retryable?: boolean | undefined;
}

type Rewording = Pick<ErrorOptions, 'message' | 'details'>;

/** The only kind of error that crosses a module border. */
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

  /** A hint of this occurrence goes with the details; every face has those of the table. */
  toRecord(): ErrorRecord {
    const { code, message, hint, retryable, row } = this;
    const details = hint === row.hint ? this.details : { ...this.details, hint };
    return { code, message, details, retryable };
  }

  /** The same error in other words, or with other details. */
  with({ message = this.message, details = this.details }: Rewording): BusbarError {
    const { code, hint, retryable } = this;
    return new BusbarError(code, { message, details, hint, retryable, cause: this.cause ?? this });
  }

  /** Rebuilds an error that another thread or process sent as a record. */
  static fromRecord(record: ErrorRecord): BusbarError {
    const isKnown = isErrorCode(record.code);
    const { hint, ...details } = record.details;
    return new BusbarError(isKnown ? record.code : 'internal_error', {
      message: record.message,
      retryable: isKnown ? record.retryable : undefined,
      ...(typeof hint === 'string' ? { details, hint } : { details: record.details }),
    });
  }

  /** Whatever was thrown, as an error with a code; what has none is a defect of ours. */
  static from(thrown: unknown): BusbarError {
    if (thrown instanceof BusbarError) return thrown;
    return new BusbarError('internal_error', { cause: thrown });
  }
}

/** An argument that names the field at fault, as every refusal must. */
export const invalidArgument = (
  field: string,
  message: string,
  details: ErrorDetails = {},
): BusbarError => new BusbarError('invalid_argument', { message, details: { field, ...details } });

/** What can be read from a cursor on. */
interface CursorBounds {
  /** One above the newest if there is none. */
  readonly oldestAvailable: number;
  readonly newestAvailable: number;
}

/** A refusal of a cursor after which something is no longer kept, or that lies in the future. */
export const cursorExpired = (
  what: 'event' | 'sample' | 'fault event',
  after: number,
  { oldestAvailable: oldest, newestAvailable: newest }: CursorBounds,
): BusbarError => {
  const details = { oldest_available: oldest, newest_available: newest };
  const kept = oldest > newest ? 'none is kept' : `${oldest} to ${newest} are kept`;
  if (after <= newest) {
    const message = `The ${what}s after ${after} are no longer all kept: ${kept}`;
    return new BusbarError('cursor_expired', { message, details });
  }
  return new BusbarError('cursor_expired', {
    message: `The cursor ${after} is ahead of the newest ${what}: ${kept}`,
    details,
    hint: `It is from another run: begin again from 0, or from ${newest} for what comes next.`,
  });
};

/** The same refusal, of the field that the refused thing stood in, with more about it where given. */
export const withField = (field: string, thrown: unknown, more: ErrorDetails = {}): BusbarError => {
  const error = BusbarError.from(thrown);
  return error.with({ details: { ...error.details, ...more, field } });
};
