import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { Scratch } from '../../base/scratch-pool.ts';
import { SseStream } from './sse-stream.ts';
import { TextBatch } from './text-batch.ts';

/** Sends events of any kind, each as soon as it is there. */
export class RepeatedStream extends SseStream<TextBatch> {
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
