import type { ErrorRecord } from '../base/errors/busbar-error.ts';

/**
 * Protocol between CLI and daemon: JSON objects, one per line. Each side starts with a Hello;
 * the caller can send requests directly after it. Every reply contains the id of its request. A
 * call can report progress before its answer. A stream sends messages, and batches whose raw
 * bytes follow their line. An Answer completes either.
 */
export const linkProtocol = 2;

export interface Hello {
  readonly busbar: number;
  readonly version: string;
  readonly pid: number;
}

export interface Request {
  readonly id: number;
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
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

export interface StreamMessage {
  readonly id: number;
  readonly message: object;
}

export interface StreamBatch {
  readonly id: number;
  readonly batch: { readonly bytes: number; readonly records: number };
}

export type Reply = Answer | Progress | StreamMessage | StreamBatch;

export interface Rejection {
  readonly error: ErrorRecord;
}

export const maxLineLength = 4 * 1024 * 1024;

export const maxBatch = 1024 * 1024;

export const encodeLine = (message: object): string => `${JSON.stringify(message)}\n`;
