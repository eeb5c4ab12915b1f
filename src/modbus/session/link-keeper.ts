import type { Clock } from '../../base/clock/clock.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import { BackOff } from './back-off.ts';

/** A user that keeps the link open without requests and is notified of its state. */
export interface LinkUse {
  readonly timeoutMs: number;
  /** The link is usable. May be called repeatedly, because timeouts close connections too. */
  opened(nowUs: number): void;
  /** The link failed. It is reopened after a delay. */
  lost(error: BusbarError, nowUs: number): void;
}

interface KeptLink {
  readonly isOpen: boolean;
  readonly isMade: boolean;
  readonly askedUs: number;
  readonly retryUs: number;
  isBackingOff(nowUs: number): boolean;
  refusal(nowUs: number): BusbarError;
  connect(nowUs: number): void;
  abandon(reason: string, nowUs: number): void;
}

/** A link that lasted this long is reopened without delay. */
const lastingUs = 5_000_000;

const never = Number.POSITIVE_INFINITY;

/**
 * Opens the link of a session for users that keep it open. Back-off also applies to a peer that
 * accepts and then closes connections.
 */
export class LinkKeeper {
  readonly #link: KeptLink;
  readonly #backOff = new BackOff();
  /** The link is needed without requests. Read with every response. */
  isNeeded = false;
  #uses: readonly LinkUse[] = [];
  #toNotify: readonly LinkUse[] = [];
  /** Time when the current or last link opened; `never` once its loss was detected. */
  #openedUs = never;

  constructor(link: KeptLink) {
    this.#link = link;
  }

  add(use: LinkUse): void {
    this.#uses = [...this.#uses, use];
    this.#toNotify = [...this.#toNotify, use];
    this.isNeeded = true;
  }

  remove(use: LinkUse): void {
    this.#uses = this.#uses.filter((other) => other !== use);
    this.#toNotify = this.#toNotify.filter((other) => other !== use);
    this.isNeeded = this.#uses.length > 0;
  }

  opened(nowUs: number): void {
    this.#openedUs = nowUs;
    this.#toNotify = [];
    for (const use of this.#uses) use.opened(nowUs);
  }

  lost(error: BusbarError, nowUs: number): void {
    this.#toNotify = [];
    for (const use of this.#uses) use.lost(error, nowUs);
  }

  /** Time to call `run`. A pending request limits a connection attempt with its own timeout. */
  nextDeadlineUs(isRequestWaiting: boolean, clock: Pick<Clock, 'monotonicUs'>): number {
    if (!this.isNeeded) return never;
    if (this.#toNotify.length > 0) return clock.monotonicUs();
    if (this.#link.isMade) return isRequestWaiting ? never : this.#attemptEndUs();
    this.#noteEnd(clock.monotonicUs());
    return Math.max(this.#backOff.untilUs, this.#link.retryUs);
  }

  run(isRequestWaiting: boolean, nowUs: number): void {
    if (!this.isNeeded) return;
    this.#reportState(nowUs);
    if (this.#link.isMade) {
      if (isRequestWaiting || nowUs < this.#attemptEndUs()) return;
      this.#link.abandon('connect_timeout', nowUs);
      return;
    }
    this.#noteEnd(nowUs);
    if (nowUs >= Math.max(this.#backOff.untilUs, this.#link.retryUs)) this.#link.connect(nowUs);
  }

  #reportState(nowUs: number): void {
    const toNotify = this.#toNotify;
    this.#toNotify = [];
    for (const use of toNotify) {
      if (this.#link.isOpen) use.opened(nowUs);
      else if (this.#link.isBackingOff(nowUs)) use.lost(this.#link.refusal(nowUs), nowUs);
    }
  }

  #attemptEndUs(): number {
    if (this.#link.isOpen) return never;
    const maxMs = this.#uses.reduce((max, { timeoutMs }) => Math.max(max, timeoutMs), 0);
    return this.#link.askedUs + 1000 * maxMs;
  }

  #noteEnd(nowUs: number): void {
    if (this.#openedUs === never) return;
    if (nowUs - this.#openedUs >= lastingUs) this.#backOff.succeeded();
    this.#openedUs = never;
    this.#backOff.failed(nowUs);
  }
}
