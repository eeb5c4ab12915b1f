import type { YieldQueue } from '../base/clock/yield-queue.ts';
import type { ScratchPool } from '../base/scratch-pool.ts';
import { HistoryPage } from '../broker/history-page.ts';
import type { EventSink } from '../broker/reader-hub.ts';
import type { Consumer } from '../broker/retention-record.ts';
import { wholeRing } from '../broker/ring-cursor.ts';
import type { DecodeRecord } from '../frame/decoded-frame.ts';
import { compileEventFilter, type EventChoice } from '../frame/event-filter.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { ChannelRecord, ChannelStatsRecord } from './channel-record.ts';
import type { ChannelEntry } from './channel-table.ts';
import type { ClientEvents } from './client-events.ts';

export interface EventView {
  readonly capacity: number;
  readonly epoch: number;
}

interface ChannelSource<Caller> {
  report(
    selector: string,
    caller: Caller,
  ): Promise<{ readonly record: ChannelRecord; readonly stats: ChannelStatsRecord }>;
  consumersOf(slot: number): Promise<readonly Consumer[]>;
}

export interface EventQueriesOptions<Caller> {
  readonly events: ClientEvents<Caller>;
  readonly bench: ChannelSource<Caller>;
  readonly view: () => EventView;
  readonly turns: Pick<YieldQueue, 'next'>;
  readonly scratch: ScratchPool;
  readonly pageBytes: number;
  readonly decoding: {
    /** A record gives the same result each time. */
    fixed(): DecodeRecord;
    live(): DecodeRecord;
  };
}

interface EventQuery extends EventChoice {
  readonly channel?: readonly string[] | undefined;
  readonly after?: number | undefined;
  readonly decode?: boolean | undefined;
}

export interface Followed {
  readonly epoch: number;
  readonly channels: () => readonly ChannelEntry[];
  readonly decode: DecodeRecord | null;
}

export class EventQueries<Caller extends { readonly signal?: AbortSignal }> {
  readonly #options: EventQueriesOptions<Caller>;

  constructor(options: EventQueriesOptions<Caller>) {
    this.#options = options;
  }

  async channelOf(selector: string, caller: Caller): Promise<{ slot: number; bus: Bus }> {
    const { events, bench } = this.#options;
    const slot = await events.slotOf(selector, caller);
    // Looked up by slot, because the name can belong to another channel by now.
    const { record } = await bench.report(String(slot), caller);
    return { slot, bus: record.bus };
  }

  async stats(selector: string, caller: Caller) {
    const { events, bench, view } = this.#options;
    const { stats } = await bench.report(selector, caller);
    const others = await bench.consumersOf(stats.slot);
    return { ...stats, broker: events.retention(stats.slot, view().capacity, others) };
  }

  /** Returns a page of past events, starting at the oldest without a cursor. */
  async history(
    query: EventQuery & { readonly limit: number },
    caller: Caller,
  ): Promise<HistoryPage> {
    const { events, view, turns, scratch, pageBytes, decoding } = this.#options;
    const accepts = compileEventFilter(query);
    const channels = await events.resolve(query.channel, caller);
    // Yields, so that a hundred concurrent page requests do not block the thread.
    await turns.next(caller.signal);
    const { after = 0, limit } = query;
    const { hub } = events;
    return new HistoryPage(
      { hub, selectorOf: (slot) => events.selectorOf(slot), scratch },
      {
        channels,
        after,
        limit,
        ...view(),
        accepts,
        maxBytes: pageBytes,
        decode: query.decode ? decoding.fixed() : undefined,
      },
    );
  }

  /**
   * Follows events, starting at the next one without a cursor. A user's own program receives
   * all retained events, not only the web service's view.
   */
  async receive<S extends EventSink>(
    query: EventQuery,
    caller: Caller,
    sinkOf: (followed: Followed) => S,
  ): Promise<S> {
    const { events, view, decoding } = this.#options;
    const accepts = compileEventFilter(query);
    const channels = await events.resolve(query.channel, caller);
    const sink = sinkOf({
      epoch: view().epoch,
      decode: query.decode ? decoding.live() : null,
      channels: () => events.channels.filter(({ slot }) => channels?.includes(slot) ?? true),
    });
    const { after = null } = query;
    events.hub.subscribe({ channels, after, capacity: wholeRing, accepts, sink });
    return sink;
  }
}
