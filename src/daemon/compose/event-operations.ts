import type { Clock } from '../../base/clock/clock.ts';
import type { EventQueries } from '../../bench/event-queries.ts';
import { channelStats } from '../../operations/channel.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { messageHistory, messageRecv } from '../../operations/message.ts';
import { RecordOutlet } from '../ipc/record-outlet.ts';

interface EventContext {
  readonly clock: Clock;
  readonly queries: EventQueries<Caller>;
}

/** Binds what looks at events: statistics, history and `message recv`. */
export const bindEventOperations = (
  dispatcher: Dispatcher,
  { clock, queries }: EventContext,
): void => {
  dispatcher
    .bind(channelStats, ({ arguments: { selector }, caller }) => queries.stats(selector, caller))
    .bind(messageHistory, ({ arguments: query, caller }) => queries.history(query, caller))
    .bindStream(messageRecv, ({ arguments: query, caller }, sink) =>
      queries.receive(
        query,
        caller,
        (followed) => new RecordOutlet({ sink, clock, end: query, ...followed }),
      ),
    );
};
