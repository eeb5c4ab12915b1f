import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { type IsotpFinding, IsotpFrame, type IsotpFrameOptions } from './isotp-frame.ts';
import { classicDl, flowStatus, maxShortLength, maxSingle, type Pci } from './pci.ts';
import { isReservedStMin, stMinUs } from './st-min.ts';

/**
 *     state      input                            next state
 *     idle       start                            first
 *     first      single frame sent                done
 *                first frame sent                 waiting; sending, if the continue was early
 *     waiting    continue                         sending, or pausing until STmin is over
 *                wait                             waiting; failed, if they are too many
 *                N_Bs over                        failed, flow_control_timeout
 *     sending    CF sent                          sending; pausing, if there is an STmin
 *                last CF of a block sent          waiting; sending, if the continue was early
 *                last CF sent                     done
 *                continue                         kept, if all of the block is at the port
 *     pausing    STmin over                       sending
 *     first, sending   N_As over                  failed, send_timeout
 *     first, waiting, sending, pausing
 *                overflow                         failed, flow_control_overflow
 *                frame dropped by the port        failed, dropped
 *     done, failed, idle   anything but start     no change
 */
export type IsotpSenderState =
  | 'idle'
  | 'first'
  | 'waiting'
  | 'sending'
  | 'pausing'
  | 'done'
  | 'failed';

export type IsotpSenderFailure =
  | 'flow_control_timeout'
  | 'flow_control_overflow'
  | 'send_timeout'
  | 'too_many_waits'
  /** The port dropped a frame that it had accepted. */
  | 'dropped';

export interface IsotpSenderOptions extends IsotpFrameOptions {
  /** Data length of a full frame; always 8 without `fd`. */
  readonly txDl: number;
  /** From one frame sent to the next one, while there is one to send. */
  readonly nAsUs: number;
  /** From a frame that is answered by a flow control to that one; wait restarts it. */
  readonly nBsUs: number;
  /** Wait frames in a row; 0 for any number. */
  readonly waitMax: number;
  /** False: consecutive frames follow without flow control. */
  readonly hasFlowControl?: boolean;
  /** Longest payload. A functional request must fit a single frame. */
  readonly maxLength?: number;
  readonly maxInFlight?: number;
  readonly onFinding?: ((code: IsotpFinding, nowUs: number) => void) | undefined;
}

const never = Number.POSITIVE_INFINITY;

/**
 * Sends one payload at a time. The caller gives each frame that `next` returns to its port and
 * reports it with `sent` in the same order. A flow control may overtake these reports.
 */
export class IsotpSender {
  state: IsotpSenderState = 'idle';
  failure: IsotpSenderFailure | undefined;
  /** Time of the next `expire`; Infinity if none. */
  deadlineUs = never;
  readonly #options: IsotpSenderOptions;
  readonly #addressBytes: number;
  readonly #txDl: number;
  readonly #maxInFlight: number;
  readonly #hasFlowControl: boolean;
  readonly #frame: IsotpFrame;
  #payload: Uint8Array = new Uint8Array(0);
  /** Payload bytes in frames that `next` has returned. */
  #offset = 0;
  #sequence = 0;
  /** Frames that may be given to the port before the next flow control. */
  #blockLeft = 0;
  #inFlight = 0;
  /** Frames of earlier messages that are not reported yet. */
  #stale = 0;
  /** `next` returns the frame again that it returned last. */
  #isPutBack = false;
  #isContinueEarly = false;
  /** Block size and STmin are those of the first continue of a message. */
  #hasParameters = false;
  #blockSize = 0;
  #stMinUs = 0;
  #waits = 0;
  /** End of STmin after the last consecutive frame, also if a flow control came since. */
  #notBeforeUs = 0;

  constructor(options: IsotpSenderOptions) {
    this.#options = options;
    this.#addressBytes = options.address.addressByte === null ? 0 : 1;
    this.#txDl = options.fd ? options.txDl : classicDl;
    this.#maxInFlight = options.maxInFlight ?? 8;
    this.#hasFlowControl = options.hasFlowControl ?? true;
    this.#frame = new IsotpFrame(options);
  }

