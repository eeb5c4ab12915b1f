import type { BusbarError } from '../errors/busbar-error.ts';

/** Bytes to and from a peer: a TCP connection or an open serial port. */
export interface ByteLink {
  /** The peer for people: `127.0.0.1:502`, `/dev/ttyUSB0`. */
  readonly peer: string;
  readonly bufferedBytes: number;
  /** Sends bytes on an open link. They must not change until `bufferedBytes` is 0. */
  write(bytes: Uint8Array): void;
  /** Stops reading until `resume`, so that the peer has to wait. */
  pause(): void;
  resume(): void;
  /** Closes immediately and drops unsent bytes. The receiver gets no further call. */
  close(): void;
}

/** The owner's error for a link failure; the reason is an errno name or our own. */
export type LinkErrorOf = (peer: string, reason: string, cause?: unknown) => BusbarError;

/** Receives the events of a link, never during the call that opens it. */
export interface LinkReceiver {
  /** The link is writable. An accepted connection is open from the start. */
  opened(): void;
  /** Valid only during the call. */
  bytes(bytes: Uint8Array): void;
  /** Everything written was taken. */
  drained?(): void;
  /** The last call, also if the link never opened. No error if the peer closed orderly. */
  closed(error: BusbarError | undefined): void;
}
