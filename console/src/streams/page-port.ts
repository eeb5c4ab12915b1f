import { ApiError, errorRecord } from '../api/api-error.ts';
import type { StreamAnswer, StreamReply, StreamRequest } from './stream-messages.ts';

export interface Port {
  onmessage: ((event: MessageEvent<StreamRequest | StreamReply>) => void) | null;
  postMessage(answer: StreamAnswer): void;
  addEventListener(type: 'close', listener: () => void): void;
}

/** Interval of heartbeats to an idle page, which must acknowledge them. */
const heartbeatMs = 5000;
/** A page without an acknowledgment for this long is frozen or closed. */
const acknowledgeTimeoutMs = 60_000;
const maxUnacked = 16 * 1024 * 1024;
const muchUnacked = 1024 * 1024;

const tooSlow = (): ApiError =>
  new ApiError({ code: 'page_too_slow', message: 'This page did not keep up with the stream' });

/**
 * Worker side of a port to a page. If a page lags too far, its port is closed; the page
 * reconnects with its cursor.
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

  /** Called when the page leaves or is closed; immediately if it already was. */
  set onGone(act: () => void) {
    if (this.#isOpen) this.#onGone = act;
    else act();
  }

  get isClear(): boolean {
    return this.#unacked.length === 0;
  }

  get isBehind(): boolean {
    return this.#unackedSize > muchUnacked;
  }

  post(answer: StreamAnswer, size = 0): void {
    if (!this.#isOpen) return;
    // The timeout runs from the first unacknowledged answer.
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
