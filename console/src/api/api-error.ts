type ErrorDetails = Readonly<Record<string, unknown>>;

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: ErrorDetails;
  readonly retryable?: boolean;
  readonly requestId?: string | null;
  readonly isRetried?: boolean;
}

/** Why a request brought no result, in the words of the service where it gave any. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly details: ErrorDetails;
  /** Asking again cannot help. */
  readonly isFinal: boolean;
  /** Of the request in the log of the daemon; null where none was told. */
  readonly requestId: string | null;
  /** Whether the console asks again by itself; what does so sets it. */
  isRetried: boolean;

  constructor(refusal: Refusal) {
    const { code, message, details = {}, retryable = true, requestId = null } = refusal;
    super(message);
    this.code = code;
    this.details = details;
    this.isFinal = !retryable;
    this.requestId = requestId;
    this.isRetried = refusal.isRetried ?? false;
  }

  /** Whether the service said nothing, as against a refusal: what a proxy says in its place is nothing. */
  get isSilence(): boolean {
    return ['unreachable', 'no_answer', 'not_busbar'].includes(this.code);
  }

  get isUnauthorized(): boolean {
    return this.code === 'unauthorized';
  }

  /** The field that the service named, if it named one. */
  get field(): string | null {
    return typeof this.details.field === 'string' ? this.details.field : null;
  }
}

/** An ApiError on its way between threads. */
export interface ErrorRecord {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly isRetried?: boolean;
}

export const errorRecord = ({ code, message, isFinal, isRetried }: ApiError): ErrorRecord => ({
  code,
  message,
  retryable: !isFinal,
  isRetried,
});
