import type { EventSink, SubscribeEventsOptions } from '../../broker/reader-hub.ts';
import type { Staging } from '../../broker/staging.ts';
import { asciiSlack, asciiText, putAscii, putInteger } from '../../frame/ascii-writer.ts';
import { ChannelTexts } from '../../frame/channel-texts.ts';
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
): SseEncoder<Staging, number> => {
  const channels = new ChannelTexts(selectorOf);
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

export const eventStream = (source: EventSource): SseStream => ({
  operation: messageStream,
  greeting: 'events follow',
  canResume: true,
  subscribe: (body, query, { epoch, capacity }) => {
    const sink = body.sink(eventEncoder(epoch, (slot) => source.selectorOf(slot)));
    return subscribeEvents(source, query, sink, capacity);
  },
});
