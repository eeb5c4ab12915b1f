import { beforeEach, describe, expect, it } from 'vitest';
import { everyChannel } from './frame-chunk.ts';
import { type GapNote, StreamStats } from './stream-stats.ts';
import { aRecord } from './testing/records.ts';

let notes: GapNote[];
let stats: StreamStats;

beforeEach(() => {
  notes = [];
  stats = new StreamStats((note) => notes.push(note));
});

const take = (eventId: number, channel = 0, sequence = eventId, epoch = 1): boolean =>
  stats.take(aRecord({ eventId, channel, sequence, epoch, timestampUs: eventId * 10 }));

describe('StreamStats', () => {
  it('drops what it has had already', () => {
    expect([take(1), take(2), take(2), take(1), take(3)]).toEqual([true, true, false, false, true]);
    expect(stats.duplicates).toBe(2);
    expect(stats.received).toBe(3);
    expect(stats.cursor).toBe(3);
  });

  it('counts what a gap swallowed by event ids, and goes on at its oldest event', () => {
    take(1);
    take(2);
    stats.gap({ oldest_available: 103, newest_available: 200 });
    expect(stats.cursor).toBe(102);
    expect(stats.missing).toBe(100);
    expect(notes[0]?.gap).toEqual({
      eventId: 2,
      missing: 100,
      channel: everyChannel,
      timestampUs: 20,
    });
    expect(take(103)).toBe(true);
    // The jump of the channel's sequence is the same gap, not another one.
    expect(stats.gaps).toBe(1);
  });

  it('counts a jump in the sequence of a channel that the service did not tell of', () => {
    take(1, 0, 1);
    take(2, 5, 1);
    take(3, 0, 5);
    take(4, 5, 2);
    expect(notes.map(({ gap, bounds }) => [gap.channel, gap.missing, bounds])).toEqual([
      [0, 3, null],
    ]);
    take(5, 0, 7);
    expect(stats.missing).toBe(4);
  });

  it('excuses each channel once behind a gap, and never again', () => {
    take(1, 0, 1);
    take(2, 1, 1);
    stats.gap({ oldest_available: 10, newest_available: 20 });
    take(10, 0, 4);
    take(11, 0, 9);
    take(12, 1, 6);
    expect(notes.map(({ gap }) => gap.missing)).toEqual([7, 4]);
  });

  it('goes on with ids that start anew, and does not pretend to know what passed between', () => {
    take(500, 0, 400);
    stats.gap({ oldest_available: 1, newest_available: 3 });
    expect([take(1, 0, 1), take(2, 0, 2)]).toEqual([true, true]);
    expect(stats.uncounted).toBe(1);
    expect(stats.missing).toBe(0);
    expect(notes[0]?.gap.missing).toBeNaN();
  });

  it('does not take the events of another daemon for its own, whatever their ids', () => {
    take(40, 0, 40);
    stats.restart();
    expect(stats.cursor).toBe(0);
    expect([take(7, 0, 7), take(8, 0, 8)]).toEqual([true, true]);
    expect(notes.map(({ gap }) => [gap.eventId, gap.missing])).toEqual([[40, Number.NaN]]);
    expect([stats.uncounted, stats.missing]).toEqual([1, 0]);
  });

  it('counts what went by behind event 0, of which the service does not tell', () => {
    stats.startAfter(0);
    expect(take(3617)).toBe(true);
    expect(notes.map(({ gap }) => [gap.eventId, gap.missing, gap.timestampUs])).toEqual([
      [0, 3616, 36_170],
    ]);
  });

  it('gives a gap before the first frame the time of that frame', () => {
    stats.startAfter(5);
    stats.gap({ oldest_available: 10, newest_available: 20 });
    expect(notes).toEqual([]);
    take(10);
    expect(notes.map(({ gap }) => [gap.missing, gap.timestampUs])).toEqual([[4, 100]]);
  });

  it('knows no place before it has one, and can be given one', () => {
    expect([stats.cursor, stats.epoch]).toEqual([null, null]);
    stats.startAfter(41);
    expect(stats.cursor).toBe(41);
    expect([take(41), take(42)]).toEqual([false, true]);
    expect(stats.gaps).toBe(0);
  });

  it('takes another epoch in its stride', () => {
    take(1, 0, 1, 111);
    take(2, 0, 2, 222);
    expect(stats.epoch).toBe(222);
    expect(stats.gaps).toBe(0);
  });

  it('forgets counts but not its place', () => {
    take(1);
    stats.gap({ oldest_available: 5, newest_available: 9 });
    stats.reset();
    expect([stats.received, stats.gaps, stats.missing]).toEqual([0, 0, 0]);
    expect(stats.cursor).toBe(4);
  });
});
