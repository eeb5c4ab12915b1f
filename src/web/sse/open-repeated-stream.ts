import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock/clock.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';
import { answerWithStream } from './sse-response.ts';
import { SseStream } from './sse-stream.ts';
import { TextBatch } from './text-batch.ts';

/** Sends events of any kind, each as soon as it is there. */
class RepeatedStream extends SseStream<TextBatch> {
  /** An event that is larger than a batch goes over several. */
  send(event: string, text: string): void {
    const bytes = Buffer.from(`event: ${event}\ndata: ${text}\n\n`);
    for (let offset = 0; offset < bytes.length; ) {
      offset += this.batch.addBytes(bytes, offset);
      this.flush();
    }
  }

  override end(): void {
    this.send('end', stringifyJson({ reason: 'shut_down' }));
    super.end();
  }

  protected newBatch(scratch: Scratch): TextBatch {
    return new TextBatch(scratch);
  }
}

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
