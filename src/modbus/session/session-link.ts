import type { Clock } from '../../base/clock/clock.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import type { FrameReceiver, Framing } from '../framing/framing.ts';
import { encodeRequest } from '../pdu/encode-request.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import { isTcp } from '../transport/endpoint.ts';
import { BackOff } from './back-off.ts';
import type { WireDirection } from './exchange.ts';
import { LinkKeeper } from './link-keeper.ts';
import type { SessionCounters } from './session-counters.ts';
import { linkError, reasonOf } from './session-errors.ts';
import type { LinkState } from './session-record.ts';
import type { Transport } from './transport.ts';

/** Receives link events. `taken` follows the frames and problems of received bytes. */
export interface LinkUser {
  opened(nowUs: number): void;
  bytes(direction: WireDirection, bytes: Uint8Array): void;
  taken(nowUs: number): void;
  lost(error: BusbarError, nowUs: number): void;
  refused(error: BusbarError, nowUs: number): void;
}

/**
 * More than any response including late ones. A connection has no baud rate that limits a
 * babbling peer.
 */
const maxReceived = 8 * 1024;

const never = Number.POSITIVE_INFINITY;
const always = Number.NEGATIVE_INFINITY;

/**
 * The physical side of a session: opens its link when needed and observes the line's silences.
 */
export class SessionLink {
  readonly keeper = new LinkKeeper(this);
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #counters: SessionCounters;
  readonly #user: LinkUser;
  readonly #framing: Framing;
  readonly #backOff = new BackOff();
  readonly #receiver: LinkReceiver;
  #link: ByteLink | undefined;
  #isOpen = false;
  #hadLink = false;
  #isTaking = false;
  #isRecovering = false;
  #heardBytes = 0;
  #takenUs = 0;
  #askedUs = 0;
  #silentUntilUs = always;
  #refusal = 'closed';
  #transaction = 0;
  #frame: Buffer;
  #view: Buffer;

