import { describe, expect, it } from 'vitest';
import { frm2 } from '../../../src/frame/frm2-layout.ts';
import type { DatabaseContent, DatabaseSignal } from '../api/client.ts';
import { aMessage, aSignal } from '../codec/testing/models.ts';
import type { Expansion } from './expanded-rows.ts';
import { emptyFilter, parseFilter } from './frame-filter.ts';
import { isDropped, isGap, RowWindow, rowBytes } from './frame-row.ts';
import { directionText, gapSentence } from './frame-text.ts';
import { Definitions, messagesOf } from './message-names.ts';
import type { WindowPlace } from './row-windows.ts';
import { anEvent, aRecord } from './testing/records.ts';
import { keptFrames, TraceEngine } from './trace-engine.ts';

const buffer = new ArrayBuffer(64 * rowBytes);

const windowOf = (
  engine: TraceEngine,
  place: WindowPlace,
  view: 'frames' | 'by-id' = 'frames',
  selected: number | null = null,
) => {
  const facts = engine.window({ view, rows: 4, place, selected }, buffer);
  const count = facts.rows + (facts.hasSelected ? 1 : 0);
  const rows = new RowWindow(buffer, count).all();
  return { facts, rows, ids: rows.map(({ eventId }) => eventId) };
};

const engineWith = (to: number, onChange = (_: TraceEngine) => {}): TraceEngine => {
  const engine: TraceEngine = new TraceEngine(() => onChange(engine));
  for (let eventId = 1; eventId <= to; eventId++) {
    engine.takeRecord(
      aRecord({ eventId, id: 0x100 + (eventId % 3), timestampUs: eventId * 1000, data: '0102' }),
    );
  }
  return engine;
};

const filterBy = (engine: TraceEngine, id: string): void => {
  const parsed = parseFilter({ ...emptyFilter, id }, []);
  if ('filter' in parsed) engine.filter(parsed.filter);
};

