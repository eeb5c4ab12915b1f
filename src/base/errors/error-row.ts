export interface ErrorRow {
  /** HTTP status of the response that carries the code. */
  readonly status: number;
  /** Exit code of a command that ends with it: 1 failed, 2 wrong command line, 3 no daemon. */
  readonly exit: 1 | 2 | 3;
  /** What happened, in general. Holds no request data, so it may be written to any log. */
  readonly message: string;
  /** Whether the same call may succeed later without being changed; an occurrence can say that it will not. */
  readonly retryable: boolean;
  /**
   * What to do next; the CLI prints it below the message. `{command}` stands for the command that
   * failed, and other names in braces for fields of the details.
   */
  readonly hint?: string;
}
