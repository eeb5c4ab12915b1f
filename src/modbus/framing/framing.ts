export const framingProblems = [
  /** Bytes that belong to no frame. */
  'garbage',
  'bad_checksum',
  /** A character that has no place in an ASCII frame. */
  'bad_character',
  /** A length that no frame can have. */
  'bad_length',
  /** The stream is not Modbus: its frames name another protocol. */
  'bad_protocol',
  'too_long',
  /** A frame whose rest did not come in time, or in whose place another began. */
  'incomplete',
] as const;
export type FramingProblemKind = (typeof framingProblems)[number];

/** What a damaged frame would be, as far as it can be read. */
export interface FrameClaim {
  readonly unit: number;
  readonly function: number;
  readonly pduLength: number;
}

export interface FramingProblem {
  readonly kind: FramingProblemKind;
  /** Bytes that were thrown away for it. */
  readonly discarded: number;
  /** Nothing that follows can be understood: the connection must be closed. */
  readonly fatal: boolean;
  /** The first of those thrown away, at most `mostShown`; valid during the call only. */
  readonly bytes: Uint8Array;
  /** Where all that came was one damaged frame and nothing else. */
  readonly claim: FrameClaim | undefined;
}

/** Bytes of damaged frames that are kept to be shown. */
export const mostShown = 64;

/** Who takes what a framing finds in the bytes. It may reset the framing, but not push into it. */
export interface FrameReceiver {
  /**
   * A whole frame with a good checksum. Its PDU lies in `bytes` during the call only. The
   * transaction is 0 where the framing carries none.
   */
  frame(transaction: number, unit: number, bytes: Uint8Array, at: number, length: number): void;
  problem(problem: FramingProblem): void;
}

/**
 * How PDUs are put on a line and found there again. It has no clock: times come with the bytes, in
 * microseconds of any origin, and never go back.
 */
export interface Framing {
  /** Whether frames carry a transaction id, so that several requests may be under way. */
  readonly carriesTransactions: boolean;
  /** Most bytes that `encode` writes. */
  readonly maxLength: number;
  /** Where in a frame `encode` takes a PDU that is in its place already. */
  readonly pduOffset: number;
  /** When to call `idle` if nothing arrives until then; infinite when silence changes nothing. */
  readonly nextDeadlineUs: number;

  /** Takes what has arrived, cut anywhere, and tells the receiver what it completes. */
  push(bytes: Uint8Array, nowUs: number): void;
  /** Takes notice that nothing has arrived until now; at infinity, that nothing more is waited for. */
  idle(nowUs: number): void;
  /** Forgets what is unfinished, as on a new connection. */
  reset(): void;
  /**
   * Writes a frame and returns its length. The PDU comes from other memory, or lies in `into` at
   * `at + pduOffset` already.
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
  /** Says that the frame encoded last goes out, so that its echo on the line is not taken for more. */
  sent(): void;
}

/** Copies a PDU to its place, unless it is there. */
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