describe('TraceEngine', () => {
  it('shows the end, a place or the surroundings of a row', () => {
    const engine = engineWith(20);
    expect(windowOf(engine, { at: 'end' }).ids).toEqual([17, 18, 19, 20]);
    expect(windowOf(engine, { at: 'index', index: 5 }).ids).toEqual([6, 7, 8, 9]);
    expect(windowOf(engine, { at: 'index', index: 99 }).ids).toEqual([17, 18, 19, 20]);
    expect(windowOf(engine, { at: 'serial', serial: 9, shift: -2 }).ids).toEqual([8, 9, 10, 11]);
  });

  it('reports statistics and changes of the filtered IDs, and leaves them while it is paused', () => {
    const engine = engineWith(9);
    filterBy(engine, '101-102');
    expect(engine.statistics).toMatchObject({ total: 3, observedUs: 8000 });
    expect(engine.statistics.ids.map(({ id, count }) => [id, count])).toEqual([
      [0x101, 3],
      [0x102, 3],
    ]);
    engine.mark();
    expect(engine.changes(null)).toMatchObject({ markUs: 9000, total: 3 });
    engine.pause();
    engine.takeRecord(aRecord({ eventId: 10, id: 0x101, timestampUs: 12_000, data: '0302' }));
    expect(engine.changes(1)).toMatchObject({ ids: [{ framesSinceMark: 0 }, {}] });
    engine.resume();
    const { ids, counts } = engine.changes(0);
    expect(ids[0]).toMatchObject({ id: 0x101, framesSinceMark: 1 });
    expect([...(counts ?? [])].map((count, bit) => (count > 0 ? bit : null))).toContain(1);
    engine.unmark();
    expect(engine.changes(null).markUs).toBeNull();
  });

  it('has the newest payloads of each ID in their order', () => {
    const engine = new TraceEngine(() => {});
    const data = ['01', '0203', '0405', '0607', '0809'];
    for (const [at, each] of data.entries()) {
      engine.takeRecord(aRecord({ eventId: 2 * at + 1, id: 1, timestampUs: at, data: each }));
      engine.takeRecord(aRecord({ eventId: 2 * at + 2, id: 2, timestampUs: at }));
    }
    engine.takeDropped([anEvent({ event_id: -1, id: 1, timestamp_us: 9, data: '0a0b' })]);
    // A payload of another length and frames without data are omitted.
    expect(engine.payloads(3)).toEqual([
      { serial: 0, data: Uint8Array.of(4, 5, 6, 7, 8, 9), length: 2, count: 3 },
    ]);
    expect(engine.payloads(99)[0]).toMatchObject({
      count: 4,
      data: Uint8Array.of(2, 3, 4, 5, 6, 7, 8, 9),
    });
  });

  it('shows late frames at their time, and counts each by its own ID', () => {
    const engine = new TraceEngine(() => {});
    engine.takeRecord(aRecord({ eventId: 1, id: 0x1, timestampUs: 10 }));
    engine.takeRecord(aRecord({ eventId: 2, id: 0x2, timestampUs: 30 }));
    engine.takeDropped([anEvent({ event_id: -1, id: 0x3, timestamp_us: 40 })]);
    engine.takeRecord(aRecord({ eventId: 3, id: 0x4, timestampUs: 20, channel: 1, sequence: 1 }));
    expect(windowOf(engine, { at: 'end' }).ids).toEqual([1, 3, 2, -1]);
    const { rows } = windowOf(engine, { at: 'index', index: 0 }, 'by-id');
    expect(rows.map(({ id }) => id)).toEqual([0x1, 0x2, 0x4]);
    expect(engine.oldestEventId).toBe(1);
  });

  it('shows older frames in order of time, too', () => {
    const engine = new TraceEngine(() => {});
    const older = (event_id: number, channel: number, timestamp_us: number) =>
      anEvent({ event_id, channel, timestamp_us });
    engine.takeOlder([older(1, 0, 10), older(2, 0, 30), older(3, 1, 20), older(4, 0, 40)], false);
    expect(windowOf(engine, { at: 'end' }).ids).toEqual([1, 3, 2, 4]);
  });

  it('tells the time of the row before each, also of one that is not in sight', () => {
    const { rows, facts } = windowOf(engineWith(20), { at: 'index', index: 5 });
    expect(rows.map(({ previousUs }) => previousUs)).toEqual([5000, 6000, 7000, 8000]);
    expect(facts.originUs).toBe(1000);
    expect(windowOf(engineWith(2), { at: 'end' }).rows[0]?.previousUs).toBeNaN();
  });

  it('gives every field of a frame to the page', () => {
    const engine = new TraceEngine(() => {});
    const fields = { eventId: 4, sequence: 3, channel: 2, kind: 2, bus: 2, id: 0x1abcdef0 };
    engine.takeRecord(
      aRecord({ ...fields, flags: 13, dlc: 9, checksum: 7, data: 'AB'.repeat(12) }),
    );
    const [row] = windowOf(engine, { at: 'end' }).rows;
    expect(row).toMatchObject({ ...fields, flags: 13, dlc: 9, checksum: 7, length: 12, serial: 0 });
    expect([...(row?.data ?? [])]).toEqual(Array(12).fill(0xab));
  });

  it('filters rows of both views, and counts time between those that are left', () => {
    const engine = engineWith(9);
    filterBy(engine, '100');
    const { ids, rows, facts } = windowOf(engine, { at: 'end' });
    expect(ids).toEqual([3, 6, 9]);
    expect(rows[1]?.previousUs).toBe(3000);
    expect([facts.count, facts.total]).toEqual([3, 9]);
    expect(windowOf(engine, { at: 'index', index: 0 }, 'by-id').ids).toEqual([9]);
  });

  it('goes on receiving while a pause holds both views', () => {
    const engine = engineWith(9);
    engine.pause();
    engine.takeRecord(aRecord({ eventId: 10, id: 0x555 }));
    expect(windowOf(engine, { at: 'end' }).ids.at(-1)).toBe(9);
    expect(windowOf(engine, { at: 'index', index: 0 }, 'by-id').facts.total).toBe(3);
    engine.resume();
    expect(windowOf(engine, { at: 'end' }).ids.at(-1)).toBe(10);
    expect(windowOf(engine, { at: 'index', index: 0 }, 'by-id').facts.total).toBe(4);
  });

  it('adds the chosen row of the view by id behind those in sight', () => {
    const { rows, facts } = windowOf(engineWith(9), { at: 'index', index: 0 }, 'by-id', 1);
    expect([facts.rows, facts.hasSelected]).toEqual([3, true]);
    expect(rows.at(-1)).toMatchObject({ serial: 1, count: 3, cycleUs: 3000 });
  });

  it('begins the view by id anew with another daemon, whose channels are others', () => {
    const engine = engineWith(9);
    engine.meetDaemon('one', 0);
    const byId = (selected: number | null = null) =>
      windowOf(engine, { at: 'index', index: 0 }, 'by-id', selected);
    const chosen = byId().rows[0]?.serial ?? -1;
    engine.meetDaemon('one', 0);
    expect(byId().facts.count).toBe(3);
    engine.meetDaemon('another', 10_000);
    engine.takeRecord(aRecord({ eventId: 1, id: 0x101, timestampUs: 10_001 }));
    expect(byId().rows.map(({ id, count }) => [id, count])).toEqual([[0x101, 1]]);
    expect(byId(chosen).facts.hasSelected).toBe(false);
    expect(windowOf(engine, { at: 'end' }).rows).toHaveLength(4);
  });

  it('puts a row where frames are missing', () => {
    const engine = engineWith(2);
    engine.takeGap({ oldest_available: 10, newest_available: 12 });
    engine.takeRecord(aRecord({ eventId: 10 }));
    const { rows } = windowOf(engine, { at: 'end' });
    expect(rows.map(isGap)).toEqual([false, false, true, false]);
    expect(rows[2]).toMatchObject({ sequence: 7, eventId: 2 });
    expect(engine.gapNotes).toHaveLength(1);
  });

  it('puts older frames in front, also of nothing, and says where other channels keep none', () => {
    const engine = new TraceEngine(() => {});
    engine.pause();
    engine.takeOlder([anEvent({ event_id: 7 })], false);
    engine.takeOlder([anEvent({ event_id: 6 })], true);
    engine.takeOlder([], false);
    const { rows, ids } = windowOf(engine, { at: 'index', index: 0 });
    expect(ids).toEqual([0, 6, 7]);
    expect(rows.map(isGap)).toEqual([true, false, false]);
    expect(gapSentence(rows[0]?.sequence ?? 0, 0)).toBe(
      'Older frames of other channels are missing',
    );
    expect(engine.oldestEventId).toBe(6);
  });

  it.each([false, true])(
    'drops older frames of some channels when others are shown (paused: %s)',
    (isPaused) => {
      const engine = engineWith(20);
      const show = (channel: string): void => {
        const parsed = parseFilter({ ...emptyFilter, channel }, []);
        if ('filter' in parsed) engine.filter(parsed.filter);
      };
      if (isPaused) engine.pause();
      engine.takeOlder([anEvent({ event_id: -1 }), anEvent({ event_id: 0 })], false);
      show('0');
      engine.takeOlder([anEvent({ event_id: -9 })], false);
      filterBy(engine, '101');
      expect(engine.oldestEventId).toBe(-1);
      show('0');
      engine.takeOlder([anEvent({ event_id: -9 })], true);
      expect(windowOf(engine, { at: 'index', index: 0 }).ids).toEqual([0, -9, -1, 0]);
      show('');
      expect(windowOf(engine, { at: 'index', index: 0 }).ids).toEqual([-1, 0, 1, 2]);
      expect(engine.total).toBe(22);
    },
  );

  it('shows frames that were never sent, but writes them into no file and asks for nothing behind them', () => {
    const engine = new TraceEngine(() => {});
    const dropped = anEvent({ event_id: -1, id: 0x101, timestamp_us: 1500, kind: 'tx_complete' });
    engine.takeDropped([dropped]);
    expect(engine.oldestEventId).toBeNull();
    for (const eventId of [1, 2]) {
      engine.takeRecord(aRecord({ eventId, id: 0x101, timestampUs: eventId * 1000 }));
    }
    engine.takeDropped([{ ...dropped, event_id: -2 }]);
    filterBy(engine, '101');
    const { rows, ids } = windowOf(engine, { at: 'end' });
    expect(ids).toEqual([1, -1, -2, 2]);
    expect(rows.map(isDropped)).toEqual([false, true, true, false]);
    expect(rows.map(directionText)).toEqual(['Rx', 'Tx', 'Tx', 'Rx']);
    const { rows: written, release } = engine.holdShown();
    expect([...written].map(({ chunk, row }) => chunk.eventId[row])).toEqual([1, 2]);
    release();
    expect(engine.oldestEventId).toBe(1);
  });

  it('accounts for every frame of a long stream, and keeps no more than it has room for', () => {
    const engine = new TraceEngine(() => {});
    const record = aRecord({ data: '0102030405060708' });
    const all = Math.round(1.2 * keptFrames);
    let max = 0;
    for (let eventId = 1; eventId <= all; eventId++) {
      record.setUint32(frm2.eventId + 4, eventId);
      record.setUint32(frm2.sourceSequence + 4, eventId);
      engine.takeRecord(record);
      max = Math.max(max, engine.total);
    }
    expect([engine.stats.received, engine.stats.cursor]).toEqual([all, all]);
    expect(max).toBeLessThanOrEqual(keptFrames);
    expect(windowOf(engine, { at: 'end' }).ids.at(-1)).toBe(all);
    const [oldest = 0] = windowOf(engine, { at: 'index', index: 0 }).ids;
    expect(all - oldest + 1).toBe(engine.total);
  });

  it('counts what is no record and shows none of it', () => {
    const engine = engineWith(1);
    engine.takeRecord(new DataView(new ArrayBuffer(70)));
    expect([engine.malformed, engine.total]).toEqual([1, 1]);
  });

  it('empties the trace but goes on behind the same event, paused if it was', () => {
    const engine = engineWith(5);
    engine.pause();
    engine.clear();
    expect([engine.total, engine.isPaused, engine.stats.cursor]).toEqual([0, true, 5]);
    expect(engine.oldestEventId).toBeNull();
    engine.resume();
    engine.takeRecord(aRecord({ eventId: 5 }));
    engine.takeRecord(aRecord({ eventId: 6 }));
    expect(windowOf(engine, { at: 'end' }).ids).toEqual([6]);
  });

  it('tells of everything that may look different, and of nothing that a pause hides', () => {
    let changes = 0;
    const engine = engineWith(3, () => changes++);
    expect(changes).toBe(3);
    const reporting = [
      () => engine.takeRecord(aRecord({ eventId: 4 })),
      () => engine.pause(),
      () => filterBy(engine, '1'),
      () => engine.resume(),
      () => engine.takeGap({ oldest_available: 9, newest_available: 9 }),
      () => engine.clear(),
    ];
    for (const change of reporting) {
      const before = changes;
      change();
      expect(changes).toBeGreaterThan(before);
    }
    engine.pause();
    const before = changes;
    engine.takeRecord(aRecord({ eventId: 20 }));
    expect(changes).toBe(before);
  });

  it('tells of a change once all of it can be seen', () => {
    const seen: number[] = [];
    const engine = engineWith(3, (changed) =>
      seen.push(windowOf(changed, { at: 'end' }).facts.count),
    );
    expect(seen).toEqual([1, 2, 3]);
    engine.clear();
    expect(seen.slice(3)).toEqual([0]);
    engine.takeRecord(aRecord({ eventId: 4 }));
    engine.pause();
    engine.clear();
    expect(seen.slice(4)).toEqual([1, 1, 0]);
  });

  it('holds the frames that pass the filter for a reader, whatever comes meanwhile', () => {
    const engine = engineWith(9);
    filterBy(engine, '100');
    const { rows, release } = engine.holdShown();
    const reader = rows[Symbol.iterator]();
    const next = (): number | undefined => {
      const place = reader.next().value;
      return place?.chunk.eventId[place.row];
    };
    expect(next()).toBe(3);
    filterBy(engine, '101');
    engine.takeRecord(aRecord({ eventId: 10, id: 0x100 }));
    expect([next(), next(), next()]).toEqual([6, 9, undefined]);
    release();
  });
});

