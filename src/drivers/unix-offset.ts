import type { Clock } from '../base/clock/clock.ts';

/**
 * What to add to monotonic microseconds to have Unix ones, as a whole number: fractions of a
 * microsecond do not survive in numbers as large as Unix times.
 */
export const unixOffsetUs = (clock: Clock): number => {
  const beforeUs = clock.monotonicUs();
  const unixUs = clock.unixUs();
  return Math.floor(unixUs - (beforeUs + clock.monotonicUs()) / 2);
};
