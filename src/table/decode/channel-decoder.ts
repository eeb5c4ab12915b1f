import { maxStandardId } from '../../frame/frame.ts';
import { channelOfKey, channelText, isChannel } from '../../trace/channel-key.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { ChosenMessages, DatabaseMessages } from './chosen-messages.ts';
import type { LongPayload } from './long-payloads.ts';
import { MessageSampler } from './message-sampler.ts';
import { type SampleTimes, ScaledFrames } from './scaled-frames.ts';
import { UnknownFrames } from './unknown-frames.ts';

/** Identifiers whose message is remembered; a hostile trace has more. */
const maxRemembered = 65_536;

/** A message without chosen signals is known, but has no samples. */
type Found = MessageSampler | 'not chosen' | null;

class Channel {
  readonly key: number;
  readonly databases: readonly DatabaseMessages[];
  /** Messages of standard frames by identifier. */
  readonly standard = new Array<Found | undefined>(maxStandardId + 1).fill(undefined);
  readonly extended = new Map<number, Found>();
  readonly samplers = new Map<unknown, MessageSampler>();

  constructor(key: number, databases: readonly DatabaseMessages[]) {
    this.key = key;
    this.databases = databases;
  }
}

/** Decodes payloads of channels into samples: those of frames, and longer reassembled ones. */
export class ChannelDecoder {
  readonly samples: SampleBatch;
  readonly #frames: ScaledFrames;
  readonly unknown = new UnknownFrames();
  readonly #messages: ChosenMessages;
  readonly #channels = new Map<number, Channel>();
  #last: Channel | undefined;
  /** Messages by the channels on which they were found, if each may have only one. */
  readonly #soleChannels: Map<unknown, number> | null;
  readonly #onOtherChannel: ((message: string) => void) | null;
  /** Frames of messages without chosen signals. */
  notChosen = 0;
  decoded = 0;
  /** Decoded payloads that are longer than a frame. */
  pdus = 0;

  /** Samples of a message need room in the batch before they are decoded. */
  constructor(
    messages: ChosenMessages,
    capacity: number,
    onOtherChannel: ((message: string) => void) | null,
  ) {
    this.#messages = messages;
    this.#frames = new ScaledFrames(capacity);
    this.samples = this.#frames.batch;
    this.#soleChannels = onOtherChannel ? new Map() : null;
    this.#onOtherChannel = onOtherChannel;
  }

  /** Starts with the rows of a trace. */
  begin(rows: TraceBatch, times: SampleTimes): void {
    this.#frames.begin(rows, times, this.#messages.maxSignals);
  }

  /** Adds the samples of rows up to `until`; returns the first row that `decode` has to see. */
  decodeRows(row: number, until: number): number {
    const next = this.#frames.sampleRows(row, until);
    this.decoded += next - row;
    return next;
  }

  /** Adds the samples of a payload. */
  decode(
    key: number,
    names: ReadonlyMap<number, string>,
    id: number,
    extended: boolean,
    view: DataView,
    at: number,
    length: number,
    timeUs: number,
    row: number,
  ): MessageSampler | null {
    const channel = key === this.#last?.key ? this.#last : this.#enter(key, names);
    const known = extended ? channel.extended.get(id) : channel.standard[id];
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
    found.sample(view, at, length, timeUs, row);
    found.remember(key, id, extended);
    return found;
  }

  /** The same for a payload longer than a frame, which only J1939 messages have. */
  decodeLong(
    key: number,
    names: ReadonlyMap<number, string>,
    { id, bytes, row }: LongPayload,
    timeUs: number,
  ): MessageSampler | null {
    const channel = this.#enter(key, names);
    const known = channel.extended.get(id);
    const found = known === undefined ? this.#find(channel, id, true) : known;
    if (!(found instanceof MessageSampler) || found.message.pgn === undefined) return null;
    this.pdus++;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    found.sample(view, 0, bytes.length, timeUs, row);
    return found;
  }

  #enter(key: number, names: ReadonlyMap<number, string>): Channel {
    const known = this.#channels.get(key) ?? this.#open(key, names.get(key) ?? null);
    this.#last = known;
    return known;
  }

  #open(key: number, name: string | null): Channel {
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
    if (extended) {
      if (channel.extended.size < maxRemembered) channel.extended.set(id, found);
    } else if (id <= maxStandardId) channel.standard[id] = found;
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
        this.#frames,
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
