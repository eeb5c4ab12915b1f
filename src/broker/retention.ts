import type { ReaderHub } from './reader-hub.ts';
import type { Consumer, RetentionRecord } from './retention-record.ts';
import type { RingHandle } from './ring-memory.ts';
import { RingView } from './ring-view.ts';

interface RetentionOptions {
  readonly hub: ReaderHub;
  readonly ring: RingHandle;
  /** Events that clients can go back. */
  readonly capacity: number;
  /** Readers in other threads. */
  readonly others: readonly Consumer[];
}

/** What is kept of a channel, and who reads it. */
export const retentionOf = (options: RetentionOptions): RetentionRecord => {
  const { hub, ring: handle, capacity, others } = options;
  const { channel } = handle;
  const ring = new RingView(handle);
  const published = ring.head;
  const { oldestAvailable, newestAvailable } = hub.bounds([channel], capacity);
  const retained = Math.min(published - ring.floor, capacity);
  return {
    capacity,
    retained,
    oldest_event_id: retained > 0 ? oldestAvailable : null,
    newest_event_id: retained > 0 ? newestAvailable : null,
    overwritten: published - retained,
    ring_slots: ring.size,
    consumers: [...hub.consumersOf(channel), ...others],
  };
};
