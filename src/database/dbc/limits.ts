/**
 * How much a reader takes before it refuses. The largest files of whole vehicles hold some ten
 * thousand signals in a few megabytes; a file far beyond that is an attack or a mistake.
 */
export interface DbcLimits {
  /** Bytes of the file. */
  readonly fileBytes: number;
  /** Signals of all messages together. */
  readonly signals: number;
  /** Everything kept: messages, signals, receivers, values, ranges, comments, attributes. */
  readonly entries: number;
  /**
   * Statements that could not be read. A file with a mistake has a handful, all alike; past a
   * hundred, so much is missing that what is left describes another network.
   */
  readonly errors: number;
}

export const dbcLimits: DbcLimits = {
  fileBytes: 64 * 1024 * 1024,
  signals: 250_000,
  entries: 2_000_000,
  errors: 100,
};

/** Longest text in quotes; a longer one lacks its closing quote. */
export const longestText = 1024 * 1024;

/** Digits and marks of one number: the largest double written out has 309 digits. */
export const longestNumber = 512;

/** Bytes of the longest message: far beyond J1939 transport, and short enough to lay out. */
export const longestMessage = 65_535;

/** How deep switches may depend on switches. */
export const deepestMultiplexing = 32;
