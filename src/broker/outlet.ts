import type { Staging } from './staging.ts';
import type { WindowBounds } from './window.ts';

/** What a consumer of events is, as statistics name it. */
export const consumerKinds = ['sse', 'websocket', 'recv', 'decode', 'forward', 'logging'] as const;
export type ConsumerKind = (typeof consumerKinds)[number];

/** Why a subscription ended without its consumer asking for it. */
export type EndReason = 'channel_closed' | 'shut_down';

/**
 * Where a subscription's events go: one client. It holds no queue. While `isReady` is false nothing
 * is given to it, and its cursor waits in the broker's memory.
 */
export interface Outlet {
  readonly kind: ConsumerKind;
  /** Whether the client takes more now. Call `Subscription.resume` when it turns true again. */
  readonly isReady: boolean;
  /** One event, valid during the call only. Answers whether there is room for another one. */
  record(staging: Staging, offset: number): boolean;
  /** Many events, up to the one of that id, were not what the client had asked for. */
  passedOver?(position: number): void;
  /**
   * Events were lost before the next one: what can be had now, and how many are missing; null where
   * that cannot be known, because the cursor came from outside.
   */
  gap(bounds: WindowBounds, missed: number | null): void;
  /** Sends what the calls since the last flush have put together, as one write. */
  flush(): void;
  /** Nothing more will come. Everything was flushed before. */
  end(reason: EndReason): void;
}
