import type { Clock } from '../clock/clock.ts';
import type { Alarm } from '../schedule/scheduler.ts';

/**
 * Time for programs that measure the allocations of a step. The program sets it; it is in an
 * array, so that reading and setting it creates no objects.
 */
export const times = Float64Array.of(123_456_789.125, Number.POSITIVE_INFINITY);
/** Indexes of the current time and the alarm time. */
export const now = 0;
export const armed = 1;

export const steppedClock: Clock = {
  unixOffsetUs: 1.7e15,
  monotonicUs: () => times[now] as number,
  unixUs: () => Math.floor((times[now] as number) + 1.7e15),
  after: () => ({ cancel: () => undefined }),
};

export const steppedAlarm: Alarm = {
  onRing: undefined,
  arm: (atUs) => {
    times[armed] = atUs;
  },
};
