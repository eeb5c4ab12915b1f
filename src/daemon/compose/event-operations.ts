import type { Clock } from '../../base/clock/clock.ts';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { ClientEvents } from '../../bench/client-events.ts';
import { HistoryPage } from '../../broker/history-page.ts';
import { wholeRing } from '../../broker/reader.ts';
import { compileEventFilter } from '../../frame/event-filter.ts';
import { channelStats } from '../../operations/channel.ts';
import { type Caller, type Dispatcher, plainCaller } from '../../operations/dispatcher.ts';
import { historyCapacity, historyPage, pageBytes } from '../../operations/limits.ts';
import { messageHistory, messageRecv } from '../../operations/message.ts';
import type { WebService } from '../../web/web-service.ts';
import { RecordOutlet } from '../ipc/record-outlet.ts';
import type { BenchOffer } from './thread-contracts.ts';

interface EventContext {
  readonly clock: Clock;
  readonly bench: Remote<BenchOffer>;
  readonly web: WebService;
  readonly events: ClientEvents<Caller>;
  readonly turns: LoopTurns;
  readonly scratch: ScratchPool;
}

/** Binds what looks at events: statistics, history and `message recv`. */
export const bindEventOperations = (dispatcher: Dispatcher, context: EventContext): void => {
  const { bench, events, clock, scratch } = context;
  const selectorOf = (slot: number): string => events.selectorOf(slot);
  const source = { hub: events.hub, selectorOf, scratch };
  /** Without a Web service its default applies, and there is no epoch. */
  const view = () => {
    const { history_capacity, stream_epoch } = context.web.status();
    return { capacity: history_capacity ?? historyCapacity.default, epoch: stream_epoch ?? 0 };
  };
  dispatcher
    .bind(channelStats, async ({ arguments: { selector }, caller }) => {
      const { stats } = await bench.channelReport(selector, plainCaller(caller));
      const others = await bench.consumersOf(stats.slot);
      return { ...stats, broker: events.retention(stats.slot, view().capacity, others) };
    })
    .bind(messageHistory, async ({ arguments: query, caller }) => {
      const accepts = compileEventFilter(query);
      const channels = await events.resolve(query.channel, caller);
      // A hundred pages that are asked for at once are made in a hundred turns of the event loop.
      await context.turns.next(caller.signal);
      const { capacity, epoch } = view();
      return new HistoryPage(source, {
        channels,
        after: query.after ?? 0,
        limit: query.limit ?? historyPage.default,
        capacity,
        epoch,
        accepts,
        maxBytes: pageBytes,
      });
    })
    .bindStream(messageRecv, async ({ arguments: query, caller }, sink) => {
      const accepts = compileEventFilter(query);
      const channels = await events.resolve(query.channel, caller);
      const { epoch } = view();
      const outlet = new RecordOutlet({
        sink,
        clock,
        epoch,
        channels: () => events.channels.filter(({ slot }) => channels?.includes(slot) ?? true),
        count: query.count ?? Number.POSITIVE_INFINITY,
        durationMs: query.duration_ms ?? null,
      });
      const after = query.after ?? null;
      // A program of the user's own gets all that there is, not what the Web service shows.
      const capacity = wholeRing;
      outlet.attach(events.hub.subscribe({ channels, after, capacity, accepts, outlet }));
      return outlet;
    });
};
