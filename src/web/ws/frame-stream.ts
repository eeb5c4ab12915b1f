import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import type { EndReason, Outlet } from '../../broker/outlet.ts';
import type { Staging } from '../../broker/staging.ts';
import type { WindowBounds } from '../../broker/window.ts';
import { BatchSender } from '../stream/batch-sender.ts';
import { FrameBatch } from './frame-batch.ts';

/** Status codes of a close frame (RFC 6455, 7.4.1). */
export const closeCode = {
  normal: 1000,
  goingAway: 1001,
  unsupportedData: 1003,
} as const;

const closeFrames: Record<EndReason, readonly [code: number, reason: string]> = {
  channel_closed: [closeCode.normal, 'channel closed'],
  shut_down: [closeCode.goingAway, 'shutting down'],
};

/** What the stream needs of the WebSocket that reads the same connection. */
export type FrameWebSocket = Pick<WebSocket, 'readyState' | 'close'>;

export interface FrameStreamOptions {
  /** The connection below the WebSocket. Frames go to it directly, whole ones always. */
  readonly socket: Duplex;
  readonly scratch: ScratchPool;
  /** `stream_epoch` of every record. */
  readonly epoch: number;
}

/**
 * Sends the events of a subscription as WebSocket messages, one write for each batch. It takes
 * nothing before `open`, so a subscription can be had, or refused, before the client is answered.
 */
export class FrameStream implements Outlet {
  readonly kind = 'websocket';
  readonly #sender: BatchSender;
  readonly #epoch: number;
  #webSocket: FrameWebSocket | undefined;
  #batch: FrameBatch | undefined;

  constructor({ socket, scratch, epoch }: FrameStreamOptions) {
    this.#sender = new BatchSender(socket, scratch);
    this.#epoch = epoch;
  }

  /** The handshake is done. */
  open(webSocket: FrameWebSocket): void {
    this.#webSocket = webSocket;
  }

  /** Whom to tell when the client takes more again. */
  set onReady(listener: () => void) {
    this.#sender.onReady = listener;
  }

  /** After a close frame nothing may follow, so the socket alone does not tell. */
  get isReady(): boolean {
    return this.#sender.isReady && this.#webSocket?.readyState === WebSocket.OPEN;
  }

  record({ view }: Staging, offset: number): boolean {
    const batch = this.#openBatch();
    batch.addRecord(view, offset);
    return batch.hasRoom;
  }

  gap(bounds: WindowBounds): void {
    this.#openBatch().addGap(bounds);
  }

  flush(): void {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = undefined;
    this.#sender.send(batch.scratch, 0, batch.length);
  }

  end(reason: EndReason): void {
    this.#webSocket?.close(...closeFrames[reason]);
  }

  /** Whether something was written that the client has not taken yet. */
  get isBehind(): boolean {
    return this.#sender.isBehind;
  }

  /** Whether the client has taken anything that waited for it since this was asked last. */
  takeProgress(): boolean {
    return this.#sender.takeProgress();
  }

  #openBatch(): FrameBatch {
    this.#batch ??= new FrameBatch(this.#sender.take(), this.#epoch);
    return this.#batch;
  }
}
