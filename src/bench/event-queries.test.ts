import { describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/testing/fake-clock.ts';
import { Scratch, ScratchPool } from '../base/scratch-pool.ts';
import type { SubscriptionHandle } from '../base/subscription.ts';
import { BenchOfRings } from '../broker/testing/bench-of-rings.ts';
import { ListingSink } from '../broker/testing/listing-sink.ts';
import { SilentBell } from '../broker/testing/silent-bell.ts';
import type { ChannelRecord, ChannelStatsRecord } from './channel-record.ts';
import { ClientEvents } from './client-events.ts';
import { EventQueries, type Followed } from './event-queries.ts';

class AttachedSink extends ListingSink {
  readonly followed: Followed;
  subscription: SubscriptionHandle | undefined;

  constructor(followed: Followed) {
    super();
    this.followed = followed;
  }

  attach(subscription: SubscriptionHandle): void {
    this.subscription = subscription;
  }
}

const caller = {};

const setUp = (capacity = 8) => {
  const rings = new BenchOfRings();
  const slots = [2, 5];
  const opened = slots.map((slot) => rings.open(slot, 16));
  const asked: string[] = [];
  const bell = new SilentBell();
  const events = new ClientEvents<object>({
    memory: rings.memory,
    bell,
    clock: new FakeClock(),
    channels: slots.map((slot, index) => ({
      slot,
      selector: `SIM00001/${slot}`,
      name: null,
      number: slot,
      // biome-ignore lint/style/noNonNullAssertion: one ring was opened for each slot
      ring: opened[index]!.ring,
    })),
    follow: async (selectors) => selectors.map(Number),
    onDefect: (thrown) => {
      throw thrown;
    },
  });
  const queries = new EventQueries<object>({
    events,
    bench: {
      report: async (selector) => {
        asked.push(selector);
        const slot = Number(selector);
        const record = { slot, bus: 'can' } as unknown as ChannelRecord;
        return { record, stats: { slot } as unknown as ChannelStatsRecord };
      },
      consumersOf: async () => [],
    },
    view: () => ({ capacity, epoch: 42 }),
    turns: { next: async () => undefined },
    scratch: new ScratchPool(),
    pageBytes: 1_000_000,
    decoding: { fixed: () => () => null, live: () => () => null },
  });
  const publish = (records: number): void => {
    for (const ring of opened) ring.publish(records);
  };
  return { queries, events, asked, bell, publish };
};

const historyOf = async ({ queries }: ReturnType<typeof setUp>, query: object = {}) => {
  const page = await queries.history({ limit: 100, ...query }, caller);
  const scratch = new Scratch();
  return JSON.parse(scratch.bytes.toString('latin1', 0, page.writeInto(scratch)));
};

const idsOf = ({ events }: { events: { event_id: number }[] }) =>
  events.map(({ event_id }) => event_id);

describe('EventQueries', () => {
  it('goes back as far as the Web service shows, from the oldest on, with its epoch', async () => {
    const bench = setUp(4);
    bench.publish(6);
    const page = await historyOf(bench, { channel: ['5'] });
    expect(page).toMatchObject({ stream_epoch: 42, has_more: false });
    expect(idsOf(page)).toEqual([9, 10, 11, 12]);
    expect(idsOf(await historyOf(bench))).toEqual([9, 10, 11, 12]);
    expect(idsOf(await historyOf(bench, { after: 10 }))).toEqual([11, 12]);
  });

  it('lets a receiver have all that the rings hold, not what the Web service shows', async () => {
    const { queries, publish } = setUp(1);
    publish(3);
    const sinkOf = (followed: Followed) => new AttachedSink(followed);
    const sink = await queries.receive({ channel: ['2'], after: 0 }, caller, sinkOf);
    sink.subscription?.resume();
    expect(sink.seen.filter((seen) => typeof seen === 'number')).toHaveLength(3);
    expect(sink.followed.epoch).toBe(42);
    expect(sink.followed.channels().map(({ slot }) => slot)).toEqual([2]);
  });

  it('begins with what comes next, of all channels, where a receiver says no more', async () => {
    const { queries, bell, publish } = setUp();
    publish(3);
    const sink = await queries.receive({}, caller, (followed) => new AttachedSink(followed));
    sink.subscription?.resume();
    expect(sink.seen.filter((seen) => typeof seen === 'number')).toEqual([]);
    publish(1);
    bell.ring();
    expect(sink.seen.filter((seen) => typeof seen === 'number')).toHaveLength(2);
    expect(sink.followed.channels().map(({ slot }) => slot)).toEqual([2, 5]);
  });

  it('asks for a channel by its slot once it is found', async () => {
    const { queries, asked } = setUp();
    expect(await queries.channelOf('05', caller)).toEqual({ slot: 5, bus: 'can' });
    expect(asked).toEqual(['5']);
  });

  it('refuses a channel that was closed on the way', async () => {
    const { queries, events } = setUp();
    events.close(5);
    await expect(queries.channelOf('5', caller)).rejects.toMatchObject({
      code: 'channel_not_open',
      details: { channel: '5' },
    });
  });

  it('tells what is kept of a channel beside its statistics', async () => {
    const { queries, publish } = setUp(4);
    publish(6);
    const stats = await queries.stats('2', caller);
    expect(stats).toMatchObject({ slot: 2, broker: { capacity: 4 } });
  });
});
