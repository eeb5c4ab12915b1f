import type { ErrorRecord } from '../base/errors/busbar-error.ts';

/**
 * What CLI and daemon say to each other: JSON objects, one a line. Each side opens with a Hello;
 * the caller may send requests directly after it. Every reply carries the id of its request.
 * A call may report its progress before its answer; a stream sends messages, and batches of events
 * whose bytes follow their line as they are. One Answer ends either.
 */
export const linkProtocol = 2;

export interface Hello {
  /** Protocol number; both sides must agree. */
  readonly busbar: number;
  readonly version: string;
  /** Process of the sender. */
  readonly pid: number;
}

export interface Request {
  readonly id: number;
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Absolute project directory of the caller, or null. */
  readonly project: string | null;
}

/** Cancels a call, which is still answered with its progress. */
export interface Cancellation {
  readonly cancel: number;
}

export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: ErrorRecord;
}

export interface Progress {
  readonly id: number;
  readonly progress: unknown;
}

/** A message of a stream besides its events. */
export interface StreamMessage {
  readonly id: number;
  readonly message: object;
}

/** Announces raw bytes: so many records, back to back. */
export interface StreamBatch {
  readonly id: number;
  readonly batch: { readonly bytes: number; readonly records: number };
}

export type Reply = Answer | Progress | StreamMessage | StreamBatch;

/** Refusal of a hello. */
export interface Rejection {
  readonly error: ErrorRecord;
}

/** Maximum line, larger than any response. */
export const maxLineLength = 4 * 1024 * 1024;

export const maxBatch = 1024 * 1024;

export const encodeLine = (message: object): string => `${JSON.stringify(message)}\n`;
