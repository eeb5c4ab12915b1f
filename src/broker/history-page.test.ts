import { describe, expect, it } from 'vitest';
import { Scratch, ScratchPool } from '../base/scratch-pool.ts';
import { HistoryPage, type HistoryQuery } from './history-page.ts';
import { HubBench, range } from './testing/hub-bench.ts';

const maxBytes = 2 * 1024 * 1024;
const epoch = 1_763_280_000_000_000;

const pageOf = (bench: HubBench, scratch: ScratchPool, query: Partial<HistoryQuery> = {}) =>
  new HistoryPage(
    { hub: bench.hub, selectorOf: (slot) => `SIM00001/${slot}`, scratch },
    { channels: null, after: 0, limit: 4096, capacity: 8192, epoch, maxBytes, ...query },
  );

const slicesOf = (page: HistoryPage): Buffer[] => {
  const slices: Buffer[] = [];
  const scratch = new Scratch();
  for (let length = page.writeInto(scratch); length > 0; length = page.writeInto(scratch)) {
    slices.push(Buffer.from(scratch.bytes.subarray(0, length)));
  }
  return slices;
};

const parsed = (page: HistoryPage) => JSON.parse(Buffer.concat(slicesOf(page)).toString());

describe('HistoryPage', () => {
  it('writes the events and where to go on, in slices', () => {
    const bench = new HubBench();
    bench.open(0, 8192).publish(5000);
    const page = pageOf(bench, new ScratchPool());
    const slices = slicesOf(page);
    expect(slices.length).toBeGreaterThan(10);
    const { events, ...rest } = JSON.parse(Buffer.concat(slices).toString());
    expect(events.map(({ event_id }: { event_id: number }) => event_id)).toEqual(range(1, 4096));
    expect(events[0]).toMatchObject({ selector: 'SIM00001/0', stream_epoch: epoch, channel: 0 });
    expect(rest).toEqual({
      next_after: 4096,
      oldest_available: 1,
      newest_available: 5000,
      has_more: true,
      stream_epoch: epoch,
      older: [],
    });
  });

  it('names the channels that keep older events than all channels together', () => {
    const bench = new HubBench();
    const [quiet, busy, silent] = [bench.open(0), bench.open(1), bench.open(2)];
    quiet.publish(3);
    silent.publish(0);
    busy.publish(30);
    quiet.publish(1);
    const older = [{ channel: 0, selector: 'SIM00001/0', oldest_available: 1 }];
    const all = parsed(pageOf(bench, new ScratchPool(), { capacity: 10 }));
    expect(all).toMatchObject({ oldest_available: 24, older });
    // This holds for any page size, and for a selection of channels.
    const pages = [{ after: 33 }, { limit: 1 }, { channels: [0, 1] }];
    for (const query of pages) {
      const page = parsed(pageOf(bench, new ScratchPool(), { capacity: 10, ...query }));
      expect(page.older).toEqual(older);
    }
    for (const { channel, oldest_available } of all.older) {
      const alone = parsed(
        pageOf(bench, new ScratchPool(), { capacity: 10, channels: [channel], limit: 1 }),
      );
      expect(alone).toMatchObject({ oldest_available, events: [{ event_id: oldest_available }] });
      expect(alone.older).toEqual([]);
    }
  });

  it('writes what follows the events whole, however many channels it names', () => {
    const bench = new HubBench();
    for (const slot of range(0, 9)) bench.open(slot).publish(1);
    bench.open(10).publish(30);
    const page = new HistoryPage(
      { hub: bench.hub, selectorOf: () => 'ß'.repeat(10_000), scratch: new ScratchPool() },
      { channels: null, after: 0, limit: 4096, capacity: 10, epoch, maxBytes },
    );
    expect(parsed(page).older).toHaveLength(10);
  });

  it('tells what was there when it was made, however late it is written', () => {
    const bench = new HubBench();
    const channel = bench.open(0);
    channel.publish(20);
    const page = pageOf(bench, new ScratchPool());
    channel.publish(1000);
    bench.close(channel);
    const { events, newest_available } = parsed(page);
    expect(events.map(({ event_id }: { event_id: number }) => event_id)).toEqual(range(1, 20));
    expect(events.map(({ selector }: { selector: string }) => selector)[0]).toBe('SIM00001/0');
    expect(newest_available).toBe(20);
  });

  it('is complete without events, too', () => {
    expect(parsed(pageOf(new HubBench(), new ScratchPool()))).toMatchObject({
      events: [],
      next_after: 0,
    });
  });

  it('stays within what an answer may hold', () => {
    const bench = new HubBench();
    const channel = bench.open(0, 8192);
    channel.publish(4096);
    const selectorOf = (): string => 'S'.repeat(400);
    const scratch = new ScratchPool();
    const page = new HistoryPage(
      { hub: bench.hub, selectorOf, scratch },
      { channels: null, after: 0, limit: 4096, capacity: 8192, epoch, maxBytes },
    );
    const bytes = Buffer.concat(slicesOf(page));
    const { events, next_after } = JSON.parse(bytes.toString());
    expect(bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(events.length).toBeLessThan(4096);
    expect(next_after).toBe(events.length);
  });

  it('gives back its memory as it is written, and when it is not wanted any more', () => {
    const bench = new HubBench();
    bench.open(0, 8192).publish(4096);
    const scratch = new ScratchPool();
    slicesOf(pageOf(bench, scratch));
    const written = scratch.idle;
    expect(written).toBeGreaterThan(1);
    const page = pageOf(bench, scratch);
    expect(scratch.idle).toBe(0);
    page.writeInto(new Scratch());
    page.close();
    expect(scratch.idle).toBe(written);
    expect(page.writeInto(new Scratch())).toBe(0);
  });

  it('refuses an expired cursor at once', () => {
    const bench = new HubBench();
    bench.open(0).publish(500);
    expect(() => pageOf(bench, new ScratchPool(), { after: 1, capacity: 10 })).toThrow(
      expect.objectContaining({ code: 'cursor_expired' }),
    );
  });
});
