export interface ErrorRow {
  readonly status: number;
  /** CLI exit code: 1 failed, 2 invalid command line, 3 no daemon. */
  readonly exit: 1 | 2 | 3;
  /** General message. It contains no request data, so it can be logged. */
  readonly message: string;
  /** True if repeating the call can succeed. A thrown error can override it. */
  readonly retryable: boolean;
  /**
   * Next step, printed by the CLI. `{command}` is the failed command; other names in braces are
   * detail fields.
   */
  readonly hint?: string;
}
