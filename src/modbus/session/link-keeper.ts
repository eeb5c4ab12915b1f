import type { Clock } from '../../base/clock/clock.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import { BackOff } from './back-off.ts';

/** A user of a session that needs its link also while it asks nothing, and is told what becomes of it. */
export interface LinkUse {
  /** How long an attempt to make the link may take, if no request waits for it. */
  readonly timeoutMs: number;
  /** The link can be used. It may be told so again, as time-outs end connections too. */
  opened(nowUs: number): void;
  /** It broke or could not be made, and is made again after a while. */
  lost(error: BusbarError, nowUs: number): void;
}

/** The link that is kept. */
interface KeptLink {
  readonly isOpen: boolean;
  /** It is open or just being made. */
  readonly isMade: boolean;
  /** When it was asked for. */
  readonly askedUs: number;
  /** It is not made before. */
  readonly retryUs: number;
  isBackingOff(nowUs: number): boolean;
  refusal(nowUs: number): BusbarError;
  connect(nowUs: number): void;
  giveUp(reason: string, nowUs: number): void;
}

/** A link that lasted for so long is made again as soon as one that has never failed. */
const lastingUs = 5_000_000;

const never = Number.POSITIVE_INFINITY;

/**
 * Makes the link of a session for users that want it kept open. A peer that takes connections and ends
 * them is left alone for longer each time, as one is that takes none.
 */
export class LinkKeeper {
  readonly #link: KeptLink;
  readonly #backOff = new BackOff();
  /** Whether the link is wanted without requests: sessions look at it with every answer. */
  isNeeded = false;
  #uses: readonly LinkUse[] = [];
  /** Those that were not told yet how the link is. */
  #toNotify: readonly LinkUse[] = [];
  /** When the link was opened that is or was there last; never if its end was noticed. */
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

  /** The link broke, or could not be made. */
  lost(error: BusbarError, nowUs: number): void {
    this.#toNotify = [];
    for (const use of this.#uses) use.lost(error, nowUs);
  }

  /** When to call `run`; an attempt that a request waits for is limited by that one. */
  nextDeadlineUs(isRequestWaiting: boolean, clock: Pick<Clock, 'monotonicUs'>): number {
    if (!this.isNeeded) return never;
    if (this.#toNotify.length > 0) return clock.monotonicUs();
    if (this.#link.isMade) return isRequestWaiting ? never : this.#attemptEndUs();
    this.#noteEnd(clock.monotonicUs());
    return Math.max(this.#backOff.untilUs, this.#link.retryUs);
  }

  run(isRequestWaiting: boolean, nowUs: number): void {
    if (!this.isNeeded) return;
    this.#tellState(nowUs);
    if (this.#link.isMade) {
      if (isRequestWaiting || nowUs < this.#attemptEndUs()) return;
      this.#link.giveUp('connect_timeout', nowUs);
      return;
    }
    this.#noteEnd(nowUs);
    if (nowUs >= Math.max(this.#backOff.untilUs, this.#link.retryUs)) this.#link.connect(nowUs);
  }

  #tellState(nowUs: number): void {
    const toNotify = this.#toNotify;
    this.#toNotify = [];
    for (const use of toNotify) {
      if (this.#link.isOpen) use.opened(nowUs);
      else if (this.#link.isBackingOff(nowUs)) use.lost(this.#link.refusal(nowUs), nowUs);
    }
  }

  #attemptEndUs(): number {
    if (this.#link.isOpen) return never;
    const longestMs = this.#uses.reduce((most, { timeoutMs }) => Math.max(most, timeoutMs), 0);
    return this.#link.askedUs + 1000 * longestMs;
  }

  /** The link is gone, also where the session itself ended it. */
  #noteEnd(nowUs: number): void {
    if (this.#openedUs === never) return;
    if (nowUs - this.#openedUs >= lastingUs) this.#backOff.succeeded();
    this.#openedUs = never;
    this.#backOff.failed(nowUs);
  }
}
