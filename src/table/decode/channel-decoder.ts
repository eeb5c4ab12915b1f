import { channelOfKey, channelText, isChannel } from '../../trace/channel-key.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import type { ChosenMessages, DatabaseMessages } from './chosen-messages.ts';
import type { LongPayload } from './long-payloads.ts';
import { MessageSampler } from './message-sampler.ts';
import { UnknownFrames } from './unknown-frames.ts';

/** Identifiers whose message is remembered; a hostile trace has more. */
const maxRemembered = 65_536;
const extendedMark = 2 ** 29;

/** A message without chosen signals is known, but has no samples. */
type Found = MessageSampler | 'not chosen' | null;

class Channel {
  readonly key: number;
  readonly databases: readonly DatabaseMessages[];
  readonly found = new Map<number, Found>();
  readonly samplers = new Map<unknown, MessageSampler>();

  constructor(key: number, databases: readonly DatabaseMessages[]) {
    this.key = key;
    this.databases = databases;
  }
}

/** Decodes payloads of channels into samples: those of frames, and longer reassembled ones. */
export class ChannelDecoder {
  readonly series: Series[] = [];
  readonly unknown = new UnknownFrames();
  readonly #messages: ChosenMessages;
  readonly #channels = new Map<number, Channel>();
  /** Messages by the channels on which they were found, if each may have only one. */
  readonly #soleChannels: Map<unknown, number> | null;
  readonly #onOtherChannel: ((message: string) => void) | null;
  /** Frames of messages without chosen signals. */
  notChosen = 0;
  decoded = 0;
  /** Decoded payloads that are longer than a frame. */
  pdus = 0;

  constructor(messages: ChosenMessages, onOtherChannel: ((message: string) => void) | null) {
    this.#messages = messages;
    this.#soleChannels = onOtherChannel ? new Map() : null;
    this.#onOtherChannel = onOtherChannel;
  }

  /** Adds the samples of a payload to a batch, which needs room for all signals of a message. */
  decode(
    key: number,
    name: string | null,
    id: number,
    extended: boolean,
    view: DataView,
    at: number,
    length: number,
    timeUs: number,
    row: number,
    batch: SampleBatch,
  ): MessageSampler | null {
    const channel = this.#channels.get(key) ?? this.#enter(key, name);
    const known = channel.found.get(extended ? id + extendedMark : id);
    const found = known === undefined ? this.#find(channel, id, extended) : known;
    if (found === null) {
      this.unknown.count(key, id, extended);
      return null;
    }
    if (found === 'not chosen') {
      this.notChosen++;
      return null;
    }
    this.decoded++;
    found.sample(view, at, length, timeUs, row, batch);
    return found;
  }

  /** The same for a payload longer than a frame, which only J1939 messages have. */
  decodeLong(
    key: number,
    name: string | null,
    { id, bytes, row }: LongPayload,
    timeUs: number,
    batch: SampleBatch,
  ): MessageSampler | null {
    const channel = this.#channels.get(key) ?? this.#enter(key, name);
    const known = channel.found.get(id + extendedMark);
    const found = known === undefined ? this.#find(channel, id, true) : known;
    if (!(found instanceof MessageSampler) || found.message.pgn === undefined) return null;
    this.pdus++;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    found.sample(view, 0, bytes.length, timeUs, row, batch);
    return found;
  }

  #enter(key: number, name: string | null): Channel {
    const isLin = channelOfKey(key).bus === 'lin';
    const databases = this.#messages.databases.filter(
      ({ source, isLin: forLin }) =>
        forLin === isLin && (source.channel === null || isChannel(source.channel, key, name)),
    );
    const channel = new Channel(key, databases);
    this.#channels.set(key, channel);
    return channel;
  }

  #find(channel: Channel, id: number, extended: boolean): Found {
    const found = this.#search(channel, id, extended);
    if (channel.found.size < maxRemembered) {
      channel.found.set(extended ? id + extendedMark : id, found);
    }
    return found;
  }

  #search(channel: Channel, id: number, extended: boolean): Found {
    for (const database of channel.databases) {
      const message = database.find(id, extended);
      if (message === undefined) continue;
      const chosen = database.chosen.get(message);
      if (chosen === undefined) return 'not chosen';
      const known = channel.samplers.get(chosen);
      if (known) return known;
      this.#checkSole(chosen, chosen.message.name, channel.key);
      const sampler = new MessageSampler(
        chosen.message,
        chosen.signals,
        channelText(channel.key),
        this.series,
      );
      channel.samplers.set(chosen, sampler);
      return sampler;
    }
    return null;
  }

  #checkSole(chosen: unknown, message: string, key: number): void {
    const other = this.#soleChannels?.get(chosen);
    if (other !== undefined && other !== key) this.#onOtherChannel?.(message);
    this.#soleChannels?.set(chosen, key);
  }
}
