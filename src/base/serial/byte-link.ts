import type { BusbarError } from '../errors/busbar-error.ts';

/** Carries bytes to and from a peer: a TCP connection or an open serial port. */
export interface ByteLink {
  /** Who is at the other end, for people: `127.0.0.1:502`, `/dev/ttyUSB0`. */
  readonly peer: string;
  /** Bytes written that the system has not taken yet. */
  readonly bufferedBytes: number;
  /** Sends bytes, once the link is open. They must not change until `bufferedBytes` is 0 again. */
  write(bytes: Uint8Array): void;
  /** Takes no more bytes from the peer until `resume`, so that it has to wait. */
  pause(): void;
  resume(): void;
  /** Lets go of the link at once, and of what has not been sent. The receiver hears nothing more. */
  close(): void;
}

/** What a link says went wrong, in its owner's terms; the reason is an errno name or a word of ours. */
export type LinkErrorOf = (peer: string, reason: string, cause?: unknown) => BusbarError;

/** Who is told what happens on a link. Nothing is told while the link is still being asked for. */
export interface LinkReceiver {
  /** The link can be written to. An accepted connection is open from the beginning. */
  opened(): void;
  /** The bytes are there during the call only. */
  bytes(bytes: Uint8Array): void;
  /** All that was written has been taken. */
  drained?(): void;
  /**
   * The last call, also when the link never opened. There is no error if the peer ended the
   * connection in an orderly way.
   */
  closed(error: BusbarError | undefined): void;
}
