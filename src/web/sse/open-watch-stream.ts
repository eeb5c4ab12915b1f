import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock/clock.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import type { WatchOutlet, WatchSubscription } from '../../gateway/watch/watch-outlet.ts';
import type { WatchPart } from '../../gateway/watch/watch-parts.ts';
import { answerWithStream } from './sse-response.ts';
import { WatchStream } from './watch-stream.ts';

export interface OpenWatchStreamOptions {
  readonly clock: Clock;
  readonly scratch: ScratchPool;
  readonly instance: string;
  /** What the client wants beside signals and status. */
  readonly parts: readonly WatchPart[];
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Starts the stream; null where the service has ended meanwhile. What it rejects with is for the caller
   * that opens it.
   */
  readonly subscribe: (outlet: WatchOutlet) => Promise<WatchSubscription | null>;
}

/**
 * Answers a request with what becomes of an instance. Rejects only before the first byte of an answer, so
 * that the caller can still give another one.
 */
export const openWatchStream = async (
  response: ServerResponse,
  { clock, scratch, instance, parts, headers, subscribe }: OpenWatchStreamOptions,
): Promise<void> => {
  const stream = new WatchStream(scratch, instance, parts);
  const subscription = await subscribe(stream);
  if (!subscription) return;
  if (response.destroyed) {
    subscription.close();
    return;
  }
  answerWithStream(response, stream, { clock, headers, greeting: 'signals follow', subscription });
};
