import type { FileLimits } from '../text/problems.ts';

/**
 * The largest files of whole vehicles have about ten thousand signals in a few megabytes. A file
 * with a mistake has a few statements that cannot be parsed, all alike.
 */
export const dbcLimits: FileLimits = {
  fileBytes: 16 * 1024 * 1024,
  signals: 40_000,
  entries: 200_000,
  errors: 100,
};

/** Far beyond J1939 transport, and short enough to lay out. */
export const maxMessageLength = 65_535;

export const deepestMultiplexing = 32;
