import { describe, expect, it } from 'vitest';
import { idsOf, range, StreamBench } from './support/stream-bench.ts';

const capacity = 100;
const web = [`--history-capacity=${capacity}`];

describe('history beyond its capacity of 100 events a channel', () => {
  it('refuses a cursor that has missed something, and goes on before the oldest kept', async () => {
    const bench = await StreamBench.start({ web });
    await bench.send(0, 150);
    // Each channel has lost 50 of its 150 events: ids 1 to 100.
    const bounds = { oldest_available: 101, newest_available: 300 };
    expect(await bench.expiry('after=1')).toEqual(bounds);
    expect(await bench.expiry('after=99')).toEqual(bounds);
    // After the last lost event nothing is missing.
    expect(idsOf((await bench.history('after=100')).events)).toEqual(range(101, 300));

    const resumed = await bench.pages('limit=64', bounds.oldest_available - 1);
    expect(idsOf(resumed.events)).toEqual(range(101, 300));
    expect(await bench.history('after=0&limit=1')).toMatchObject({
      events: [{ event_id: 101 }],
      ...bounds,
    });
  });

  it('never refuses 0, and always refuses a cursor from another life of the daemon', async () => {
    const bench = await StreamBench.start({ web });
    expect(await bench.history('after=0')).toMatchObject({
      events: [],
      next_after: 0,
      oldest_available: 1,
      newest_available: 0,
    });
    expect(await bench.expiry('after=1')).toEqual({ oldest_available: 1, newest_available: 0 });

    await bench.send(0, 5);
    expect((await bench.history('after=10')).events).toEqual([]);
    const bounds = { oldest_available: 1, newest_available: 10 };
    expect(await bench.expiry('after=11')).toEqual(bounds);
    expect(await bench.expiry('after=9007199254740991')).toEqual(bounds);
    const { error } = (await bench.get('/messages/history?after=11')).json();
    expect(error.message).toBe('The cursor 11 is ahead of the newest event: 1 to 10 are available');
    expect(error.details.hint).toContain('Start from 0, or from 10');
    expect(idsOf((await bench.history('after=0')).events)).toEqual(range(1, 10));
  });

  it('keeps a quiet channel whole beside a busy one, and tells all as a complete run', async () => {
    const bench = await StreamBench.start({ web, ports: [0, 1, 2, 3] });
    await bench.send(0, 10);
    await bench.send(2, 500);
    const own = await bench.history('channel=SIM00001/0');
    expect(idsOf(own.events)).toEqual(range(1, 20).filter((id) => id % 2 === 1));
    expect(own).toMatchObject({ oldest_available: 1, newest_available: 19, next_after: 19 });
    // After its last event nothing of this channel was lost, regardless of the others.
    expect(await bench.history('channel=0&after=19')).toMatchObject({ events: [] });
    expect(await bench.history('channel=0&channel=1&after=1&limit=1')).toMatchObject({
      events: [{ event_id: 2 }],
      oldest_available: 1,
      newest_available: 20,
    });

    const bounds = { oldest_available: 821, newest_available: 1020 };
    expect(await bench.expiry('after=1')).toEqual(bounds);
    expect(await bench.expiry('channel=0&channel=2&after=19')).toEqual({
      oldest_available: 821,
      newest_available: 1019,
    });
    const all = await bench.history('');
    expect(idsOf(all.events)).toEqual(range(821, 1020));
    // Busy channels begin where all channels together do; quiet ones retain more.
    expect(all.older).toEqual([
      { channel: 0, selector: 'SIM00001/0', oldest_available: 1 },
      { channel: 1, selector: 'SIM00001/1', oldest_available: 2 },
    ]);
    expect(own.older).toEqual([]);
  });

  it('keeps 100 of each channel, and says so in its statistics', async () => {
    const bench = await StreamBench.start({ web, ports: [0, 1, 2, 3] });
    await bench.send(2, 30);
    await bench.send(0, 250);
    expect(await bench.broker(0)).toEqual({
      capacity,
      retained: 100,
      oldest_event_id: 361,
      newest_event_id: 559,
      overwritten: 150,
      ring_slots: 32_768,
      consumers: [],
    });
    expect(await bench.broker(3)).toMatchObject({
      retained: 30,
      oldest_event_id: 2,
      newest_event_id: 60,
      overwritten: 0,
    });
    for (const [slot, events] of [100, 100, 30, 30].entries()) {
      expect((await bench.history(`channel=${slot}`)).events).toHaveLength(events);
    }
  });
});

describe('closing a channel', () => {
  it('takes its events along: what came before is no longer a complete run', async () => {
    const bench = await StreamBench.start({ web, ports: [0, 1, 2, 3] });
    await bench.send(0, 10);
    await bench.send(2, 10);
    await bench.send(0, 10);
    await bench.close(3);
    // Its newest event was 40.
    expect(await bench.expiry('after=39')).toEqual({ oldest_available: 41, newest_available: 60 });
    expect(idsOf((await bench.history('after=40')).events)).toEqual(range(41, 60));
    expect(idsOf((await bench.history('')).events)).toEqual(range(41, 60));
    expect((await bench.history('channel=0&after=1')).events).toHaveLength(19);
    expect((await bench.get('/messages/history?channel=SIM00001/3')).json().error.code).toBe(
      'channel_not_open',
    );
    expect((await bench.get('/messages/history?channel=3')).json().error.code).toBe(
      'channel_not_found',
    );

    for (const port of [0, 1, 2]) await bench.close(port);
    expect(await bench.history('')).toMatchObject({
      events: [],
      oldest_available: 61,
      newest_available: 60,
    });
    expect(await bench.expiry('after=59')).toEqual({ oldest_available: 61, newest_available: 60 });

    await bench.open(0);
    await bench.open(1);
    await bench.send(1, 1);
    const { events } = await bench.history('after=60');
    expect(idsOf(events)).toEqual([61, 62]);
    // A reopened port is another channel: its slot and its sequence are new.
    expect(events.map(({ channel }) => channel).sort()).toEqual([4, 5]);
    expect(events.map(({ source_sequence }) => source_sequence)).toEqual([1, 1]);
  });
});
