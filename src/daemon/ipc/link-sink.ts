import type { Clock, Timer } from '../../base/clock/clock.ts';
import type { Bounds, EndReason, Sink, SubscriptionHandle } from '../../base/subscription.ts';
import type { ChannelRecord } from '../../bench/channel-record.ts';
import type { Staging } from '../../broker/staging.ts';
import { copyWords } from '../../frame/copy-words.ts';
import { type DecodeRecord, decodedTextSize } from '../../frame/decoded-frame.ts';
import type { DecodedFrame, GapEvent } from '../../frame/event-record.ts';
import { frm2Channel, frm2Length, setFrm2StreamEpoch } from '../../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import type { OpenStream, StreamReply } from '../../operations/stream.ts';

export interface LinkEncoder<Item, Key> {
  /** Returns whether there is room for another item; null if the command does not show this one. */
  item(reply: StreamReply, item: Item, key: Key): boolean | null;
  flush?(reply: StreamReply): void;
  /** Messages so far, if an item can be several. */
  readonly delivered?: number;
}

/** Sends one message per item; none if `messageOf` returns null. */
export const messages = <Item, Key>(
  messageOf: (item: Item, key: Key) => object | null,
): LinkEncoder<Item, Key> => ({
  item: (reply, item, key) => {
    const message = messageOf(item, key);
    if (message === null) return null;
    reply.message(message);
    return reply.isReady;
  },
});

/** Sends any number of messages per item, up to `count` together. */
export const manyMessages = <Item, Key>(
  messagesOf: (item: Item, key: Key) => readonly object[],
  count = Number.POSITIVE_INFINITY,
): LinkEncoder<Item, Key> => {
  let delivered = 0;
  return {
    get delivered() {
      return delivered;
    },
    item: (reply, item, key) => {
      for (const message of messagesOf(item, key)) {
        if (delivered === count) break;
        delivered++;
        reply.message(message);
      }
      return reply.isReady;
    },
  };
};

interface LinkSinkOptions<Item, Key> {
  readonly reply: StreamReply;
  readonly clock: Clock;
  readonly encoder: LinkEncoder<Item, Key>;
  readonly end: { readonly count?: number | undefined; readonly duration_ms?: number | undefined };
}

/** Streams to a CLI caller, optionally limited in number and time. It ends only once. */
export class LinkSink<Item, Key> implements Sink<Item, Key>, OpenStream {
  readonly kind = 'recv';
  readonly #reply: StreamReply;
  readonly #encoder: LinkEncoder<Item, Key>;
  readonly #count: number;
  readonly #deadline: Timer | undefined;
  #subscription: SubscriptionHandle | undefined;
  #delivered = 0;
  #isOver = false;

  constructor({ reply, clock, encoder, end }: LinkSinkOptions<Item, Key>) {
    const { count = Number.POSITIVE_INFINITY, duration_ms } = end;
    this.#reply = reply;
    this.#encoder = encoder;
    this.#count = count;
    reply.onReady(() => this.#subscription?.resume());
    this.#deadline =
      duration_ms === undefined
        ? undefined
        : clock.after(duration_ms, () => this.#finish('duration'));
  }

  /** Opens the stream by subscribing to a source. If that is rejected, nothing stays open. */
  async open(subscribe: (sink: this) => unknown): Promise<this> {
    try {
      await subscribe(this);
    } catch (thrown) {
      this.close();
      throw thrown;
    }
    this.#subscription?.resume();
    return this;
  }

  attach(subscription: SubscriptionHandle): void {
    this.#subscription = subscription;
    if (this.#isOver) subscription.close();
  }

  get isReady(): boolean {
    return !this.#isOver && this.#reply.isReady;
  }

  item(item: Item, key: Key): boolean {
    const hasRoom = this.#encoder.item(this.#reply, item, key);
    if (hasRoom === null) return true;
    this.#delivered = this.#encoder.delivered ?? this.#delivered + 1;
    return hasRoom && this.#delivered < this.#count;
  }

  gap({ oldestAvailable, newestAvailable }: Bounds, missed: number | null): void {
    this.#encoder.flush?.(this.#reply);
    const gap: GapEvent = {
      oldest_available: oldestAvailable,
      newest_available: newestAvailable,
      missed,
    };
    this.#reply.message({ event: 'gap', ...gap });
  }

  flush(): void {
    this.#encoder.flush?.(this.#reply);
    if (this.#delivered >= this.#count) this.#finish('count');
  }

  end(reason: EndReason): void {
    this.#finish(reason);
  }

  close(): void {
    this.#isOver = true;
    this.#deadline?.cancel();
    this.#subscription?.close();
  }

  #finish(reason: 'count' | 'duration' | EndReason): void {
    if (this.#isOver) return;
    if (reason === 'duration') this.#subscription?.last();
    this.close();
    this.#encoder.flush?.(this.#reply);
    this.#reply.end({ reason, delivered: this.#delivered });
  }
}

type NamedChannel = Readonly<Pick<ChannelRecord, 'slot' | 'selector' | 'name'>>;

interface FollowedChannels {
  readonly epoch: number;
  readonly channels: () => readonly NamedChannel[];
  readonly decode?: DecodeRecord | null;
}

const batchBytes = 64 * 1024;

/** Decoded text of a batch, which is one line. */
const decodedBytes = 256 * 1024;

export class RecordEncoder implements LinkEncoder<Staging, number> {
  readonly #followed: FollowedChannels;
  readonly #bytes = new Uint8Array(batchBytes);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #known = new Set<number>();
  #used = 0;
  #records = 0;
  #decoded: (DecodedFrame | null)[] = [];
  #decodedSize = 0;
  #hasNewChannel = false;

  constructor(followed: FollowedChannels, reply: StreamReply) {
    this.#followed = followed;
    this.#announce(reply);
  }

  item(_reply: StreamReply, { view }: Staging, offset: number): boolean {
    const length = frm2Length(view, offset);
    copyWords(this.#view, this.#used, view, offset, length);
    setFrm2StreamEpoch(this.#view, this.#used, this.#followed.epoch);
    if (!this.#known.has(frm2Channel(view, offset))) this.#hasNewChannel = true;
    this.#used += length;
    this.#records++;
    if (this.#followed.decode) this.#add(this.#followed.decode(view, offset));
    return this.#used + frm2SlotBytes <= batchBytes && this.#decodedSize < decodedBytes;
  }

  flush(reply: StreamReply): void {
    if (this.#records === 0) return;
    // A client must know the channels of records before it reads them.
    if (this.#hasNewChannel) this.#announce(reply);
    if (this.#followed.decode) {
      reply.message({ decoded: this.#decoded });
      this.#decoded = [];
      this.#decodedSize = 0;
    }
    reply.batch(this.#bytes.subarray(0, this.#used), this.#records);
    this.#used = 0;
    this.#records = 0;
  }

  #add(decoded: DecodedFrame | null): void {
    this.#decoded.push(decoded);
    if (decoded) this.#decodedSize += decodedTextSize(decoded);
  }

  #announce(reply: StreamReply): void {
    const { channels, epoch } = this.#followed;
    const followed = channels().map(({ slot, selector, name }) => ({ slot, selector, name }));
    for (const { slot } of followed) this.#known.add(slot);
    this.#hasNewChannel = false;
    reply.message({ channels: followed, stream_epoch: epoch });
  }
}
