type ErrorDetails = Readonly<Record<string, unknown>>;

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: ErrorDetails;
  readonly retryable?: boolean;
  readonly requestId?: string | null;
  readonly isRetried?: boolean;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly details: ErrorDetails;
  readonly isFinal: boolean;
  readonly requestId: string | null;
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

  /** True if the service did not respond. An error page from a proxy counts as no response. */
  get isSilence(): boolean {
    return ['unreachable', 'no_answer', 'not_busbar'].includes(this.code);
  }

  get isUnauthorized(): boolean {
    return this.code === 'unauthorized';
  }

  get field(): string | null {
    return typeof this.details.field === 'string' ? this.details.field : null;
  }
}

export interface ErrorRecord {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly isRetried?: boolean;
}

/** The browser no longer reads a file of the computer. */
export const changedFile: ErrorRecord = {
  code: 'file_unavailable',
  message: 'The file was changed or removed after it was chosen',
  retryable: false,
};

export const errorRecord = ({ code, message, isFinal, isRetried }: ApiError): ErrorRecord => ({
  code,
  message,
  retryable: !isFinal,
  isRetried,
});
