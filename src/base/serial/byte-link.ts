import type { BusbarError } from '../errors/busbar-error.ts';

export interface ByteLink {
  readonly peer: string;
  readonly bufferedBytes: number;
  /** Sends bytes. They must not change until `bufferedBytes` is 0. */
  write(bytes: Uint8Array): void;
  pause(): void;
  resume(): void;
  /** Closes immediately and drops unsent bytes. The receiver gets no further call. */
  close(): void;
}

export type LinkErrorOf = (peer: string, reason: string, cause?: unknown) => BusbarError;

/** Receives the events of a link, never during the call that opens it. */
export interface LinkReceiver {
  opened(): void;
  bytes(bytes: Uint8Array): void;
  drained?(): void;
  /**
   * The last call, even if the link never opened. Without an error, the peer closed the link
   * normally.
   */
  closed(error: BusbarError | undefined): void;
}
