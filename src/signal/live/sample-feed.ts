import type { Sample } from './sample.ts';
import type { SampleCursor, SampleVisitor } from './sample-cursor.ts';
import type { SampleEndReason, SampleOutlet } from './sample-outlet.ts';

export interface SampleFeedOptions {
  readonly cursor: SampleCursor;
  readonly outlet: SampleOutlet;
  /** The client came with a cursor that has expired, so how much it missed is not known. */
  readonly startsBehindGap: boolean;
}

/** One stream at work: takes samples from a cursor and gives them to an outlet. */
export class SampleFeed implements SampleVisitor {
  readonly cursor: SampleCursor;
  readonly outlet: SampleOutlet;
  #hasUnknownGap: boolean;
  #isOpen = true;
  #isServing = false;

  constructor({ cursor, outlet, startsBehindGap }: SampleFeedOptions) {
    this.cursor = cursor;
    this.outlet = outlet;
    this.#hasUnknownGap = startsBehindGap;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether there is something to give, and the outlet takes it. */
  get isBehind(): boolean {
    return this.#isOpen && this.outlet.isReady && (this.#hasUnknownGap || this.cursor.hasBacklog);
  }

  /** Gives what is next, up to a number of samples, as one write; how many messages that were. */
  serve(limit: number): number {
    // An outlet may find itself ready from within the very calls it gets.
    if (this.#isServing || !this.isBehind) return 0;
    this.#isServing = true;
    try {
      let messages = 0;
      // A pass that comes to a gap at once is taken up again behind it.
      do {
        messages += this.#giveGap();
        if (this.#isOpen) messages += this.cursor.pass(this, limit);
      } while (messages === 0 && this.cursor.hasLost);
      if (this.#isOpen && messages > 0) this.outlet.flush();
      return messages;
    } finally {
      this.#isServing = false;
    }
  }

  end(reason: SampleEndReason): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.outlet.end(reason);
  }

  close(): void {
    this.#isOpen = false;
  }

  sample(sample: Sample, planId: string): boolean {
    return this.outlet.sample(sample, planId) && this.#isOpen;
  }

  #giveGap(): number {
    if (!this.#hasUnknownGap && !this.cursor.hasLost) return 0;
    const { bounds, missed } = this.cursor.skipLost();
    this.outlet.gap(bounds, this.#hasUnknownGap ? null : missed);
    this.#hasUnknownGap = false;
    return 1;
  }
}