  constructor(
    transport: Transport,
    clock: Clock,
    counters: SessionCounters,
    frames: FrameReceiver,
    user: LinkUser,
  ) {
    this.#transport = transport;
    this.#clock = clock;
    this.#counters = counters;
    this.#user = user;
    this.#framing = transport.createFraming(frames);
    this.#frame = Buffer.alloc(this.#framing.maxLength);
    this.#view = this.#frame;
    this.#receiver = {
      opened: () => this.#open(),
      bytes: (bytes) => this.#take(bytes),
      closed: (error) => this.#lose(error),
    };
  }

  get state(): LinkState {
    if (this.#isOpen) return 'open';
    if (this.#link !== undefined) return 'connecting';
    return this.isBackingOff(this.#clock.monotonicUs()) ? 'backing_off' : 'closed';
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isMade(): boolean {
    return this.#link !== undefined;
  }

  get retryUs(): number {
    return this.#backOff.untilUs;
  }

  get transaction(): number {
    return this.#transaction;
  }

  get takenUs(): number {
    return this.#takenUs;
  }

  get askedUs(): number {
    return this.#askedUs;
  }

  /** Bytes are being parsed. Nothing is sent until that is done. */
  get isTaking(): boolean {
    return this.#isTaking;
  }

  /** Frames carry transactions, so a stray frame shows a confused peer. */
  get carriesTransactions(): boolean {
    return this.#framing.carriesTransactions;
  }

  /** Time to call `idle`. A waiting request needs the end of the silence. */
  nextDeadlineUs(isRequestWaiting: boolean): number {
    if (!this.#isOpen) return never;
    const framingUs = this.#framing.nextDeadlineUs;
    return isRequestWaiting ? Math.min(framingUs, this.#silentUntilUs) : framingUs;
  }

  idle(nowUs: number): void {
    if (!this.#isOpen || nowUs < this.#framing.nextDeadlineUs) return;
    this.#takenUs = nowUs;
    this.#isTaking = true;
    try {
      this.#framing.idle(nowUs);
    } finally {
      this.#isTaking = false;
    }
  }

  settle(nowUs: number): void {
    if (!this.#isOpen) return;
    this.#takenUs = nowUs;
    this.#isTaking = true;
    try {
      this.#framing.idle(never);
    } finally {
      this.#isTaking = false;
    }
  }

  connect(nowUs: number): void {
    if (this.#link !== undefined) return;
    this.#askedUs = nowUs;
    this.#link = this.#transport.open(this.#receiver);
  }

  /** Returns whether a request can be sent now. Otherwise connects or waits for silence. */
  isReady(nowUs: number): boolean {
    this.connect(nowUs);
    return this.#isOpen && !this.#isTaking && nowUs >= this.#silentUntilUs;
  }

  isBackingOff(nowUs: number): boolean {
    return this.#link === undefined && nowUs < this.#backOff.untilUs;
  }

  refusal(nowUs: number): BusbarError {
    const waitMs = Math.max(0, Math.ceil((this.#backOff.untilUs - nowUs) / 1000));
    return linkError(this.#transport.endpoint, this.#refusal, { retry_in_ms: waitMs });
  }

  send(unit: number, request: ModbusRequest): void {
    const frame = this.#freeFrame();
    this.#sendFrame(unit, encodeRequest(frame, this.#framing.pduOffset, request));
  }

  sendPdu(unit: number, pdu: Uint8Array): void {
    this.#freeFrame().set(pdu, this.#framing.pduOffset);
    this.#sendFrame(unit, pdu.length);
  }

  #freeFrame(): Buffer {
    if ((this.#link as ByteLink).bufferedBytes > 0) {
      // The last frame has not left yet, so its memory is in use.
      this.#frame = Buffer.alloc(this.#framing.maxLength);
      this.#view = this.#frame;
    }
    return this.#frame;
  }

  #sendFrame(unit: number, pduLength: number): void {
    const framing = this.#framing;
    const link = this.#link as ByteLink;
    this.#isRecovering = false;
    this.#heardBytes = 0;
    // Bytes received earlier are not part of the response.
    if (!this.carriesTransactions) framing.reset();
    this.#transaction = (this.#transaction + 1) & 0xffff;
    const frame = this.#frame;
    const at = framing.pduOffset;
    const length = framing.encode(frame, 0, this.#transaction, unit, frame, at, pduLength);
    if (this.#view.length !== length) this.#view = frame.subarray(0, length);
    this.#counters.counts.bytes_out += length;
    framing.sent();
    this.#user.bytes('tx', this.#view);
    link.write(this.#view);
  }

  /**
   * After an error, later bytes must not be matched as a response. Returns false if bytes may
   * still arrive: a serial line stays open, and a converter passes old bytes to the next
   * connection.
   */
  recover(nowUs: number): boolean {
    if (isTcp(this.#transport)) this.drop();
    else {
      this.#framing.reset();
      // A silent unit must not delay the others.
      this.#isRecovering = this.#heardBytes > 0;
      this.#keepSilence(nowUs);
    }
    return this.carriesTransactions;
  }

  drop(): void {
    const link = this.#link;
    this.#forget();
    link?.close();
  }

  stopConnecting(): void {
    if (this.state === 'connecting') this.drop();
  }

  rest(): void {
    if (this.#isOpen) this.#hadLink = false;
    this.drop();
  }

  abandon(reason: string, nowUs: number): BusbarError {
    this.drop();
    return this.#refuse(linkError(this.#transport.endpoint, reason), nowUs);
  }

  #open(): void {
    this.#isOpen = true;
    this.#backOff.succeeded();
    if (this.#hadLink) this.#counters.counts.reconnects += 1;
    this.#hadLink = true;
    const nowUs = this.#clock.monotonicUs();
    this.keeper.opened(nowUs);
    this.#user.opened(nowUs);
  }

  #take(bytes: Uint8Array): void {
    const nowUs = this.#clock.monotonicUs();
    this.#takenUs = nowUs;
    this.#counters.counts.bytes_in += bytes.length;
    this.#heardBytes += bytes.length;
    this.#user.bytes('rx', bytes);
    if (isTcp(this.#transport) && this.#heardBytes > maxReceived) {
      this.#hangUp(nowUs);
      return;
    }
    if (this.#transport.kind !== 'tcp') this.#keepSilence(nowUs);
    this.#isTaking = true;
    try {
      this.#framing.push(bytes, nowUs);
    } finally {
      this.#isTaking = false;
    }
    this.#user.taken(nowUs);
  }

  #hangUp(nowUs: number): void {
    this.drop();
    this.#break(linkError(this.#transport.endpoint, 'flooded_by_peer'), nowUs);
  }

  #keepSilence(nowUs: number): void {
    const silenceUs = this.#isRecovering ? this.#transport.quietUs : this.#transport.gapUs;
    this.#silentUntilUs = Math.max(this.#silentUntilUs, nowUs + silenceUs);
  }

  #lose(cause: BusbarError | undefined): void {
    const wasOpen = this.#isOpen;
    this.#forget();
    const nowUs = this.#clock.monotonicUs();
    const reason = cause === undefined ? 'closed_by_peer' : reasonOf(cause);
    const error = linkError(this.#transport.endpoint, reason, {}, cause);
    if (wasOpen) this.#break(error, nowUs);
    else this.#user.refused(this.#refuse(error, nowUs), nowUs);
  }

  #break(error: BusbarError, nowUs: number): void {
    this.keeper.lost(error, nowUs);
    this.#user.lost(error, nowUs);
  }

  #refuse(error: BusbarError, nowUs: number): BusbarError {
    this.#backOff.failed(nowUs);
    this.#refusal = reasonOf(error);
    this.keeper.lost(error, nowUs);
    return error;
  }

  #forget(): void {
    this.#link = undefined;
    this.#isOpen = false;
    this.#isRecovering = false;
    this.#silentUntilUs = always;
    this.#heardBytes = 0;
    this.#framing.reset();
  }
}
