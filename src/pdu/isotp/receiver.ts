import { type IsotpFinding, IsotpFrame, type IsotpFrameOptions } from './isotp-frame.ts';
import { flowStatus, maxSingle, type Pci } from './pci.ts';
import { stMinByte } from './st-min.ts';

/**
 *     state      input                           next state
 *     idle       first frame                     clearing
 *                too long first frame            idle, response_too_long, overflow to be sent
 *                single frame                    idle, payload
 *                consecutive frame               idle
 *     clearing   flow control sent               receiving
 *                N_Ar over                       idle, send_timeout
 *                flow control dropped            idle, dropped
 *     receiving  N_Cr over                       idle, consecutive_frame_timeout
 *     clearing,  consecutive frame               receiving, if the flow control is at the port
 *     receiving  last of a block                 clearing
 *                last of the message             idle, payload
 *                with a wrong sequence number    idle, sequence_error
 *                with a wrong length             no change
 *                single or first frame           as idle, after replaced
 *
 * A consecutive frame may overtake the report that the flow control before it was sent.
 */
export type IsotpReceiverState = 'idle' | 'clearing' | 'receiving';

export type IsotpReceiverFailure =
  | 'consecutive_frame_timeout'
  | 'sequence_error'
  | 'response_too_long'
  /** The sender began another message. */
  | 'replaced'
  /** The flow control was not sent in time. */
  | 'send_timeout'
  /** The port dropped the flow control. */
  | 'dropped';

export interface IsotpReceiverOptions extends IsotpFrameOptions {
  /** Of our flow controls; 0 for one flow control a message. */
  readonly blockSize: number;
  readonly stMinUs: number;
  readonly maxLength: number;
  readonly nArUs: number;
  readonly nCrUs: number;
  /** False: messages come without flow control. */
  readonly hasFlowControl?: boolean;
  /** Functional requests have no first frames. */
  readonly isFunctional?: boolean;
  /** A message began; `length` is announced. */
  readonly onBegin?: ((length: number, nowUs: number) => void) | undefined;
  /** The payload is valid during the call. */
  readonly onPayload: (payload: Uint8Array, nowUs: number) => void;
  readonly onFailed?: ((code: IsotpReceiverFailure, nowUs: number) => void) | undefined;
  readonly onFinding?: ((code: IsotpFinding, nowUs: number) => void) | undefined;
}

const never = Number.POSITIVE_INFINITY;
const noFlow = -1;

/** Memory follows the data, not the announced length, and is kept up to this size. */
const firstBytes = 4096;
const maxKeptBytes = 65_536;

/**
 * Receives the messages of one address. The caller gives each flow control that `next` returns
 * to its port and reports it with `sent` in the same order.
 */
export class IsotpReceiver {
  state: IsotpReceiverState = 'idle';
  /** Time of the next `expire`; Infinity if none. */
  deadlineUs = never;
  readonly #options: IsotpReceiverOptions;
  readonly #hasFlowControl: boolean;
  readonly #addressBytes: number;
  readonly #frame: IsotpFrame;
  readonly #stMin: number;
  /** Status of the flow control for `next`, or `noFlow`. */
  #flow = noFlow;
  #inFlight = 0;
  #bytes = new Uint8Array(firstBytes);
  readonly #singles: Uint8Array[] = [];
  #length = 0;
  #received = 0;
  #sequence = 0;
  #blockLeft = 0;
  /** Length of the first frame, which all but the last one have. */
  #frameLength = 0;

  constructor(options: IsotpReceiverOptions) {
    this.#options = options;
    this.#hasFlowControl = options.hasFlowControl ?? true;
    this.#addressBytes = options.address.addressByte === null ? 0 : 1;
    this.#frame = new IsotpFrame(options);
    this.#stMin = stMinByte(options.stMinUs);
  }

