import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock/clock.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import type { WatchOutlet, WatchSubscription } from '../../gateway/watch/watch-outlet.ts';
import type { WatchPart } from '../../gateway/watch/watch-record.ts';
import { answerWithStream } from './sse-response.ts';
import { WatchStream } from './watch-stream.ts';

export interface OpenWatchStreamOptions {
  readonly clock: Clock;
  readonly scratch: ScratchPool;
  readonly instances: readonly string[];
  /** What the client wants beside signals and status. */
  readonly parts: readonly WatchPart[];
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Starts to follow an instance. What it rejects with is for the caller that opens the stream. */
  readonly watch: (instance: string, outlet: WatchOutlet) => Promise<WatchSubscription>;
  /** Counts the stream, which `end` ends; null where the service has ended meanwhile. Likewise. */
  readonly keep: (all: WatchSubscription, end: () => void) => WatchSubscription | null;
}

/** Follows all of them or none. */
const watchAll = async (
  stream: WatchStream,
  instances: readonly string[],
  watch: OpenWatchStreamOptions['watch'],
): Promise<WatchSubscription> => {
  const held: WatchSubscription[] = [];
  const close = (): void => {
    for (const each of held) each.close();
  };
  try {
    for (const instance of instances) held.push(await watch(instance, stream.outletFor(instance)));
  } catch (thrown) {
    close();
    throw thrown;
  }
  let turn = 0;
  const resume = (): void => {
    // Each is the first in its turn: a client that is slow hears of all of them.
    turn = (turn + 1) % held.length;
    for (const each of [...held.slice(turn), ...held.slice(0, turn)]) each.resume();
  };
  return { resume, close };
};

/**
 * Answers a request with what becomes of instances. Rejects only before the first byte of an answer, so
 * that the caller can still give another one.
 */
export const openWatchStream = async (
  response: ServerResponse,
  { clock, scratch, instances, parts, headers, watch, keep }: OpenWatchStreamOptions,
): Promise<void> => {
  const stream = new WatchStream(scratch, parts);
  const all = await watchAll(stream, instances, watch);
  let subscription: WatchSubscription | null = null;
  try {
    subscription = keep(all, () => stream.end('shut_down'));
  } finally {
    if (!subscription) all.close();
  }
  if (!subscription) return;
  if (response.destroyed) {
    subscription.close();
    return;
  }
  answerWithStream(response, stream, { clock, headers, greeting: 'signals follow', subscription });
};
