import type { GatewayInstance, GatewaySignal } from '../instances/instance-record.ts';
import type { WatchEndReason, WatchPart } from './watch-record.ts';

/**
 * Where the signals of an instance go: one client. It holds no queue: while `isReady` is false nothing is
 * given to it, and what has changed meanwhile is found by comparing later on.
 */
export interface WatchOutlet {
  /** What it wants beside signals and status. */
  readonly parts: readonly WatchPart[];
  /** Whether the client takes more now. Call `resume` when it turns true again. */
  readonly isReady: boolean;
  /** The instance without its tasks, once a second. */
  status(record: GatewayInstance): void;
  /** A signal that has changed. Whether the same portion takes another one. */
  signal(entry: GatewaySignal): boolean;
  /** Sends the signals since the last flush as one portion. */
  flush(): void;
  /** Records of a part that have changed, as JSON. */
  records(part: WatchPart, texts: readonly string[]): void;
  /** Nothing more will come. */
  end(reason: WatchEndReason): void;
}

/** A client's hold on an instance. */
export interface WatchSubscription {
  /** The client takes more now. */
  resume(): void;
  close(): void;
}