  /** A frame for this receiver, whose data begins at `at`. Flow controls are the sender's. */
  received(pci: Pci, bytes: Uint8Array, at: number, nowUs: number): void {
    const end = at + pci.frameLength;
    switch (pci.kind) {
      case 'single':
        this.#replace(nowUs);
        this.#single(pci, bytes, nowUs);
        break;
      case 'first':
        if (this.#options.isFunctional) return;
        this.#replace(nowUs);
        this.#first(pci, bytes, end, nowUs);
        break;
      case 'consecutive':
        if (this.state !== 'idle') this.#consecutive(pci, bytes, end, nowUs);
    }
  }

  /** A flow control for the port, or null. It is valid until the next call. */
  next(): IsotpFrame | null {
    if (this.#flow === noFlow) return null;
    const frame = this.#frame;
    frame.begin(0x30 | this.#flow);
    frame.push(this.#options.blockSize);
    frame.push(this.#stMin);
    frame.finish();
    this.#flow = noFlow;
    this.#inFlight += 1;
    return frame;
  }

  /** The port had no room for the flow control that `next` returned last. */
  putBack(): void {
    this.#inFlight -= 1;
    this.#flow = this.state === 'idle' ? flowStatus.overflow : flowStatus.continue;
  }

  /** The end of the oldest flow control at the port was at `atUs`. */
  sent(atUs: number): void {
    if (this.#inFlight === 0) return;
    this.#inFlight -= 1;
    const isClear = this.#inFlight === 0 && this.#flow === noFlow;
    if (this.state === 'clearing' && isClear) this.#await(atUs);
  }

  /** The port dropped the oldest flow control that it had accepted. */
  dropped(nowUs: number): void {
    if (this.#inFlight === 0) return;
    this.#inFlight -= 1;
    const isClear = this.#inFlight === 0 && this.#flow === noFlow;
    if (this.state === 'clearing' && isClear) this.#fail('dropped', nowUs);
  }

  /** The deadline has passed. */
  expire(nowUs: number): void {
    if (nowUs < this.deadlineUs) return;
    this.#fail(this.state === 'clearing' ? 'send_timeout' : 'consecutive_frame_timeout', nowUs);
  }

  /** Drops what was received. Flow controls at the port are still reported. */
  cancel(): void {
    this.state = 'idle';
    this.deadlineUs = never;
    this.#flow = noFlow;
    if (this.#bytes.length > maxKeptBytes) this.#use(new Uint8Array(firstBytes));
  }

  /** The lane was closed: flow controls at the port are not reported any more. */
  reset(): void {
    this.cancel();
    this.#inFlight = 0;
  }

  #single(pci: Pci, bytes: Uint8Array, nowUs: number): void {
    const { onBegin, onPayload } = this.#options;
    const { length, dataAt } = pci;
    onBegin?.(length, nowUs);
    this.#store(bytes, dataAt, 0, length);
    onPayload(this.#view(length), nowUs);
  }

  #first(pci: Pci, bytes: Uint8Array, end: number, nowUs: number): void {
    const { length, dataAt, frameLength } = pci;
    const { onBegin, onFinding, maxLength } = this.#options;
    if (length <= maxSingle(frameLength, this.#addressBytes)) {
      onFinding?.('short_first_frame', nowUs);
      return;
    }
    onBegin?.(length, nowUs);
    if (length > maxLength) {
      this.#fail('response_too_long', nowUs);
      if (this.#hasFlowControl) this.#flow = flowStatus.overflow;
      return;
    }
    this.#length = length;
    this.#frameLength = frameLength;
    this.#sequence = 0;
    this.#received = 0;
    this.#append(bytes, dataAt, end - dataAt);
    this.#clear(nowUs);
  }

  #consecutive(pci: Pci, bytes: Uint8Array, end: number, nowUs: number): void {
    const { sequence, dataAt, frameLength } = pci;
    const { onFinding } = this.#options;
    const remaining = this.#length - this.#received;
    const full = this.#frameLength - this.#addressBytes - 1;
    const count = Math.min(remaining, end - dataAt);
    if (frameLength > this.#frameLength || count < Math.min(remaining, full)) {
      onFinding?.('bad_frame_length', nowUs);
      return;
    }
    this.#sequence = (this.#sequence + 1) & 0x0f;
    if (sequence !== this.#sequence) {
      this.#fail('sequence_error', nowUs);
      return;
    }
    this.#append(bytes, dataAt, count);
    if (count === remaining) {
      this.#complete(nowUs);
      return;
    }
    this.#blockLeft -= 1;
    if (this.#blockLeft === 0) this.#clear(nowUs);
    else if (this.state === 'receiving' || this.#flow === noFlow) this.#await(nowUs);
  }

  #complete(nowUs: number): void {
    const length = this.#length;
    const bytes = this.#bytes;
    this.cancel();
    this.#options.onPayload(bytes.subarray(0, length), nowUs);
  }

  /** The next block may come. */
  #clear(nowUs: number): void {
    this.#blockLeft = this.#options.blockSize || never;
    if (!this.#hasFlowControl) {
      this.#await(nowUs);
      return;
    }
    this.#flow = flowStatus.continue;
    this.state = 'clearing';
    this.deadlineUs = nowUs + this.#options.nArUs;
  }

  #await(sinceUs: number): void {
    this.state = 'receiving';
    this.deadlineUs = sinceUs + this.#options.nCrUs;
  }

  #append(bytes: Uint8Array, from: number, count: number): void {
    this.#store(bytes, from, this.#received, count);
    this.#received += count;
  }

  #store(bytes: Uint8Array, from: number, to: number, count: number): void {
    if (to + count > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#use(grown);
    }
    for (let i = 0; i < count; i++) this.#bytes[to + i] = bytes[from + i] as number;
  }

  #use(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#singles.length = 0;
  }

  /** Single frames have one view for each length, so that they allocate nothing. */
  #view(length: number): Uint8Array {
    const view = this.#singles[length] ?? this.#bytes.subarray(0, length);
    this.#singles[length] = view;
    return view;
  }

  #replace(nowUs: number): void {
    if (this.state !== 'idle') this.#fail('replaced', nowUs);
  }

  #fail(code: IsotpReceiverFailure, nowUs: number): void {
    this.cancel();
    this.#options.onFailed?.(code, nowUs);
  }
}
