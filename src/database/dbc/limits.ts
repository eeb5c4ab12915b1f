/**
 * Limits beyond which a file is rejected. The largest files of whole vehicles have some ten thousand
 * signals in a few megabytes; a file far beyond that is an attack or a mistake.
 */
export interface DbcLimits {
  readonly fileBytes: number;
  /** Signals of all messages. */
  readonly signals: number;
  /** Everything kept: messages, signals, receivers, values, ranges, comments, attributes. */
  readonly entries: number;
  /**
   * Statements that could not be parsed. A file with a mistake has a handful, all alike; beyond a hundred,
   * the rest describes a different network.
   */
  readonly errors: number;
}

export const dbcLimits: DbcLimits = {
  fileBytes: 64 * 1024 * 1024,
  signals: 250_000,
  entries: 2_000_000,
  errors: 100,
};

/** Maximum length of a quoted text; a longer one lacks its closing quote. */
export const maxTextLength = 1024 * 1024;

/** Maximum length of a number: the largest double has 309 digits. */
export const maxNumberLength = 512;

/** Maximum message length in bytes: far beyond J1939 transport, and short enough to lay out. */
export const maxMessageLength = 65_535;

/** Maximum depth of switches that depend on switches. */
export const deepestMultiplexing = 32;
