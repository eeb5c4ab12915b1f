import { globalAddress } from '../../database/j1939.ts';
import { abortReason } from './abort-reasons.ts';
import {
  abortFrame,
  broadcastFrame,
  control,
  dataFrame,
  packetsOf,
  requestToSend,
  type TransportFrame,
  transportLength,
  uint24At,
} from './transport-frames.ts';

/** Times of a sender. */
export const senderUs = {
  /** Between the frames of a broadcast. */
  broadcast: 50_000,
  /** T3: to the CTS or EOMA after the last packet. */
  answer: 1_250_000,
  /** T4: to the next CTS after one that holds the transfer. */
  hold: 1_050_000,
} as const;

/**
 *     state        input                      next state
 *     announcing   announcement sent          pausing (broadcast), waiting
 *     pausing      gap over                   sending
 *     sending      packet sent                sending, or after the last of the block:
 *                                             done (broadcast), waiting
 *                  packet of a broadcast      pausing
 *                  CTS                        failed, abort 4
 *     waiting      CTS n                      sending
 *                  CTS 0                      held
 *                  EOMA                       done
 *                  time-out                   failed, abort 3
 *     held         as waiting
 *     any          abort                      failed
 */
export type SenderState =
  | 'announcing'
  | 'pausing'
  | 'sending'
  | 'waiting'
  | 'held'
  | 'done'
  | 'failed';

export type SenderFailure =
  | { readonly kind: 'aborted'; readonly reason: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'bad_answer' };

export interface TransferOptions {
  readonly source: number;
  readonly destination: number;
  readonly pgn: number;
  readonly payload: Uint8Array;
}

/**
 * Sends a payload of 9 to 1785 bytes by TP.BAM or TP.CM. The caller sends `frame` whenever
 * there is one, and reports it as sent.
 */
export class TransferSender {
  state: SenderState = 'announcing';
  failure: SenderFailure | undefined;
  /** Time of the next `expire`; Infinity if none. */
  deadlineUs = Number.POSITIVE_INFINITY;
  /** To be sent now; after a failure it is an abort. */
  frame: TransportFrame | null;
  /** An answer overtook the report that this frame was sent, which must then be ignored. */
  isOvertaken = false;
  readonly #options: TransferOptions;
  readonly #packets: number;
  #next = 1;
  #blockEnd = 0;

  constructor(options: TransferOptions) {
    this.#options = options;
    const { source, pgn, payload } = options;
    this.#packets = packetsOf(payload.length);
    this.frame = this.#isBroadcast
      ? broadcastFrame(source, pgn, payload.length)
      : requestToSend(options, pgn, payload.length);
    if (this.#isBroadcast) this.#blockEnd = this.#packets;
  }

  get isOver(): boolean {
    return this.state === 'done' || this.state === 'failed';
  }

  /** The frame was sent on the bus. */
  sent(atUs: number): void {
    if (this.isOvertaken) {
      this.isOvertaken = false;
      return;
    }
    // Its abort is still to be sent.
    if (this.isOver) return;
    this.frame = null;
    if (this.state === 'sending') this.#next += 1;
    const isBlockSent = this.#next > this.#blockEnd;
    if (!this.#isBroadcast) {
      if (isBlockSent) this.#wait('waiting', atUs + senderUs.answer);
      else this.#sendPacket();
    } else if (isBlockSent) this.#end('done');
    else this.#wait('pausing', atUs + senderUs.broadcast);
  }

  /** A connection management frame of the destination to the source. */
  received(bytes: Uint8Array, at: number, length: number, nowUs: number): void {
    if (this.isOver || this.#isBroadcast || length !== transportLength) return;
    if (uint24At(bytes, at + 5) !== this.#options.pgn) return;
    switch (bytes[at]) {
      case control.abort:
        this.frame = null;
        this.#end('failed', { kind: 'aborted', reason: bytes[at + 1] as number });
        return;
      case control.endOfMessage:
        this.#overtake(nowUs);
        if (this.#isWaiting && this.#next > this.#packets && this.#isWhole(bytes, at)) {
          this.#end('done');
        } else this.#abort(abortReason.other, { kind: 'bad_answer' });
        return;
      case control.cts:
        this.#clear(bytes[at + 1] as number, bytes[at + 2] as number, nowUs);
    }
  }

  /** Whether an EOMA has the size of the payload. */
  #isWhole(bytes: Uint8Array, at: number): boolean {
    const size = (bytes[at + 1] as number) | ((bytes[at + 2] as number) << 8);
    return size === this.#options.payload.length;
  }

  /** The deadline has passed. */
  expire(nowUs: number): void {
    if (nowUs < this.deadlineUs) return;
    if (this.state === 'pausing') this.#sendPacket();
    else if (this.#isWaiting) this.#abort(abortReason.timeout, { kind: 'timeout' });
  }

  /** The caller no longer wants it. */
  cancel(): void {
    if (this.isOver) return;
    if (this.#isBroadcast) {
      this.frame = null;
      this.#end('failed');
    } else {
      this.#abort(abortReason.other, { kind: 'bad_answer' });
    }
  }

  get #isBroadcast(): boolean {
    return this.#options.destination === globalAddress;
  }

  get #isWaiting(): boolean {
    return this.state === 'waiting' || this.state === 'held';
  }

  #clear(packets: number, next: number, nowUs: number): void {
    this.#overtake(nowUs);
    if (!this.#isWaiting) {
      this.#abort(abortReason.ctsDuringData, { kind: 'bad_answer' });
      return;
    }
    if (packets === 0) {
      this.#wait('held', nowUs + senderUs.hold);
    } else if (next === 0 || next > this.#packets) {
      this.#abort(abortReason.badSequence, { kind: 'bad_answer' });
    } else {
      this.#next = next;
      // Receivers can allow more packets than remain.
      this.#blockEnd = Math.min(next + packets - 1, this.#packets);
      this.#sendPacket();
    }
  }

  /** The frame that is answered was sent, although its report comes later. */
  #overtake(nowUs: number): void {
    const isAnswered =
      this.state === 'announcing' || (this.state === 'sending' && this.#next === this.#blockEnd);
    if (!isAnswered) return;
    this.sent(nowUs);
    this.isOvertaken = true;
  }

  #sendPacket(): void {
    this.state = 'sending';
    this.deadlineUs = Number.POSITIVE_INFINITY;
    this.frame = dataFrame(this.#options, this.#options.payload, this.#next);
  }

  #wait(state: SenderState, untilUs: number): void {
    this.state = state;
    this.deadlineUs = untilUs;
  }

  #abort(reason: number, failure: SenderFailure): void {
    const { pgn } = this.#options;
    this.frame = abortFrame(this.#options, pgn, reason);
    this.#end('failed', failure);
  }

  #end(state: 'done' | 'failed', failure?: SenderFailure): void {
    this.state = state;
    this.failure = failure;
    this.deadlineUs = Number.POSITIVE_INFINITY;
  }
}
