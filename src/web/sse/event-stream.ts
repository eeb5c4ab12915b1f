import { decodedEventJson } from '../../broker/decoded-event.ts';
import type { EventSink, SubscribeEventsOptions } from '../../broker/reader-hub.ts';
import type { Staging } from '../../broker/staging.ts';
import { asciiSlack, asciiText, putAscii, putInteger } from '../../frame/ascii-writer.ts';
import { ChannelTexts } from '../../frame/channel-texts.ts';
import type { DecodeRecord } from '../../frame/decoded-frame.ts';
import { compileEventFilter, type EventChoice } from '../../frame/event-filter.ts';
import { writeEventJson } from '../../frame/event-json.ts';
import { frm2Channel, frm2EventId, setFrm2StreamEpoch } from '../../frame/frm2-codec.ts';
import type { Caller } from '../../operations/dispatcher.ts';
import { messageStream } from '../../operations/message.ts';
import type { SseEncoder, SseStream } from './sse-body.ts';

const beforeId = asciiText('id: ');
const beforeData = asciiText('\nevent: message\ndata: ');
const afterData = asciiText('\n\n');
const maxIdLength = 16;
const aroundEvent =
  beforeId.length + maxIdLength + beforeData.length + afterData.length + asciiSlack;

export const eventEncoder = (
  epoch: number,
  selectorOf: (slot: number) => string,
  decode: DecodeRecord | null = null,
): SseEncoder<Staging, number> => {
  const channels = new ChannelTexts(selectorOf);
  if (decode) return decodingEncoder(epoch, channels, decode);
  return {
    item: (body, { view: record }, from) => {
      const channel = channels.of(frm2Channel(record, from));
      const room = aroundEvent + channel.room;
      const target = body.reserve(room);
      setFrm2StreamEpoch(record, from, epoch);
      let at = putAscii(target, body.length, beforeId);
      at = putInteger(target, at, frm2EventId(record, from));
      at = putAscii(target, at, beforeData);
      at = writeEventJson(target, at, record, from, channel);
      return body.commit(putAscii(target, at, afterData), room);
    },
  };
};

const decodingEncoder = (
  epoch: number,
  channels: ChannelTexts,
  decode: DecodeRecord,
): SseEncoder<Staging, number> => ({
  item: (body, { view: record }, from) => {
    const channel = channels.of(frm2Channel(record, from));
    setFrm2StreamEpoch(record, from, epoch);
    const data = decodedEventJson(record, from, channel, decode(record, from));
    return body.text(`id: ${frm2EventId(record, from)}\nevent: message\ndata: ${data}\n\n`);
  },
});

export interface EventSource {
  resolve(
    selectors: readonly string[] | undefined,
    caller: Caller,
  ): Promise<readonly number[] | null>;
  subscribe(options: SubscribeEventsOptions): unknown;
  selectorOf(slot: number): string;
}

export interface EventQuery extends EventChoice {
  readonly channel?: readonly string[];
  readonly after?: number;
  readonly decode?: boolean;
}

const caller: Caller = { face: 'http', project: null };

export const subscribeEvents = async (
  source: EventSource,
  query: EventQuery,
  sink: EventSink,
  capacity: number,
): Promise<void> => {
  const accepts = compileEventFilter(query);
  const channels = await source.resolve(query.channel, caller);
  source.subscribe({ channels, after: query.after ?? null, capacity, accepts, sink });
};

const undecoded = (): DecodeRecord => () => null;

export const eventStream = (source: EventSource, decodes = undecoded): SseStream => ({
  operation: messageStream,
  greeting: 'events follow',
  canResume: true,
  subscribe: (body, query: EventQuery, { epoch, capacity }) => {
    const decode = query.decode ? decodes() : null;
    const sink = body.sink(eventEncoder(epoch, (slot) => source.selectorOf(slot), decode));
    return subscribeEvents(source, query, sink, capacity);
  },
});
