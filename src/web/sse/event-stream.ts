import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';
import type { Outlet } from '../../broker/outlet.ts';
import type { Staging } from '../../broker/staging.ts';
import type { ChannelTexts } from '../../frame/channel-texts.ts';
import { EventBatch } from './event-batch.ts';
import { SseStream } from './sse-stream.ts';

export interface EventStreamOptions {
  readonly scratch: ScratchPool;
  readonly channels: ChannelTexts;
  /** `stream_epoch` of every event. */
  readonly epoch: number;
}

/** Sends the raw events of a subscription as server-sent events. */
export class EventStream extends SseStream<EventBatch> implements Outlet {
  readonly kind = 'sse';
  readonly #options: EventStreamOptions;

  constructor(options: EventStreamOptions) {
    super(options.scratch);
    this.#options = options;
  }

  record({ view }: Staging, offset: number): boolean {
    if (this.batch.addRecord(view, offset)) return this.batch.hasRoom;
    this.flush();
    if (this.batch.addRecord(view, offset)) return false;
    throw new BusbarError('internal_error', { message: 'An event is too large for any batch' });
  }

  /** Moves what the client comes back with, without an event: that is all an id of its own does. */
  passedOver(position: number): void {
    this.batch.addText(`id: ${position}\n\n`);
  }

  protected newBatch(scratch: Scratch): EventBatch {
    return new EventBatch(scratch, this.#options.epoch, this.#options.channels);
  }
}
