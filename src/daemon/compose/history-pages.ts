import { JsonText } from '../../base/json/json-text.ts';
import type { HistoryOptions, ReaderHub } from '../../broker/reader-hub.ts';
import { ChannelTexts } from '../../frame/channel-texts.ts';
import type { ResultOf } from '../../operations/define.ts';
import type { messageHistory } from '../../operations/message.ts';
import { HistoryCollector } from './history-collector.ts';
import type { Pause } from './page-queue.ts';

/** What a page is to tell. */
export interface HistoryWish extends Omit<HistoryOptions, 'visitor'> {
  /** `stream_epoch` of every event. */
  readonly epoch: number;
}

const beforeEvents = '{"events":[';

/** Room for what stands around the events. */
const aroundEvents = 512;

/** Writes pages of history, one at a time: all of them use the same memory. */
export class HistoryPages {
  readonly #hub: ReaderHub;
  readonly #selectorOf: (slot: number) => string;
  #scratch = Buffer.alloc(0);

  constructor(hub: ReaderHub, selectorOf: (slot: number) => string) {
    this.#hub = hub;
    this.#selectorOf = selectorOf;
  }

  async write({ epoch, ...wish }: HistoryWish, pause: Pause): Promise<JsonText> {
    const collector = new HistoryCollector(wish.limit, new ChannelTexts(this.#selectorOf));
    const { position, bounds } = this.#hub.readHistory({
      ...wish,
      visitor: (staging, offset) => collector.take(staging, offset),
    });
    const rest: Omit<ResultOf<typeof messageHistory>, 'events'> = {
      next_after: position,
      oldest_available: bounds.oldestAvailable,
      newest_available: bounds.newestAvailable,
      stream_epoch: epoch,
    };
    const text = this.#withRoomFor(collector.textBytes + aroundEvents);
    const view = new DataView(text.buffer, text.byteOffset, text.length);
    const start = text.write(beforeEvents, 'latin1');
    let end = await collector.write(view, start, epoch, pause);
    end += text.write(`],${JSON.stringify(rest).slice(1)}`, end, 'latin1');
    return new JsonText(Buffer.from(text.subarray(0, end)));
  }

  #withRoomFor(bytes: number): Buffer {
    if (this.#scratch.length < bytes) this.#scratch = Buffer.allocUnsafeSlow(bytes);
    return this.#scratch;
  }
}
