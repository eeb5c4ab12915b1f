export interface ErrorRow {
  readonly status: number;
  /** Exit code of a command: 1 failed, 2 wrong command line, 3 no daemon. */
  readonly exit: 1 | 2 | 3;
  /** General message without request data, so that it may be logged. */
  readonly message: string;
  /** Whether the same call may succeed later; an occurrence can override it. */
  readonly retryable: boolean;
  /**
   * Next step, printed by the CLI. `{command}` is the failed command; other names in braces are
   * detail fields.
   */
  readonly hint?: string;
}
