import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock/clock.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import { RepeatedStream } from './repeated-stream.ts';
import { answerWithStream } from './sse-response.ts';

interface OpenRepeatedStreamOptions {
  readonly clock: Clock;
  readonly scratch: ScratchPool;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Starts the stream; what it throws is for the caller that opens it. */
  readonly subscribe: (outlet: RepeatedStream) => { resume(): void; close(): void };
}

/** Answers a request with what is asked over and over. */
export const openRepeatedStream = (
  response: ServerResponse,
  { clock, scratch, headers, subscribe }: OpenRepeatedStreamOptions,
): void => {
  const stream = new RepeatedStream(scratch);
  const subscription = subscribe(stream);
  answerWithStream(response, stream, { clock, headers, greeting: 'answers follow', subscription });
};
