import type { ErrorRecord } from '../base/errors/busbar-error.ts';

/**
 * What CLI and daemon say to each other: JSON objects, one a line. Each side opens with a Hello;
 * the caller may send its requests right behind it. Every reply carries the id of its request.
 * A call may report its progress before its answer; a stream sends messages, and batches of events
 * whose bytes follow their line as they are. One Answer ends either.
 */
export const linkProtocol = 2;

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

/** Asks for a call to be given up. It is answered all the same, with how far it came. */
export interface Cancellation {
  /** The id of the call. */
  readonly cancel: number;
}

export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: ErrorRecord;
}

/** How far a call has come. */
export interface Progress {
  readonly id: number;
  readonly progress: unknown;
}

/** Something that a stream tells beside its events. */
export interface StreamMessage {
  readonly id: number;
  readonly message: object;
}

/** Announces the raw bytes that follow its line: that many records, back to back. */
export interface StreamBatch {
  readonly id: number;
  readonly batch: { readonly bytes: number; readonly records: number };
}

/** All that the daemon says after its hello. */
export type Reply = Answer | Progress | StreamMessage | StreamBatch;

/** The daemon's reply to a hello it cannot accept, before it hangs up. */
export interface Rejection {
  readonly error: ErrorRecord;
}

/** Longest line either side takes. Larger than any response may be. */
export const longestLine = 4 * 1024 * 1024;

/** Most bytes of one batch. */
export const longestBatch = 1024 * 1024;

export const encodeLine = (message: object): string => `${JSON.stringify(message)}\n`;
