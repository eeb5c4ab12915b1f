import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';
import { BatchSender } from '../stream/batch-sender.ts';
import type { ChunkBatch } from './chunk-batch.ts';

/** Where the bytes of an answer go once its headers are out. */
export interface EventBody {
  readonly socket: Duplex;
  readonly response: Pick<ServerResponse, 'chunkedEncoding' | 'end'>;
}

/**
 * Sends server-sent events. A batch is one chunk, framed here and written to the socket directly:
 * through the response it would be four writes, made only when the thread is done with everything
 * else. It takes nothing before `open`.
 */
export abstract class SseStream<Batch extends ChunkBatch> {
  readonly #scratch: ScratchPool;
  #sender: BatchSender | undefined;
  #response: EventBody['response'] | undefined;
  #batch: Batch | undefined;
  /** Called when the last byte has been handed over; a client may never fetch it. */
  onEnded: () => void = () => {};

  constructor(scratch: ScratchPool) {
    this.#scratch = scratch;
  }

  /** The headers are out. `onReady` is called whenever the client takes more again. */
  open({ socket, response }: EventBody, onReady: () => void): void {
    this.#response = response;
    this.#sender = new BatchSender(socket, this.#scratch);
    this.#sender.onReady = onReady;
  }

  get isReady(): boolean {
    return this.#sender?.isReady ?? false;
  }

  gap(bounds: Parameters<ChunkBatch['addGap']>[0], missed: number | null): void {
    this.batch.addGap(bounds, missed);
  }

  /** A line that clients ignore and that shows both sides that the connection lives. */
  comment(text: string): void {
    this.batch.addText(`: ${text}\n\n`);
    this.flush();
  }

  flush(): void {
    const batch = this.#batch;
    this.#batch = undefined;
    if (!batch || !this.#sender) return;
    // HTTP/1.0 knows no chunks: there the end of the connection is the end of the body.
    if (this.#response?.chunkedEncoding) this.#sender.send(batch.scratch, 0, batch.sealChunk());
    else this.#sender.send(batch.scratch, batch.start, batch.end);
  }

  end(): void {
    this.#response?.end();
    this.onEnded();
  }

  /** The batch that is being put together. */
  protected get batch(): Batch {
    this.#batch ??= this.newBatch(this.#scratch.take());
    return this.#batch;
  }

  protected abstract newBatch(scratch: Scratch): Batch;
}
