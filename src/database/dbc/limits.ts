import type { FileLimits } from '../text/problems.ts';

/**
 * The largest of 587 public files have 367 messages, 8,654 signals, 27,292 entries and a megabyte.
 * A file with a mistake has a few statements that cannot be parsed, all alike.
 */
export const dbcLimits: FileLimits = {
  fileBytes: 8 * 1024 * 1024,
  messages: 8000,
  signals: 25_000,
  entries: 100_000,
  errors: 100,
};

/** Far beyond J1939 transport, and short enough to lay out. */
export const maxMessageLength = 65_535;

export const deepestMultiplexing = 32;
