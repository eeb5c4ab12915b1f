import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock/clock.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import type { Outlet } from '../../broker/outlet.ts';
import type { Subscription } from '../../broker/reader-hub.ts';
import { ChannelTexts } from '../../frame/channel-texts.ts';

import { EventStream } from './event-stream.ts';
import { answerWithStream } from './sse-response.ts';

export interface OpenEventStreamOptions {
  readonly clock: Clock;
  readonly scratch: ScratchPool;
  /** `stream_epoch` of every event. */
  readonly epoch: number;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly selectorOf: (slot: number) => string;
  /** Starts the stream. What it throws is thrown to the caller that opens it. */
  readonly subscribe: (outlet: Outlet) => Subscription;
}

/**
 * Answers a request with a stream of events. Throws only before the first byte of an answer, so that
 * the caller can still give another one.
 */
export const openEventStream = (
  response: ServerResponse,
  { clock, scratch, epoch, headers, selectorOf, subscribe }: OpenEventStreamOptions,
): void => {
  if (response.destroyed) return;
  const stream = new EventStream({ scratch, epoch, channels: new ChannelTexts(selectorOf) });
  const subscription = subscribe(stream);
  answerWithStream(response, stream, { clock, headers, greeting: 'events follow', subscription });
};
