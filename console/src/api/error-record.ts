import type { ApiError } from './api-error.ts';

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
