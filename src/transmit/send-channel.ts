import type { Interruption } from '../bench/bench-sink.ts';
import type { Outbox } from '../bench/outbox/outbox.ts';
import type { SelectorKind } from '../bench/selector.ts';
import type { PortControl } from '../drivers/driver-channel.ts';

export interface SendChannel {
  readonly slot: number;
  readonly selector: string;
  readonly hardware: PortControl;
  readonly outbox: Outbox;
  onInterrupted(listener: (why: Interruption) => void): () => void;
}

export interface FoundSendChannel {
  readonly channel: SendChannel;
  readonly text: string;
  readonly kind: SelectorKind;
  readonly resolved: string | null;
}
