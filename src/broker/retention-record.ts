import { Type } from 'typebox';
import { counted, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { consumerKinds } from '../base/subscription.ts';

const Consumer = Type.Object({
  kind: Type.Enum([...consumerKinds]),
  cursor: counted('ID of the last event that the reader has received'),
  lag: counted('Events of this channel that the reader has not received yet'),
});
export type Consumer = RecordOf<typeof Consumer>;

export const RetentionRecord = Type.Object({
  capacity: counted('Events of the channel that history and streams can go back'),
  retained: counted('Events that are available now'),
  oldest_event_id: nullable(Type.Integer(), { description: 'null while nothing is retained' }),
  newest_event_id: nullable(Type.Integer()),
  overwritten: counted('Events that have expired'),
  ring_slots: counted('Events that the daemon retains for its own use'),
  consumers: Type.Array(Consumer),
});
export type RetentionRecord = RecordOf<typeof RetentionRecord>;
