export const framingProblems = [
  'garbage',
  'bad_checksum',
  'bad_character',
  'bad_length',
  'bad_protocol',
  'too_long',
  /** The frame was not completed in time, or another frame started. */
  'incomplete',
] as const;
export type FramingProblemKind = (typeof framingProblems)[number];

export interface FrameClaim {
  readonly unit: number;
  readonly function: number;
  readonly pduLength: number;
}

export interface FramingProblem {
  readonly kind: FramingProblemKind;
  readonly discarded: number;
  /** The stream cannot be parsed any further: the connection must be closed. */
  readonly fatal: boolean;
  /** The first dropped bytes, at most `maxShown`; valid only during the call. */
  readonly bytes: Uint8Array;
  /** Set if everything received was one damaged frame. */
  readonly claim: FrameClaim | undefined;
}

export const maxShown = 64;

/** Receives frames from a framing. It may reset the framing, but not push into it. */
export interface FrameReceiver {
  /**
   * A complete frame with a valid checksum. Its PDU in `bytes` is valid only during the call.
   * The transaction is 0 if the framing has none.
   */
  frame(transaction: number, unit: number, bytes: Uint8Array, at: number, length: number): void;
  problem(problem: FramingProblem): void;
}

/**
 * Encodes and parses frames. It has no clock: times are passed with the bytes, in microseconds,
 * and never decrease.
 */
export interface Framing {
  /** Frames carry a transaction id, so several requests can be outstanding. */
  readonly carriesTransactions: boolean;
  readonly maxLength: number;
  /** Offset in a frame where `encode` expects a PDU that is already in place. */
  readonly pduOffset: number;
  /** Time to call `idle` if no bytes are received; infinite if silence changes nothing. */
  readonly nextDeadlineUs: number;

  /** Accepts received bytes in chunks of any size. */
  push(bytes: Uint8Array, nowUs: number): void;
  /** No bytes were received up to this time. Infinity ends the wait. */
  idle(nowUs: number): void;
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
  /** The last encoded frame is being sent. Its echo on the line is dropped. */
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
