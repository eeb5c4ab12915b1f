import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';
import type { Bounds, EndReason, SubscriptionHandle } from '../../base/subscription.ts';
import type { EventSink } from '../../broker/reader-hub.ts';
import type { Staging } from '../../broker/staging.ts';
import { copyWords } from '../../frame/copy-words.ts';
import type { GapEvent } from '../../frame/event-record.ts';
import { frm2, frm2HeaderLength, frm2SlotBytes } from '../../frame/frm2-layout.ts';
import { BatchSender } from '../stream/batch-sender.ts';

const finalBinary = 0x82;
const finalText = 0x81;
/** Maximum content length that fits the second byte of a frame (RFC 6455, 5.2). */
const shortContent = 125;
const lengthInTwoBytes = 126;
const shortHeader = 2;
const longHeader = 4;
const maxFrame = longHeader + frm2SlotBytes;
/** A gap message with the largest ids fits a short frame. */
const maxGap = shortHeader + shortContent;

const wordBytes = 4;
const twoTo32 = 2 ** 32;

const gapText = ({ oldestAvailable, newestAvailable }: Bounds): string => {
  const gap: Omit<GapEvent, 'missed'> = {
    oldest_available: oldestAvailable,
    newest_available: newestAvailable,
  };
  return JSON.stringify({ event: 'gap', ...gap });
};

/** Consecutive server-to-client WebSocket frames, each a binary message with one FRM2 record. */
export class FrameBatch {
  readonly scratch: Scratch;
  readonly #view: DataView;
  readonly #epochHigh: number;
  readonly #epochLow: number;
  length = 0;

  constructor(scratch: Scratch, epoch: number) {
    this.scratch = scratch;
    this.#view = scratch.view;
    this.#epochHigh = Math.floor(epoch / twoTo32);
    this.#epochLow = epoch % twoTo32;
  }

  get hasRoom(): boolean {
    return this.length + maxFrame + maxGap <= this.#view.byteLength;
  }

  addRecord(record: DataView, from: number): void {
    const target = this.#view;
    const payload = record.getUint8(from + frm2.payloadLength);
    const content = frm2HeaderLength + payload;
    let at = this.length;
    if (content <= shortContent) {
      target.setUint16(at, (finalBinary << 8) | content);
      at += shortHeader;
    } else {
      target.setUint32(at, (finalBinary << 24) | (lengthInTwoBytes << 16) | content);
      at += longHeader;
    }
    copyWords(target, at, record, from, content);
    target.setUint32(at + frm2.streamEpoch, this.#epochHigh);
    target.setUint32(at + frm2.streamEpoch + wordBytes, this.#epochLow);
    this.length = at + content;
  }

  addGap(bounds: Bounds): void {
    const text = gapText(bounds);
    const at = this.length;
    this.#view.setUint16(at, (finalText << 8) | text.length);
    this.length = at + shortHeader + this.scratch.bytes.write(text, at + shortHeader, 'latin1');
  }
}

/** Status codes of a close frame (RFC 6455, 7.4.1). */
export const closeCode = { normal: 1000, goingAway: 1001, unsupportedData: 1003 } as const;

export type FrameWebSocket = Pick<WebSocket, 'readyState' | 'close'>;

interface FrameSinkOptions {
  /** The connection of the WebSocket. Complete frames are written to it directly. */
  readonly socket: Duplex;
  readonly scratch: ScratchPool;
  readonly epoch: number;
  /** Minimum time between two writes. */
  readonly pacing?: { readonly clock: Clock; readonly intervalMs: number };
}

/**
 * Sends events as WebSocket messages, one write per batch. It is not ready before `open`, so a
 * subscription can be refused before the upgrade response.
 */
export class FrameSink implements EventSink {
  readonly kind = 'websocket';
  readonly #socket: Duplex;
  readonly #sender: BatchSender;
  readonly #epoch: number;
  readonly #pacing: FrameSinkOptions['pacing'];
  #pause: Timer | undefined;
  #subscription: SubscriptionHandle | undefined;
  #webSocket: FrameWebSocket | undefined;
  #batch: FrameBatch | undefined;

  constructor({ socket, scratch, epoch, pacing }: FrameSinkOptions) {
    this.#socket = socket;
    this.#sender = new BatchSender(socket, scratch);
    this.#sender.onReady = () => this.#subscription?.resume();
    this.#epoch = epoch;
    this.#pacing = pacing;
  }

  attach(subscription: SubscriptionHandle): void {
    this.#subscription = subscription;
    this.#socket.once('close', () => {
      this.hurry();
      subscription.close();
    });
  }

  open(webSocket: FrameWebSocket): void {
    this.#webSocket = webSocket;
    this.#subscription?.resume();
  }

  close(): void {
    this.#subscription?.close();
  }

  shutDown(): void {
    this.#subscription?.end('shut_down');
  }

  /** No frame can follow a close frame, even if the socket is writable. */
  get isReady(): boolean {
    const isPaused = this.#pause !== undefined;
    return !isPaused && this.#sender.isReady && this.#webSocket?.readyState === WebSocket.OPEN;
  }

  hurry(): void {
    this.#pause?.cancel();
    this.#pause = undefined;
  }

  item({ view }: Staging, offset: number): boolean {
    const batch = this.#openBatch();
    batch.addRecord(view, offset);
    return batch.hasRoom;
  }

  gap(bounds: Bounds): void {
    this.#openBatch().addGap(bounds);
  }

  flush(): void {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = undefined;
    this.#sender.send(batch.scratch, 0, batch.length);
    // A full batch has not carried everything that was due, nor one that a filter ended early.
    const isAll = batch.hasRoom && !this.#subscription?.hasBacklog;
    if (this.#pacing && isAll) this.#rest(this.#pacing);
  }

  end(reason: EndReason): void {
    if (reason === 'shut_down') this.#webSocket?.close(closeCode.goingAway, 'shutting down');
    else this.#webSocket?.close(closeCode.normal, reason.replace('_', ' '));
  }

  /** True while written bytes wait for the client. */
  get isBehind(): boolean {
    return this.#sender.isBehind;
  }

  takeProgress(): boolean {
    return this.#sender.takeProgress();
  }

  #rest({ clock, intervalMs }: NonNullable<FrameSinkOptions['pacing']>): void {
    this.#pause ??= clock.after(intervalMs, () => {
      this.#pause = undefined;
      this.#subscription?.resume();
    });
  }

  #openBatch(): FrameBatch {
    this.#batch ??= new FrameBatch(this.#sender.take(), this.#epoch);
    return this.#batch;
  }
}
