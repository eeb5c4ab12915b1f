import type { Interruption } from '../bench/bench-sink.ts';
import type { Outbox } from '../bench/outbox/outbox.ts';
import type { SelectorKind } from '../bench/selector.ts';
import type { PortControl } from '../drivers/driver-channel.ts';

/** What sending needs of an open channel. */
export interface SendChannel {
  readonly slot: number;
  /** The physical selector, `sn/port`. */
  readonly selector: string;
  readonly hardware: PortControl;
  readonly outbox: Outbox;
  /** Returns how to stop listening. */
  onInterrupted(listener: (why: Interruption) => void): () => void;
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
