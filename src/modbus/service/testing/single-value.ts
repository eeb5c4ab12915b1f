/** One value, read, polled or written with the defaults that the dispatcher fills in. */
export const single = {
  count: 1,
  multiple: false,
  timeout_ms: 1000,
  retries: 0,
  trace: false,
  show: 'decimal',
  period_ms: 1000,
} as const;
