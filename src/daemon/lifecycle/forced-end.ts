import type { Clock } from '../../base/clock/clock.ts';
import type { DaemonLog } from './daemon-log.ts';

/** How long an answer may take to its caller before the process ends. */
const answerMs = 200;

interface ForcedEnd {
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<DaemonLog, 'event'>;
  readonly pid: number;
  /** What keeps the bench thread from ending the daemon in order. */
  readonly reason: object;
}

/** Ends a daemon whose bench thread is inside a plugin, where nothing can be ended in order. */
export const endByForce = ({ clock, log, pid, reason }: ForcedEnd): void => {
  clock.after(answerMs, () => {
    log.event('ended_by_force', { ...reason });
    process.kill(pid, 'SIGKILL');
  });
};
