import { describe, expect, it } from 'vitest';
import { frm2EventId } from '../frame/frm2-codec.ts';
import type { ChannelChoice } from './reader-hub.ts';
import { maxInspected } from './reader-hub.ts';
import { HubBench, range } from './testing/hub-bench.ts';

const readIds = (
  { hub }: HubBench,
  {
    channels = null as ChannelChoice,
    after = 0,
    limit = 256,
    capacity = 10,
    accepts = (_eventId: number): boolean => true,
    wanted = undefined as ((eventId: number) => boolean) | undefined,
  },
) => {
  const ids: number[] = [];
  const page = hub.readHistory({
    channels,
    after,
    limit,
    capacity,
    accepts: wanted && ((view, offset) => wanted(frm2EventId(view, offset))),
    visitor: ({ view }, offset) => {
      const id = frm2EventId(view, offset);
      if (!accepts(id)) return false;
      ids.push(id);
      return true;
    },
  });
  return { ids, position: page.position, bounds: page.bounds };
};

const bounds = (oldestAvailable: number, newestAvailable: number) => ({
  oldestAvailable,
  newestAvailable,
});

describe('ReaderHub.readHistory', () => {
  it('gives all channels in the order of event ids, from the oldest kept', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0), bench.open(1)];
    a.publish(8);
    b.publish(3);
    a.publish(4);
    expect(readIds(bench, {})).toEqual({
      ids: range(3, 15),
      position: 15,
      bounds: bounds(3, 15),
    });
    expect(bench.hub.bounds([1], 10)).toEqual(bounds(9, 11));
  });

  it('pages on from the last event taken', () => {
    const bench = new HubBench();
    bench.open(0).publish(9);
    const first = readIds(bench, { limit: 4 });
    const second = readIds(bench, { limit: 4, after: first.position });
    const third = readIds(bench, { limit: 4, after: second.position });
    expect([first.ids, second.ids, third.ids]).toEqual([range(1, 4), range(5, 8), [9]]);
  });

  it('gives what is wanted only, and goes on behind what it has looked at', () => {
    const bench = new HubBench();
    bench.open(0).publish(10);
    const wanted = (id: number): boolean => id % 3 === 0;
    const first = readIds(bench, { limit: 2, wanted });
    expect([first.ids, first.position]).toEqual([[3, 6], 6]);
    const second = readIds(bench, { limit: 2, wanted, after: first.position });
    expect([second.ids, second.position]).toEqual([[9], 10]);
    const none = readIds(bench, { wanted: () => false });
    expect([none.ids, none.position]).toEqual([[], 10]);
  });

  it('looks at so many events only, however few of them are wanted', () => {
    const bench = new HubBench();
    const slots = 2 * maxInspected;
    bench.open(0, slots).publish(maxInspected + 5);
    const wanted = (id: number): boolean => id > maxInspected;
    const first = readIds(bench, { capacity: slots, wanted });
    expect([first.ids, first.position]).toEqual([[], maxInspected]);
    expect(readIds(bench, { capacity: slots, wanted, after: first.position }).ids).toHaveLength(5);
  });

  it('begins the next page with the wanted record that had no room', () => {
    const bench = new HubBench();
    bench.open(0).publish(9);
    const wanted = (id: number): boolean => id % 2 === 0;
    const page = readIds(bench, { wanted, accepts: (id) => id < 6 });
    expect([page.ids, page.position]).toEqual([[2, 4], 5]);
    expect(readIds(bench, { wanted, after: page.position }).ids).toEqual([6, 8]);
  });

  it('begins the next page with the record that had no room', () => {
    const bench = new HubBench();
    bench.open(0).publish(9);
    const page = readIds(bench, { accepts: (id) => id < 4 });
    expect([page.ids, page.position]).toEqual([range(1, 3), 3]);
    expect(readIds(bench, { after: page.position }).ids).toEqual(range(4, 9));
  });

  it('stays where it is when not even the first record has room', () => {
    const bench = new HubBench();
    bench.open(0).publish(30);
    expect(readIds(bench, { accepts: () => false })).toMatchObject({ ids: [], position: 20 });
    expect(readIds(bench, { accepts: () => false, after: 24 }).position).toBe(24);
  });

  it('moves an empty page on with the other channels, never back', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0), bench.open(1)];
    b.publish(1);
    a.publish(500);
    expect(readIds(bench, { channels: [1], after: 1 })).toEqual({
      ids: [],
      position: 501,
      bounds: bounds(1, 1),
    });
    b.writer.reserve();
    expect(readIds(bench, { channels: [1], after: 501 }).position).toBe(501);
  });

  it.each([5, 1000])('refuses the expired cursor %i with the bounds', (after) => {
    const bench = new HubBench();
    bench.open(0).publish(30);
    expect(() => readIds(bench, { after })).toThrow(
      expect.objectContaining({
        code: 'cursor_expired',
        details: { oldest_available: 21, newest_available: 30 },
      }),
    );
  });

  it('tells a cursor that lies in the future from one whose events are gone', () => {
    const bench = new HubBench();
    bench.open(0).publish(30);
    expect(() => readIds(bench, { after: 5 })).toThrow(
      'The events after 5 have expired: 21 to 30 are available',
    );
    expect(() => readIds(bench, { after: 31 })).toThrow(
      'The cursor 31 is ahead of the newest event: 21 to 30 are available',
    );
    expect(() => readIds(new HubBench(), { after: 1 })).toThrow(
      'The cursor 1 is ahead of the newest event: none are available',
    );
  });

  it('ends a page where a record was overwritten meanwhile, so that the next one tells', () => {
    const bench = new HubBench();
    const a = bench.open(0, 1024);
    a.publish(600);
    const page = readIds(bench, {
      limit: 1000,
      capacity: 600,
      accepts: (id) => {
        if (id === 10) a.publish(300);
        return true;
      },
    });
    expect([page.ids, page.position]).toEqual([range(1, 256), 256]);
    expect(() => readIds(bench, { after: page.position, capacity: 600 })).toThrow(
      expect.objectContaining({ code: 'cursor_expired' }),
    );
  });

  it('has an empty page before there is anything', () => {
    expect(readIds(new HubBench(), {})).toEqual({ ids: [], position: 0, bounds: bounds(1, 0) });
  });
});
