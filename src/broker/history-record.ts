import { type Static, Type } from 'typebox';
import { named } from '../base/schema/schemas.ts';
import { MessageEvent } from '../frame/event-record.ts';

const OlderEvents = Type.Object({
  channel: Type.Integer({ minimum: 0, description: 'Slot' }),
  selector: Type.String(),
  oldest_available: Type.Integer({ minimum: 0 }),
});

export const HistoryPosition = Type.Object({
  next_after: Type.Integer({ minimum: 0 }),
  oldest_available: Type.Integer({ minimum: 0 }),
  newest_available: Type.Integer({ minimum: 0 }),
  has_more: Type.Boolean({ description: 'Whether more events follow next_after, matching or not' }),
  stream_epoch: Type.Integer({ minimum: 0 }),
  older: Type.Array(OlderEvents, {
    description:
      'Channels that retain events older than oldest_available; query each of them alone. Empty if there are none',
  }),
});
export type HistoryPosition = Static<typeof HistoryPosition>;

export const MessageHistory = named(
  'MessageHistory',
  Type.Object({ events: Type.Array(MessageEvent), ...HistoryPosition.properties }),
);
export type MessageHistory = Static<typeof MessageHistory>;
