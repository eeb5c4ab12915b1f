import type { Interruption } from '../bench/bench-sink.ts';
import type { Outbox } from '../bench/outbox/outbox.ts';
import type { SelectorKind } from '../bench/selector.ts';
import type { PortControl } from '../drivers/driver-channel.ts';

export interface SendChannel {
  readonly slot: number;
  readonly selector: string;
  readonly hardware: PortControl;
  readonly outbox: Outbox;
  /** Returns an unsubscribe function. */
  onInterrupted(listener: (why: Interruption) => void): () => void;
}

/** An open channel as its caller named it. */
export interface FoundSendChannel {
  readonly channel: SendChannel;
  readonly text: string;
  readonly kind: SelectorKind;
  /** Physical selector of a logical network, else null. */
  readonly resolved: string | null;
}
