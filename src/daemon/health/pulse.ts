import type { Clock } from '../../base/clock/clock.ts';
import { nextPeriod } from '../../base/schedule/period.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';

/** Period of the bench thread's deadline check, which health reports. */
const pulsePeriodUs = 100_000;

export interface Watchdog {
  readonly periodUs: number;
  alive(): void;
}

export const startPulse = (
  scheduler: Scheduler,
  clock: Pick<Clock, 'monotonicUs'>,
  watchdog: Watchdog | undefined,
): void => {
  const nowUs = clock.monotonicUs();
  scheduler
    .createTask('pulse', (atUs, dueUs) => nextPeriod(dueUs, pulsePeriodUs, atUs))
    .scheduleAt(nowUs + pulsePeriodUs);
  if (!watchdog) return;
  const { periodUs } = watchdog;
  scheduler
    .createTask('watchdog', (atUs, dueUs) => {
      watchdog.alive();
      return nextPeriod(dueUs, periodUs, atUs);
    })
    .scheduleAt(nowUs);
};
