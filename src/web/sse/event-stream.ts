import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { EndReason, Outlet } from '../../broker/outlet.ts';
import type { Staging } from '../../broker/staging.ts';
import type { WindowBounds } from '../../broker/window.ts';
import { BatchSender } from '../stream/batch-sender.ts';
import type { ScratchPool } from '../stream/scratch-pool.ts';
import { type ChannelTexts, EventBatch } from './event-batch.ts';

export interface EventStreamOptions {
  readonly scratch: ScratchPool;
  readonly channels: ChannelTexts;
  /** `stream_epoch` of every event. */
  readonly epoch: number;
}

/** Where the bytes of an answer go once its headers are out. */
export interface EventBody {
  readonly socket: Duplex;
  readonly response: Pick<ServerResponse, 'chunkedEncoding' | 'end'>;
}

/**
 * Sends the events of a subscription as server-sent events. A batch is one chunk, framed here and
 * written to the socket directly: through the response it would be four writes, made only when the
 * thread is done with everything else. It takes nothing before `open`.
 */
export class EventStream implements Outlet {
  readonly kind = 'sse';
  readonly #options: EventStreamOptions;
  #sender: BatchSender | undefined;
  #response: EventBody['response'] | undefined;
  #batch: EventBatch | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  /** The headers are out. `onReady` is called whenever the client takes more again. */
  open({ socket, response }: EventBody, onReady: () => void): void {
    this.#response = response;
    this.#sender = new BatchSender(socket, this.#options.scratch);
    this.#sender.onReady = onReady;
  }

  get isReady(): boolean {
    return this.#sender?.isReady ?? false;
  }

  record({ view }: Staging, offset: number): boolean {
    if (this.#openBatch().addRecord(view, offset)) return this.#openBatch().hasRoom;
    this.flush();
    if (this.#openBatch().addRecord(view, offset)) return false;
    throw new BusbarError('internal_error', { message: 'An event is too large for any batch' });
  }

  gap(bounds: WindowBounds, missed: number | null): void {
    this.#openBatch().addGap(bounds, missed);
  }

  /** A line that clients ignore and that shows both sides that the connection lives. */
  comment(text: string): void {
    this.#openBatch().addText(`: ${text}\n\n`);
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

  end(_reason: EndReason): void {
    this.#response?.end();
  }

  #openBatch(): EventBatch {
    const { scratch, epoch, channels } = this.#options;
    this.#batch ??= new EventBatch(scratch.take(), epoch, channels);
    return this.#batch;
  }
}
