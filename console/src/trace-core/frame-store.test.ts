import { describe, expect, it } from 'vitest';
import { FrameChunk } from './frame-chunk.ts';
import { FrameStore, type RowTest } from './frame-store.ts';
import { aChunk, anEvent, aRecord } from './testing/records.ts';

const fill = (store: FrameStore, from: number, to: number): void => {
  for (let eventId = from; eventId <= to; eventId++) store.addRecord(aRecord({ eventId }));
};

const shown = (store: FrameStore): number[] =>
  [...store.view].map(({ chunk, row }) => chunk.eventId[row] as number);

const isEven: RowTest = (chunk, row) => (chunk.eventId[row] as number) % 2 === 0;

describe('FrameStore', () => {
  it('keeps the newest frames and lets whole chunks of the oldest go', () => {
    const store = new FrameStore(12, 4);
    fill(store, 1, 30);
    expect(shown(store)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
    expect(store.total).toBe(10);
  });

  it('holds no more memory after a thousand rounds than after one', () => {
    const store = new FrameStore(12, 4);
    fill(store, 1, 12);
    const chunks = new Set(store.view.chunks);
    fill(store, 13, 4000);
    for (const chunk of store.view.chunks) chunks.add(chunk);
    expect(chunks.size).toBeLessThanOrEqual(4);
  });

  it('finds rows by index and by serial, filtered or not', () => {
    const store = new FrameStore(12, 4);
    fill(store, 1, 10);
    expect(store.view.at(5)?.chunk.eventId[store.view.at(5)?.row ?? -1]).toBe(6);
    expect(store.view.at(10)).toBeNull();
    expect(store.view.indexOf(5)).toBe(5);
    store.filter(isEven);
    expect(shown(store)).toEqual([2, 4, 6, 8, 10]);
    expect(store.view.count).toBe(5);
    expect(store.view.rows).toBe(10);
    // Serial 6 is event 7, which is hidden: event 8 is next.
    expect(store.view.indexOf(6)).toBe(3);
    expect(store.view.indexOf(99)).toBe(5);
  });

  it('filters what comes as well as what is there', () => {
    const store = new FrameStore(100, 4);
    fill(store, 1, 3);
    store.filter(isEven);
    fill(store, 4, 8);
    expect(shown(store)).toEqual([2, 4, 6, 8]);
    store.filter(null);
    expect(shown(store)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('leaves a pinned view as it was while frames go on to come', () => {
    const store = new FrameStore(12, 4);
    fill(store, 1, 6);
    store.pin();
    fill(store, 7, 100);
    expect(shown(store)).toEqual([1, 2, 3, 4, 5, 6]);
    store.filter(isEven);
    expect(shown(store)).toEqual([2, 4, 6]);
    expect(store.view.indexOf(4)).toBe(2);
    store.unpin();
    store.filter(null);
    expect(shown(store).at(-1)).toBe(100);
    expect(shown(store)).not.toContain(6);
  });

  it('puts older frames in front, of the pinned view and of what stays', () => {
    const store = new FrameStore(100, 4);
    fill(store, 11, 13);
    store.pin();
    fill(store, 14, 15);
    store.filter(isEven);
    store.prepend(aChunk({ eventId: 9 }, { eventId: 10 }));
    expect(shown(store)).toEqual([10, 12]);
    // The serials of older frames count down.
    expect(store.view.chunks[0]?.serial[0]).toBe(-2);
    store.unpin();
    expect(shown(store)).toEqual([10, 12, 14]);
  });

  it('gives older frames to the pinned view alone once its own are gone elsewhere', () => {
    const store = new FrameStore(8, 4);
    fill(store, 11, 14);
    store.pin();
    fill(store, 15, 40);
    store.prepend(aChunk({ eventId: 10 }));
    expect(shown(store)).toEqual([10, 11, 12, 13, 14]);
    store.unpin();
    expect(shown(store)[0]).toBeGreaterThan(14);
  });

  /** Number of chunks in use while frames arrive. */
  const chunksOf = (store: FrameStore, from: number, to: number): Set<FrameChunk> => {
    const seen = new Set(store.view.chunks);
    for (let eventId = from; eventId <= to; eventId++) {
      fill(store, eventId, eventId);
      for (const chunk of store.view.chunks) seen.add(chunk);
    }
    return seen;
  };

  it('puts frames that were never sent at their time, and names all others as before', () => {
    const store = new FrameStore(100, 8);
    for (const at of [1, 2, 3, 4]) store.addRecord(aRecord({ eventId: at, timestampUs: at * 10 }));
    const dropped = (event_id: number, timestamp_us: number) => anEvent({ event_id, timestamp_us });
    store.pin();
    store.addDropped([dropped(-1, 25), dropped(-2, 26), dropped(-3, 5), dropped(-4, 45)]);
    expect(shown(store)).toEqual([-3, 1, 2, -1, -2, 3, 4]);
    store.unpin();
    expect(shown(store)).toEqual([-3, 1, 2, -1, -2, 3, 4, -4]);
    // Serial 2 is event 3, as it was before.
    expect(store.view.indexOf(2)).toBe(5);
    const serials = [...store.view].map(({ chunk, row }) => chunk.serial[row] as number);
    expect(new Set(serials).size).toBe(8);
    expect(serials).toEqual([...serials].sort((a, b) => a - b));
    store.filter(isEven);
    expect(shown(store)).toEqual([2, -2, 4, -4]);
    fill(store, 5, 6);
    expect(shown(store)).toEqual([2, -2, 4, -4, 6]);
    expect(store.total).toBe(10);
  });

  it('puts frames that arrive after later dropped ones before them', () => {
    const store = new FrameStore(100, 8);
    const add = (eventId: number, timestampUs: number, data = '') =>
      store.addRecord(aRecord({ eventId, timestampUs, data }));
    store.filter((chunk, row) => (chunk.eventId[row] as number) !== 3);
    add(1, 10);
    store.addDropped([
      anEvent({ event_id: -1, timestamp_us: 30, data: 'AA' }),
      anEvent({ event_id: -2, timestamp_us: 50 }),
    ]);
    add(2, 20, '0202');
    add(3, 40);
    store.pin();
    add(4, 45, '0404');
    add(5, 60);
    expect(shown(store)).toEqual([1, 2, -1, 4, -2]);
    store.unpin();
    expect(shown(store)).toEqual([1, 2, -1, 4, -2, 5]);
    const datas = [...store.view].map(({ chunk, row }) => chunk.dataOf(row).join());
    expect(datas).toEqual(['', '2,2', '170', '4,4', '', '']);
    store.filter(null);
    expect(shown(store)).toEqual([1, 2, -1, 3, 4, -2, 5]);
    const serials = [...store.view].map(({ chunk, row }) => chunk.serial[row] as number);
    expect(new Set(serials).size).toBe(7);
    expect(serials).toEqual([...serials].sort((a, b) => a - b));
    expect(store.total).toBe(7);
  });

  const timed = (store: FrameStore, ...frames: (readonly [channel: number, timeUs: number])[]) => {
    for (const [channel, timestampUs] of frames) {
      store.addRecord(aRecord({ eventId: timestampUs, channel, timestampUs }));
    }
  };

  it('puts frames that other buses report late at their time', () => {
    const store = new FrameStore(100, 8);
    store.filter((chunk, row) => (chunk.eventId[row] as number) !== 30);
    timed(store, [0, 10], [0, 30], [1, 31], [2, 20], [0, 40], [2, 25]);
    expect(shown(store)).toEqual([10, 20, 25, 31, 40]);
    store.filter(null);
    expect(shown(store)).toEqual([10, 20, 25, 30, 31, 40]);
    const serials = [...store.view].map(({ chunk, row }) => chunk.serial[row] as number);
    expect(serials).toEqual([...serials].sort((a, b) => a - b));
    expect(new Set(serials).size).toBe(6);
  });

  it('keeps the order of each channel, as its clock can be set', () => {
    const store = new FrameStore(100, 8);
    timed(store, [0, 50], [0, 20], [1, 30], [1, 10]);
    expect(shown(store)).toEqual([50, 20, 30, 10]);
  });

  it('puts late frames at their time where one chunk ends and the next begins', () => {
    const store = new FrameStore(1000, 64);
    const times = Array.from({ length: 400 }, (_, index) => index);
    for (const index of times) {
      // Every second frame is of the slow bus, and arrives after its successor.
      const isSlow = index % 2 === 1;
      timed(store, isSlow ? [1, index * 10 + 5] : [0, index * 10 + 20]);
    }
    expect(shown(store)).toEqual([...shown(store)].sort((a, b) => a - b));
    expect(store.total).toBe(400);
    const serials = [...store.view].map(({ chunk, row }) => chunk.serial[row] as number);
    expect(serials).toEqual([...serials].sort((a, b) => a - b));
    store.filter((chunk, row) => chunk.channel[row] === 1);
    expect(store.view.count).toBe(200);
  });

  it('does not search long for the place of a very late frame', () => {
    const store = new FrameStore(10_000, 4096);
    timed(store, ...Array.from({ length: 2000 }, (_, index) => [0, index + 1000] as const));
    timed(store, [1, 1]);
    expect(shown(store).at(-1)).toBe(1);
  });

  it('leaves the rows in place that a reader is at', () => {
    const store = new FrameStore(100, 8);
    fill(store, 1, 3);
    const { view, release } = store.hold();
    store.addDropped([anEvent({ event_id: -1, timestamp_us: 0 })]);
    expect([...view].map(({ chunk, row }) => chunk.eventId[row])).toEqual([1, 2, 3]);
    release();
    expect(shown(store)).toEqual([1, 2, 3, -1]);
  });

  it('uses no more memory once it is full', () => {
    const store = new FrameStore(12, 4);
    expect(chunksOf(store, 1, 400).size).toBeLessThanOrEqual(4);
    expect(store.total).toBeLessThanOrEqual(12);
  });

  it('holds rows for a reader until they are released', () => {
    const store = new FrameStore(12, 4);
    const read = (): number[] =>
      [...held.view].map(({ chunk, row }) => chunk.eventId[row] as number);
    fill(store, 1, 6);
    const held = store.hold();
    store.filter(isEven);
    expect(chunksOf(store, 7, 100).size).toBeGreaterThan(4);
    expect(read()).toEqual([1, 2, 3, 4, 5, 6]);
    held.release();
    expect(chunksOf(store, 101, 400).size).toBeLessThanOrEqual(4);
  });

  it('can be emptied and filled again', () => {
    const store = new FrameStore(12, 4);
    fill(store, 1, 6);
    store.clear();
    expect(shown(store)).toEqual([]);
    fill(store, 7, 8);
    expect(shown(store)).toEqual([7, 8]);
  });
});

describe('FrameChunk', () => {
  it('takes an event from the history as it takes its record', () => {
    const chunk = new FrameChunk(2);
    chunk.addEvent(
      anEvent({
        event_id: 5,
        source_sequence: 4,
        kind: 'tx_complete',
        bus: 'canfd',
        channel: 3,
        id: 0x123,
        dlc: 2,
        data: 'BEEF',
        flags: 12,
        timestamp_us: 77,
        checksum: 9,
      }),
    );
    const fields = { eventId: 5, sequence: 4, kind: 2, bus: 2, channel: 3, id: 0x123, flags: 12 };
    chunk.addRecord(aRecord({ ...fields, data: 'BEEF', timestampUs: 77, checksum: 9 }));
    for (const column of Object.values(chunk)) {
      if (ArrayBuffer.isView(column) && 'length' in column && column.length === 2) {
        const [event, record] = column as unknown as number[];
        expect(event).toBe(record);
      }
    }
    expect([...chunk.dataOf(0)]).toEqual([...chunk.dataOf(1)]);
  });
});
