import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import type { Segment } from './segment.ts';
import { SegmentClock } from './segment-clock.ts';

/** A segment with reports at given times, which records when it was called. */
class ListedSegment implements Segment {
  readonly asked: number[] = [];
  readonly #times: number[];

  constructor(...times: number[]) {
    this.#times = times;
  }

  advance(nowUs: number): void {
    this.asked.push(nowUs);
    while ((this.#times[0] ?? Number.POSITIVE_INFINITY) <= nowUs) this.#times.shift();
  }

  get nextDeadlineUs(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY;
  }

  plan(atUs: number): void {
    this.#times.push(atUs);
  }
}

const setUp = () => {
  const clock = new FakeClock({ startUs: 1_000.5, unixStartUs: 5_000_000 });
  const scheduler = new Scheduler({
    clock,
    alarm: new FakeAlarm(clock),
    onError: (error) => {
      throw error;
    },
  });
  return { clock, scheduler, time: new SegmentClock(clock, scheduler) };
};

describe('SegmentClock', () => {
  it('wakes for the first thing at its time, and for the next not within 250 µs', () => {
    const { clock, time } = setUp();
    const segment = new ListedSegment(1_100, 1_120, 1_349, 2_000);
    time.add(segment);
    time.attend(segment);
    clock.advanceToUs(10_000);
    expect(segment.asked).toEqual([1_100, 1_350, 2_000]);
  });

  it('keeps that distance when something new turns up right after a wake', () => {
    const { clock, time } = setUp();
    const segment = new ListedSegment(1_100);
    time.add(segment);
    time.attend(segment);
    clock.advanceToUs(1_110);
    segment.plan(1_120);
    time.attend(segment);
    clock.advanceToUs(10_000);
    expect(segment.asked).toEqual([1_100, 1_350]);
  });

  it('moves all segments on together', () => {
    const { clock, time } = setUp();
    const segments = [new ListedSegment(1_500), new ListedSegment(1_400)];
    for (const segment of segments) {
      time.add(segment);
      time.attend(segment);
    }
    clock.advanceToUs(10_000);
    expect(segments.map(({ asked }) => asked)).toEqual([
      [1_400, 1_650],
      [1_400, 1_650],
    ]);
  });

  it('leaves a segment alone that was removed', () => {
    const { clock, time } = setUp();
    const [kept, removed] = [new ListedSegment(1_500), new ListedSegment(1_400)];
    time.add(kept);
    time.add(removed);
    time.remove(removed);
    time.attend(kept);
    clock.advanceToUs(10_000);
    expect(removed.asked).toEqual([]);
    expect(kept.asked).toEqual([1_500]);
  });

  it('sleeps once it is stopped', () => {
    const { clock, scheduler, time } = setUp();
    const segment = new ListedSegment(1_500);
    time.add(segment);
    time.attend(segment);
    time.stop();
    clock.advanceToUs(10_000);
    expect(segment.asked).toEqual([]);
    expect(scheduler.scheduledTasks).toBe(0);
  });

  it('knows what makes whole Unix microseconds of bus time', () => {
    expect(setUp().time.unixOffsetUs).toBe(4_998_999);
  });
});
