/**
 * Limits beyond which a file is rejected. The largest files of whole vehicles have about ten
 * thousand signals in a few megabytes. A much larger file is an attack or a mistake.
 */
export interface DbcLimits {
  readonly fileBytes: number;
  readonly signals: number;
  /** Messages, signals, receivers, values, ranges, comments and attributes together. */
  readonly entries: number;
  /**
   * Statements that could not be parsed. A file with a mistake has a few, all alike. With more
   * than a hundred, the remaining statements describe a different network.
   */
  readonly errors: number;
}

export const dbcLimits: DbcLimits = {
  fileBytes: 64 * 1024 * 1024,
  signals: 250_000,
  entries: 2_000_000,
  errors: 100,
};

export const maxTextLength = 1024 * 1024;

export const maxNumberLength = 512;

/** Far beyond J1939 transport, and short enough to lay out. */
export const maxMessageLength = 65_535;

export const deepestMultiplexing = 32;
