import { ApiError, errorRecord } from '../api/api-error.ts';
import type { StreamAnswer, StreamReply, StreamRequest } from './stream-messages.ts';

/** As much of a MessagePort as is needed. */
export interface Port {
  onmessage: ((event: MessageEvent<StreamRequest | StreamReply>) => void) | null;
  postMessage(answer: StreamAnswer): void;
  addEventListener(type: 'close', listener: () => void): void;
}

/** A page that gets nothing else gets a heartbeat so often, and has to acknowledge it. */
const heartbeatMs = 5000;
/** A page that acknowledges nothing for so long is frozen, or gone without a word. */
const acknowledgeTimeoutMs = 60_000;
/** How much a page may leave unacknowledged, in characters. */
const maxUnacked = 16 * 1024 * 1024;
/** How much of it is more than a page processes at once. */
const muchUnacked = 1024 * 1024;

const tooSlow = (): ApiError =>
  new ApiError({ code: 'page_too_slow', message: 'This page did not keep up with the stream' });

/**
 * The worker's end of a port to a page. Messages to a page that does not process them would pile up:
 * its port is ended then, and the page comes back with its cursor when it can.
 */
export class PagePort {
  readonly #port: Port;
  readonly #now: () => number;
  readonly #unacked: number[] = [];
  #unackedSize = 0;
  #ackedAtMs: number;
  #isOpen = true;
  #onGone: () => void = () => {};

  constructor(port: Port, now: () => number) {
    this.#port = port;
    this.#now = now;
    this.#ackedAtMs = now();
  }

  /** Called when the page wants nothing more, or is gone; at once if it is already. */
  set onGone(act: () => void) {
    if (this.#isOpen) this.#onGone = act;
    else act();
  }

  /** Whether the page has acknowledged everything. */
  get isClear(): boolean {
    return this.#unacked.length === 0;
  }

  /** Whether the page has much to process still. */
  get isBehind(): boolean {
    return this.#unackedSize > muchUnacked;
  }

  post(answer: StreamAnswer, size = 0): void {
    if (!this.#isOpen) return;
    // Its time-out runs from the first answer that is not acknowledged.
    if (this.isClear) this.#ackedAtMs = this.#now();
    this.#unacked.push(size);
    this.#unackedSize += size;
    this.#port.postMessage(answer);
    if (this.#unackedSize > maxUnacked) this.end(tooSlow());
  }

  receive(reply: StreamReply): void {
    if (reply.type === 'leave') this.#leave();
    this.#ackedAtMs = this.#now();
    this.#unackedSize -= this.#unacked.shift() ?? 0;
  }

  /** Looks whether the page is still there. To be called now and then. */
  check(): void {
    const quietMs = this.#now() - this.#ackedAtMs;
    if (!this.isClear && quietMs > acknowledgeTimeoutMs) this.end(null);
    else if (this.isClear && quietMs > heartbeatMs) this.post({ type: 'heartbeat' });
  }

  end(error: ApiError | null): void {
    if (!this.#isOpen) return;
    this.#port.postMessage({ type: 'end', error: error && errorRecord(error) });
    this.#leave();
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onGone();
  }
}