describe('signals below rows', () => {
  const content = (...signals: readonly Partial<DatabaseSignal>[]): DatabaseContent =>
    ({
      name: 'car',
      type: 'dbc',
      message_page: [
        { ...aMessage(signals.map(aSignal)), name: 'Engine', id: 0x101 },
        { ...aMessage([]), name: 'Empty', id: 0x102 },
      ],
    }) as unknown as DatabaseContent;
  const engine: Expansion['messages'][number] = { database: 'car', name: 'Engine' };
  const expanded = (
    expansion: Partial<Expansion>,
    view: 'frames' | 'by-id' = 'frames',
    database = content({ name: 'Speed' }, { name: 'Gear', start_bit: 8 }),
  ): TraceEngine => {
    const made = engineWith(20);
    made.name({ messages: messagesOf([database]), plans: [] });
    made.define(new Definitions([database]));
    made.expand(view, { serials: [], messages: [], ...expansion });
    return made;
  };
  const linesOf = ({ rows }: ReturnType<typeof windowOf>) =>
    rows.map(({ eventId, line, lines }) => [eventId, line, lines]);

  it('are lines of the rows that have a message with signals', () => {
    // Frames 1, 4, 7, … have the identifier of the message; 2, 5, 8, … that of the empty one.
    const made = expanded({ serials: [0, 1, 3] });
    made.pause();
    const first = windowOf(made, { at: 'index', index: 0 });
    expect(linesOf(first)).toEqual([
      [1, 0, 2],
      [1, 1, 2],
      [1, 2, 2],
      [2, 0, 0],
    ]);
    expect(first.facts).toMatchObject({ first: 0, rows: 4, lines: 24, count: 20 });
    expect(linesOf(windowOf(made, { at: 'index', index: 2 })).map(([, line]) => line)).toEqual([
      2, 0, 0, 0,
    ]);
    expect(windowOf(made, { at: 'index', index: 2 }).rows[2]?.previousUs).toBe(2000);
    expect(linesOf(windowOf(made, { at: 'serial', serial: 3, shift: 1 }))[0]).toEqual([4, 1, 2]);
    expect(windowOf(made, { at: 'index', index: 99 }).facts.first).toBe(20);
  });

  it('are shown below all rows of a message, but for single ones', () => {
    const made = expanded({ messages: [engine], serials: [15] });
    const followed = windowOf(made, { at: 'end' });
    expect(linesOf(followed)).toEqual([
      [19, 0, 2],
      [19, 1, 2],
      [19, 2, 2],
      [20, 0, 0],
    ]);
    made.pause();
    expect(windowOf(made, { at: 'index', index: 0 }).facts.lines).toBe(20 + 2 * 6);
    filterBy(made, '101');
    expect(windowOf(made, { at: 'index', index: 0 }).facts).toMatchObject({ lines: 19, count: 7 });
  });

  it('are counted as their multiplexer selects them', () => {
    const when = { switch: 'Mode', ranges: [{ from: '9', to: '9' }] };
    const database = content({ name: 'Mode', is_switch: true }, { name: 'On', multiplexing: when });
    const made = expanded({ serials: [0] }, 'frames', database);
    expect(windowOf(made, { at: 'index', index: 0 }).rows[0]?.lines).toBe(1);
  });

  it('follow the latest frame of an identifier', () => {
    const made = expanded({ messages: [engine] }, 'by-id');
    const found = windowOf(made, { at: 'index', index: 0 }, 'by-id');
    expect(linesOf(found)).toEqual([
      [18, 0, 0],
      [19, 0, 2],
      [19, 1, 2],
      [19, 2, 2],
    ]);
    expect(found.facts.lines).toBe(5);
    expect(windowOf(made, { at: 'index', index: 0 }).facts.lines).toBe(20);
  });
});

