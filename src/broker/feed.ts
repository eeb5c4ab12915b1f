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
}

/** One subscription at work: takes records from a cursor and gives them to an outlet. */
export class Feed implements RecordVisitor {
  readonly reader: MergedReader;
  readonly outlet: Outlet;
  readonly everyChannel: boolean;
  #hasUnknownGap: boolean;
  #isOpen = true;

  constructor({ reader, outlet, everyChannel, startsBehindGap }: FeedOptions) {
    this.reader = reader;
    this.outlet = outlet;
    this.everyChannel = everyChannel;
    this.#hasUnknownGap = startsBehindGap;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isReady(): boolean {
    return this.#isOpen && this.outlet.isReady;
  }

  /** Whether there is anything that the outlet has not been given. */
  get hasNews(): boolean {
    return this.#hasGap || this.reader.hasBacklog();
  }

  /** Gives what is next, up to a number of records, as one write; how many messages that were. */
  serve(limit: number): number {
    if (!this.isReady || !this.hasNews) return 0;
    let messages = 0;
    // A pass that ends before a gap at once is taken up again behind it.
    do {
      messages += this.#giveGap();
      if (this.#isOpen) messages += this.reader.pass(this, limit);
    } while (messages === 0 && this.#hasGap);
    if (this.#isOpen && messages > 0) this.outlet.flush();
    return messages;
  }

  /** Gives what is left of a channel that was closed, as far as the outlet takes it, and forgets it. */
  leave(channel: number, limit: number): void {
    while (this.reader.lagOf(channel) > 0 && this.serve(limit) > 0);
    this.reader.drop(channel);
  }

  /** Says farewell. What could not be given any more is told, even to one that is not ready. */
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
    return this.outlet.record(staging, offset) && this.#isOpen;
  }

  /** Never called: the reader stops before a gap, which is given with the bounds that clients need. */
  gap(): void {}

  get #hasGap(): boolean {
    return this.#hasUnknownGap || this.reader.hasLost;
  }

  #giveGap(): number {
    if (!this.#hasGap) return 0;
    const { bounds, missed } = this.reader.skipLost();
    this.outlet.gap(bounds, this.#hasUnknownGap ? null : missed);
    this.#hasUnknownGap = false;
    return 1;
  }
}
