import type { Clock } from '../clock/clock.ts';
import type { Alarm } from '../schedule/alarm.ts';

/**
 * Time for programs that measure what a step leaves behind: they move it themselves, and as it is kept in
 * an array, reading and setting it makes no objects.
 */
export const times = Float64Array.of(123_456_789.125, Number.POSITIVE_INFINITY);
/** Where the present is in it, and what the alarm is set to. */
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
