import type { ErrorRecord } from '../base/errors/busbar-error.ts';

/**
 * What CLI and daemon say to each other: JSON objects, one a line. Each side opens with a Hello;
 * the caller may send its requests right behind it. Every answer carries the id of its request.
 */
export const linkProtocol = 1;

export interface Hello {
  /** Number of the protocol; sides with different numbers do not talk. */
  readonly busbar: number;
  readonly version: string;
  /** Process that says hello. */
  readonly pid: number;
}

export interface Request {
  readonly id: number;
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Absolute directory of the Bench that the caller chose, or null. */
  readonly project: string | null;
}

export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: ErrorRecord;
}

/** The daemon's reply to a hello it cannot accept, before it hangs up. */
export interface Rejection {
  readonly error: ErrorRecord;
}

/** Longest line either side takes. Larger than any response may be. */
export const longestLine = 4 * 1024 * 1024;

export const encodeLine = (message: object): string => `${JSON.stringify(message)}\n`;
