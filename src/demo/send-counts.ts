import type { SendResult } from '../drivers/send-result.ts';

export class SendCounts {
  accepted = 0;
  /** Dropped because of a full queue: the next frame is newer anyway. */
  full = 0;
  /** Dropped because the channel could not send. */
  refused = 0;
  answered = 0;
  /** LIN reads without an answer. */
  unanswered = 0;

  count(result: SendResult): void {
    if (result === 'accepted') this.accepted += 1;
    else if (result === 'full') this.full += 1;
    else this.refused += 1;
  }
}
