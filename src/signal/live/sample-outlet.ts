import type { SampleBounds } from './sample.ts';
import type { SampleVisitor } from './sample-cursor.ts';

/** Why a stream of samples ended without its consumer asking for it. */
export type SampleEndReason = 'plans_removed' | 'shut_down';

/**
 * Where a stream's samples go: one client. It holds no queue. While `isReady` is false nothing is
 * given to it, and its cursor waits in the memory of the plans.
 */
export interface SampleOutlet extends SampleVisitor {
  /** Whether the client takes more now. Call `resume` when it turns true again. */
  readonly isReady: boolean;
  /**
   * Samples were lost before the next one: what can be had now, and how many are missing; null where
   * that cannot be known.
   */
  gap(bounds: SampleBounds, missed: number | null): void;
  /** Sends what the calls since the last flush have put together, as one write. */
  flush(): void;
  /** Nothing more will come. Everything was flushed before. */
  end(reason: SampleEndReason): void;
}
