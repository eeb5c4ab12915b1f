import type { SendResult } from '../drivers/send-result.ts';

/** What became of the frames of a vehicle. */
export class SendCounts {
  accepted = 0;
  /** Dropped because a queue was full: the next one has newer values anyway. */
  full = 0;
  /** Dropped because a channel could not send at all: lost, closed, bus off, listening. */
  refused = 0;
  /** LIN reads that the slave answered. */
  answered = 0;
  /** LIN reads that came to nothing. */
  unanswered = 0;

  count(result: SendResult): void {
    if (result === 'accepted') this.accepted += 1;
    else if (result === 'full') this.full += 1;
    else this.refused += 1;
  }
}
