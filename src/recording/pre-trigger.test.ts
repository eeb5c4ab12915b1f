import { describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/testing/fake-clock.ts';
import { cursorExpired } from '../base/errors/busbar-error.ts';
import type { HistoryOptions } from '../broker/reader-hub.ts';
import { ReaderHub } from '../broker/reader-hub.ts';
import { BenchOfRings } from '../broker/testing/bench-of-rings.ts';
import { range } from '../broker/testing/hub-bench.ts';
import { SilentBell } from '../broker/testing/silent-bell.ts';
import type { RowTarget, SortedRows } from './file-series.ts';
import { PreTrigger, type PreTriggerOptions } from './pre-trigger.ts';
import { publishFrames } from './testing/publish-frames.ts';

/** Accepts a number of rows or gaps at a time, and then is blocked until it is called again. */
class SlowTarget implements RowTarget {
  readonly ids: number[] = [];
  readonly gaps: number[] = [];
  readonly isBlocked = false;
  readonly #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  write({ batch }: SortedRows, from: number, to: number): number {
    const end = Math.min(to, from + this.#room);
    this.ids.push(...batch.id.subarray(from, end));
    return end;
  }

  gap(): boolean {
    this.gaps.push(this.ids.length);
    return true;
  }
}

describe('Events before a trigger', () => {
  const setUp = ({ slots = 16_384, frames = 10_000 } = {}) => {
    const rings = new BenchOfRings();
    const hub = new ReaderHub({
      memory: rings.memory,
      bell: new SilentBell(),
      clock: new FakeClock(),
    });
    const channels = [0, 1].map((channel) => rings.open(channel, slots));
    for (const { ring } of channels) hub.addRing(ring);
    for (let frame = 0; frame < frames; frame++) {
      const { writer } = channels[frame % 2] as (typeof channels)[number];
      publishFrames(writer, 1, { firstId: frame, timestampUs: frame });
    }
    const earlier = (options: Partial<PreTriggerOptions>) =>
      new PreTrigger({
        hub,
        channels: null,
        startUnixUs: 0,
        numberOf: (slot) => slot + 1,
        fromNs: 0,
        afterNs: Number.NEGATIVE_INFINITY,
        newestId: frames,
        later: new Set(),
        ...options,
      });
    return { hub, earlier };
  };

  const written = (events: PreTrigger, target = new SlowTarget(Number.POSITIVE_INFINITY)) => {
    while (!events.write(target));
    return target;
  };

  it('are all from a time to an event, in order, without those that come later', () => {
    const { earlier } = setUp();
    const later = new Set([8001, 9000]);
    const events = earlier({ fromNs: 1_000_000, newestId: 9000, later });
    expect(written(events).ids).toEqual(range(1000, 8998).filter((id) => id !== 8000));
    expect(events.sinceNs(9_000_000)).toBe(1_000_000);
  });

  it('are written as the target takes them', () => {
    const { earlier } = setUp({ frames: 3000 });
    expect(written(earlier({}), new SlowTarget(7)).ids).toEqual(range(0, 2999));
  });

  it('do not include what an earlier recording has', () => {
    const { earlier } = setUp({ frames: 100 });
    const events = earlier({ fromNs: 20_000, afterNs: 60_000 });
    expect(written(events).ids).toEqual(range(61, 99));
    expect(events.sinceNs(100_000)).toBe(60_000);
  });

  it('reach back as far as the rings hold all channels', () => {
    const { earlier } = setUp({ slots: 64, frames: 1000 });
    const events = earlier({});
    const { ids } = written(events);
    expect(ids).toEqual(range(ids[0] ?? -1, 999));
    expect(events.sinceNs(1_000_000)).toBe((ids[0] ?? 0) * 1000);
  });

  it('continue after a gap where they are overwritten while they are read', () => {
    const { hub, earlier } = setUp();
    let pages = 0;
    const readHistory = (options: HistoryOptions) => {
      pages += 1;
      if (pages === 2) {
        const bounds = { oldestAvailable: 6001, newestAvailable: 10_000 };
        throw cursorExpired('event', options.after, bounds);
      }
      return hub.readHistory(options);
    };
    const events = earlier({ hub: { readHistory } });
    const target = written(events);
    expect(target.ids).toEqual([...range(0, 4095), ...range(6000, 9999)]);
    expect([target.gaps, events.gaps]).toEqual([[4096], 1]);
    expect(events.sinceNs(10_000_000)).toBe(6_000_000);
  });
});
