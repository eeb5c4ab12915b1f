import type { Interruption } from '../bench/channel-feed.ts';
import type { SelectorKind } from '../bench/selector.ts';
import type { DriverChannel } from '../drivers/driver-channel.ts';

/** What sending needs of an open channel. */
export interface SendChannel {
  readonly slot: number;
  /** The physical selector, `sn/port`. */
  readonly selector: string;
  readonly hardware: DriverChannel;
  /** Returns how to stop listening. */
  onInterrupted(listener: (why: Interruption) => void): () => void;
  /** Told after each outcome of an accepted frame, when the queue has room again. */
  onOutcome(listener: () => void): () => void;
}

/** An open channel, and how its caller came to it. */
export interface FoundSendChannel {
  readonly channel: SendChannel;
  /** The selector as it was submitted. */
  readonly text: string;
  readonly kind: SelectorKind;
  /** The physical selector that a logical network stands for; null for any other kind. */
  readonly resolved: string | null;
}
