import type { Clock } from '../../base/clock/clock.ts';
import type { DaemonLog } from './daemon-log.ts';

/** How long an answer may take to its caller before the process ends. */
const answerMs = 200;

interface DaemonEnd {
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<DaemonLog, 'event'>;
  /** Ends the process at once. */
  readonly kill: () => void;
  /** What keeps the bench thread from ending the daemon in order; null as soon as nothing does. */
  readonly reason: () => object | null;
  /** Ends the daemon in order. */
  readonly requestStop: () => Promise<void>;
}

/**
 * Ends the daemon once its caller has been answered: in order where its bench thread can do that, and by force where
 * it is inside a plugin that does not return.
 */
export const endDaemon = async (end: DaemonEnd): Promise<void> => {
  const { clock, log, reason, requestStop, kill } = end;
  if (reason() === null) {
    await requestStop();
    return;
  }
  clock.after(answerMs, () => {
    const held = reason();
    if (held === null) {
      void requestStop();
      return;
    }
    log.event('ended_by_force', { ...held });
    kill();
  });
};