  get isOver(): boolean {
    return this.state === 'done' || this.state === 'failed' || this.state === 'idle';
  }

  /** Longest payload of a single frame. */
  get maxSingle(): number {
    return maxSingle(this.#txDl, this.#addressBytes);
  }

  /** The payload is not copied. A message under way is cancelled. */
  start(payload: Uint8Array, nowUs: number): void {
    const limit = this.#options.maxLength ?? 0xffff_ffff;
    if (payload.length === 0 || payload.length > limit) {
      const reason = payload.length === 0 ? 'missing' : 'too_long';
      const message = `A message has 1 to ${limit} bytes, not ${payload.length}`;
      throw invalidArgument('data', message, { reason, limit });
    }
    this.cancel();
    this.#payload = payload;
    this.#offset = 0;
    this.#sequence = 0;
    this.#blockLeft = 1;
    this.#isContinueEarly = false;
    this.#hasParameters = false;
    this.#stMinUs = 0;
    this.#waits = 0;
    this.#notBeforeUs = 0;
    this.#enter('first', nowUs + this.#options.nAsUs);
  }

  /** A frame for the port, or null. It is valid until the next call. */
  next(nowUs: number): IsotpFrame | null {
    if (this.state === 'pausing') this.expire(nowUs);
    if (this.state !== 'first' && this.state !== 'sending') return null;
    if (this.#isPutBack) this.#isPutBack = false;
    else if (!this.#mayBuild()) return null;
    else if (this.state === 'sending') this.#buildConsecutive();
    else if (this.#isSingle) this.#buildSingle();
    else this.#buildFirst();
    this.#inFlight += 1;
    this.#blockLeft -= 1;
    return this.#frame;
  }

  /** The port had no room for the frame that `next` returned last. */
  putBack(): void {
    if (this.isOver) {
      this.#stale -= 1;
      return;
    }
    this.#isPutBack = true;
    this.#inFlight -= 1;
    this.#blockLeft += 1;
  }

  /** The end of the oldest frame at the port was at `atUs`. */
  sent(atUs: number): void {
    if (this.#stale > 0) {
      this.#stale -= 1;
      return;
    }
    if (this.#inFlight === 0) return;
    this.#inFlight -= 1;
    if (this.state === 'sending') this.#notBeforeUs = atUs + this.#stMinUs;
    const isLast = this.#inFlight === 0 && this.#offset === this.#payload.length;
    if (isLast && !this.#isPutBack) this.#end('done');
    else if (this.#inFlight === 0 && this.#blockLeft === 0) this.#endBlock(atUs);
    else this.#resume(atUs);
  }

  /** The port dropped the oldest frame that it had accepted. */
  dropped(): void {
    if (this.#stale > 0) this.#stale -= 1;
    else if (this.#inFlight > 0) {
      this.#inFlight -= 1;
      this.#end('failed', 'dropped');
    }
  }

  /** A flow control of the receiver. */
  flow(pci: Pci, nowUs: number): void {
    if (this.isOver) return;
    const isBlockAtPort =
      this.#blockLeft === 0 && this.#offset < this.#payload.length && !this.#isContinueEarly;
    const isExpected = this.#hasFlowControl && isBlockAtPort && !this.#isPutBack;
    const hasBegun = this.#offset > 0 && !this.#isSingle;
    if (pci.status === flowStatus.overflow && hasBegun) {
      this.#end('failed', 'flow_control_overflow');
    } else if (pci.status > flowStatus.overflow) this.#find('bad_flow_status', nowUs);
    else if (!isExpected) this.#find('unexpected_flow_control', nowUs);
    else if (pci.status === flowStatus.wait) this.#wait(nowUs);
    else this.#continue(pci, nowUs);
  }

  /** The deadline has passed. */
  expire(nowUs: number): void {
    if (nowUs < this.deadlineUs) return;
    if (this.state === 'pausing') this.#enter('sending', nowUs + this.#options.nAsUs);
    else if (this.state === 'waiting') this.#end('failed', 'flow_control_timeout');
    else this.#end('failed', 'send_timeout');
  }

  /** The caller no longer wants it. Frames at the port are still reported. */
  cancel(): void {
    this.#end('idle');
  }

  /** The lane was closed: frames at the port are not reported any more. */
  reset(): void {
    this.cancel();
    this.#stale = 0;
  }

  get #isSingle(): boolean {
    return this.#payload.length <= this.maxSingle;
  }

  /** Without STmin the port always has frames in reserve. */
  #mayBuild(): boolean {
    if (this.#blockLeft === 0 || this.#offset === this.#payload.length) return false;
    return this.#inFlight < (this.#stMinUs > 0 ? 1 : this.#maxInFlight);
  }

  #buildSingle(): void {
    const frame = this.#frame;
    const { length } = this.#payload;
    // Up to 8 bytes CAN FD frames have the short form, too.
    if (length <= maxSingle(classicDl, this.#addressBytes)) frame.begin(length);
    else {
      frame.begin(0);
      frame.push(length);
    }
    this.#fill(frame, length);
  }

  #buildFirst(): void {
    const frame = this.#frame;
    const { length } = this.#payload;
    if (length <= maxShortLength) {
      frame.begin(0x10 | (length >> 8));
      frame.push(length & 0xff);
    } else {
      frame.begin(0x10);
      frame.push(0);
      for (let shift = 24; shift >= 0; shift -= 8) frame.push((length >>> shift) & 0xff);
    }
    this.#fill(frame, this.#txDl - frame.length);
  }

  #buildConsecutive(): void {
    this.#sequence = (this.#sequence + 1) & 0x0f;
    const frame = this.#frame;
    frame.begin(0x20 | this.#sequence);
    this.#fill(frame, Math.min(this.#txDl - frame.length, this.#payload.length - this.#offset));
  }

  #fill(frame: IsotpFrame, count: number): void {
    frame.copy(this.#payload, this.#offset, count);
    frame.finish();
    this.#offset += count;
  }

  #endBlock(atUs: number): void {
    if (this.#isContinueEarly || !this.#hasFlowControl) this.#beginBlock(atUs);
    else this.#enter('waiting', atUs + this.#options.nBsUs);
  }

  #continue(pci: Pci, nowUs: number): void {
    if (!this.#hasParameters) {
      this.#hasParameters = true;
      this.#blockSize = pci.blockSize;
      this.#stMinUs = stMinUs(pci.stMin);
      if (isReservedStMin(pci.stMin)) this.#find('reserved_st_min', nowUs);
    }
    this.#waits = 0;
    if (this.state === 'waiting') this.#beginBlock(nowUs);
    else this.#isContinueEarly = true;
  }

  #beginBlock(nowUs: number): void {
    this.#isContinueEarly = false;
    this.#blockLeft = this.#blockSize === 0 || !this.#hasFlowControl ? never : this.#blockSize;
    this.#resume(nowUs);
  }

  #resume(nowUs: number): void {
    if (this.#notBeforeUs > nowUs) this.#enter('pausing', this.#notBeforeUs);
    else this.#enter('sending', nowUs + this.#options.nAsUs);
  }

  #wait(nowUs: number): void {
    const { waitMax, nBsUs } = this.#options;
    this.#waits += 1;
    if (waitMax > 0 && this.#waits > waitMax) this.#end('failed', 'too_many_waits');
    else if (this.state === 'waiting') this.deadlineUs = nowUs + nBsUs;
  }

  #find(code: IsotpFinding, nowUs: number): void {
    this.#options.onFinding?.(code, nowUs);
  }

  #enter(state: IsotpSenderState, deadlineUs: number): void {
    this.state = state;
    this.deadlineUs = deadlineUs;
  }

  #end(state: 'idle' | 'done' | 'failed', failure?: IsotpSenderFailure): void {
    this.#enter(state, never);
    this.failure = failure;
    this.#stale += this.#inFlight;
    this.#inFlight = 0;
    this.#isPutBack = false;
  }
}
