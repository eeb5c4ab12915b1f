import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock/clock.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import type { SampleSubscription } from '../../signal/live/sample-hub.ts';
import type { SampleOutlet } from '../../signal/live/sample-outlet.ts';
import { SampleStream } from './sample-stream.ts';
import { answerWithStream } from './sse-response.ts';

export interface OpenSampleStreamOptions {
  readonly clock: Clock;
  readonly scratch: ScratchPool;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Starts the stream. What it throws is thrown to the caller that opens it. */
  readonly subscribe: (outlet: SampleOutlet) => SampleSubscription;
}

/**
 * Answers a request with a stream of samples. Throws only before the first byte of an answer, so that
 * the caller can still give another one.
 */
export const openSampleStream = (
  response: ServerResponse,
  { clock, scratch, headers, subscribe }: OpenSampleStreamOptions,
): void => {
  if (response.destroyed) return;
  const stream = new SampleStream(scratch);
  const subscription = subscribe(stream);
  answerWithStream(response, stream, { clock, headers, greeting: 'samples follow', subscription });
};
