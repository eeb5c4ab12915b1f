import type { EventFilter } from '../frame/event-filter.ts';
import type { MergedReader } from './merged-reader.ts';
import type { EndReason, Outlet } from './outlet.ts';
import type { RecordVisitor } from './reader.ts';
import type { Staging } from './staging.ts';

export interface FeedOptions {
  readonly reader: MergedReader;
  readonly outlet: Outlet;
  /** All channels are asked for, also those opened later. */
  readonly everyChannel: boolean;
  /** The client came with a cursor that has expired, so how much it missed is not known. */
  readonly startsBehindGap: boolean;
  /** Which records the client wants; left out, all of them. */
  readonly accepts?: EventFilter | undefined;
}

/** So many records in a row that the outlet did not want are worth telling how far the cursor has come. */
const passedOverMark = 1024;

/** One subscription at work: takes records from a cursor and gives them to an outlet. */
export class Feed implements RecordVisitor {
  readonly reader: MergedReader;
  readonly outlet: Outlet;
  readonly everyChannel: boolean;
  readonly #accepts: EventFilter | undefined;
  #hasUnknownGap: boolean;
  #isOpen = true;
  #passedOver = 0;

  constructor({ reader, outlet, everyChannel, startsBehindGap, accepts }: FeedOptions) {
    this.reader = reader;
    this.outlet = outlet;
    this.everyChannel = everyChannel;
    this.#hasUnknownGap = startsBehindGap;
    this.#accepts = accepts;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isReady(): boolean {
    return this.#isOpen && this.outlet.isReady;
  }

  /** Whether there is anything that the outlet has not been given. */
  get hasNews(): boolean {
    return this.#hasGap() || this.reader.hasBacklog();
  }

  /** Gives what is next, up to a number of records, as one write; how many messages that were. */
  serve(limit: number): number {
    if (!this.isReady || !this.hasNews) return 0;
    let messages = 0;
    // A pass that ends before a gap at once is taken up again behind it.
    do {
      messages += this.#giveGap();
      if (this.#isOpen) messages += this.reader.pass(this, limit);
    } while (messages === 0 && this.#hasGap());
    if (this.#isOpen && messages > 0) {
      this.#tellPassedOver();
      this.outlet.flush();
    }
    return messages;
  }

  /** Gives what is left of a channel that was closed, as far as the outlet takes it, and forgets it. */
  leave(channel: number, limit: number): void {
    while (this.reader.lagOf(channel) > 0 && this.serve(limit) > 0);
    this.reader.drop(channel);
  }

  /** Ends the outlet. What could not be given any more is told, even to one that is not ready. */
  end(reason: EndReason): void {
    if (!this.#isOpen) return;
    if (this.#giveGap() > 0 && this.#isOpen) this.outlet.flush();
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.outlet.end(reason);
  }

  close(): void {
    this.#isOpen = false;
  }

  record(staging: Staging, offset: number): boolean {
    if (this.#accepts?.(staging.view, offset) === false) {
      this.#passedOver += 1;
      return this.#isOpen;
    }
    this.#passedOver = 0;
    return this.outlet.record(staging, offset) && this.#isOpen;
  }

  /** A client that gets nothing for long could otherwise come back only with a cursor that is old. */
  #tellPassedOver(): void {
    if (this.#passedOver < passedOverMark) return;
    this.#passedOver = 0;
    this.outlet.passedOver?.(this.reader.position);
  }

  /** Never called: the reader stops before a gap, which is given with the bounds that clients need. */
  gap(): void {}

  #hasGap(): boolean {
    return this.#hasUnknownGap || this.reader.hasLost;
  }

  #giveGap(): number {
    if (!this.#hasGap()) return 0;
    const { bounds, missed } = this.reader.skipLost();
    this.outlet.gap(bounds, this.#hasUnknownGap ? null : missed);
    this.#hasUnknownGap = false;
    return 1;
  }
}
