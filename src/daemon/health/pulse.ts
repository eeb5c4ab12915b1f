import type { Clock } from '../../base/clock/clock.ts';
import { nextPeriod } from '../../base/schedule/period.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';

/** The bench thread's own check that its deadlines hold; what health reports comes from it. */
const pulsePeriodUs = 100_000;

/** A service manager that is told from time to time that the daemon is alive. */
export interface Watchdog {
  readonly periodUs: number;
  alive(): void;
}

/** Keeps deadlines of its own for as long as the scheduler runs, and tells the watchdog where there is one. */
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