describe('the time since the frame before of the same identifier', () => {
  const since = (engine: TraceEngine) =>
    windowOf(engine, { at: 'index', index: 0 }).rows.map(({ cycleUs }) => cycleUs);

  it('is that between two frames, wherever they are shown', () => {
    const engine = engineWith(20);
    expect(since(engine)).toEqual([Number.NaN, Number.NaN, Number.NaN, 3000]);
    filterBy(engine, '101');
    expect(since(engine)).toEqual([Number.NaN, 3000, 3000, 3000]);
  });

  it('is known of older frames, and of the first ones after them', () => {
    const engine = engineWith(2);
    const older = [-6, -3, -1].map((ms, i) =>
      anEvent({ event_id: i, id: 0x101, timestamp_us: ms * 1000 }),
    );
    engine.takeOlder(older, false);
    expect(since(engine)).toEqual([Number.NaN, 3000, 2000, 2000]);
  });
});

it('gives the rows between two, in either order, and the last of too many', () => {
  const engine = engineWith(5000);
  const between = (from: number, to: number, view: 'frames' | 'by-id' = 'frames') => {
    const { rows, buffer: found } = engine.rowsBetween(view, { from, to });
    return new RowWindow(found, rows).all().map(({ eventId }) => eventId);
  };
  expect(between(4, 2)).toEqual([3, 4, 5]);
  const all = between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  expect([all.length, all[0], all.at(-1)]).toEqual([4096, 905, 5000]);
  filterBy(engine, '101');
  expect(between(0, 6)).toEqual([1, 4, 7]);
  expect(between(0, Number.POSITIVE_INFINITY, 'by-id')).toEqual([4999]);
});
