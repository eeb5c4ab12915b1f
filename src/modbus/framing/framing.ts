export const framingProblems = [
  /** Bytes outside any frame. */
  'garbage',
  'bad_checksum',
  /** A character that is invalid in an ASCII frame. */
  'bad_character',
  /** A length that no frame has. */
  'bad_length',
  /** The frames name another protocol. */
  'bad_protocol',
  'too_long',
  /** The rest of the frame did not arrive in time, or another frame started. */
  'incomplete',
] as const;
export type FramingProblemKind = (typeof framingProblems)[number];

/** Fields of a damaged frame, as far as they are readable. */
export interface FrameClaim {
  readonly unit: number;
  readonly function: number;
  readonly pduLength: number;
}

export interface FramingProblem {
  readonly kind: FramingProblemKind;
  readonly discarded: number;
  /** Nothing after this can be parsed: the connection must be closed. */
  readonly fatal: boolean;
  /** The first dropped bytes, at most `mostShown`; valid only during the call. */
  readonly bytes: Uint8Array;
  /** Set if everything received was one damaged frame. */
  readonly claim: FrameClaim | undefined;
}

/** Bytes of a damaged frame kept for display. */
export const maxShown = 64;

/** Receives frames from a framing. It may reset the framing, but not push into it. */
export interface FrameReceiver {
  /**
   * A complete frame with a good checksum. Its PDU in `bytes` is valid only during the call.
   * The transaction is 0 if the framing has none.
   */
  frame(transaction: number, unit: number, bytes: Uint8Array, at: number, length: number): void;
  problem(problem: FramingProblem): void;
}

/**
 * Puts PDUs on a line and finds them again. It has no clock: times arrive with the bytes, in
 * microseconds, and never decrease.
 */
export interface Framing {
  /** Whether frames carry a transaction id, so that several requests can be outstanding. */
  readonly carriesTransactions: boolean;
  readonly maxLength: number;
  /** Offset in a frame where `encode` expects a PDU that is already in place. */
  readonly pduOffset: number;
  /** When to call `idle` if nothing arrives; infinite if silence changes nothing. */
  readonly nextDeadlineUs: number;

  /** Accepts received bytes, cut anywhere. */
  push(bytes: Uint8Array, nowUs: number): void;
  /** No bytes arrived up to this time; Infinity ends the wait. */
  idle(nowUs: number): void;
  /** Drops an unfinished frame, as on a new connection. */
  reset(): void;
  /**
   * Writes a frame and returns its length. The PDU is in other memory, or already in `into` at
   * `at + pduOffset`.
   */
  encode(
    into: Uint8Array,
    at: number,
    transaction: number,
    unit: number,
    pdu: Uint8Array,
    pduAt: number,
    pduLength: number,
  ): number;
  /** The frame encoded last is being sent; its echo on the line is dropped. */
  sent(): void;
}

export const placePdu = (
  into: Uint8Array,
  at: number,
  pdu: Uint8Array,
  pduAt: number,
  length: number,
): void => {
  if (pdu === into && pduAt === at) return;
  for (let i = 0; i < length; i++) into[at + i] = pdu[pduAt + i] as number;
};
