import { Type } from 'typebox';
import { counted, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { consumerKinds } from '../base/subscription.ts';

const Consumer = Type.Object({
  kind: Type.Enum([...consumerKinds]),
  cursor: counted('Event id up to which it has everything'),
  lag: counted('Events of this channel that it has not had yet'),
});
/** A reader of a channel, as statistics tell of it. */
export type Consumer = RecordOf<typeof Consumer>;

/** What is kept of a channel, and who reads it. */
export const RetentionRecord = Type.Object({
  capacity: counted('Events of the channel that history and streams can go back'),
  retained: counted('Events of it that they can have now'),
  oldest_event_id: nullable(Type.Integer(), { description: 'null while nothing is retained' }),
  newest_event_id: nullable(Type.Integer()),
  overwritten: counted('Events that are no longer to be had'),
  ring_slots: counted('Events that the daemon itself keeps, for what it does with them'),
  consumers: Type.Array(Consumer),
});
export type RetentionRecord = RecordOf<typeof RetentionRecord>;
