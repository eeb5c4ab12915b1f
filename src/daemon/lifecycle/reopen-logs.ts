import type { DaemonLog } from './daemon-log.ts';

interface LogFiles {
  readonly log: Pick<DaemonLog, 'event'>;
  /** Opens the daemon's own log file anew and answers its path; left out where it has none. */
  readonly own: (() => Promise<string>) | undefined;
  /** Does the same for that of the Web service; undefined where its thread opens it by itself, as it starts. */
  readonly web: () => Promise<void> | undefined;
}

/** Opens all log files anew: a rotation has renamed them. Whatever fails, nothing ends. */
export const reopenLogs = async ({ log, own, web }: LogFiles): Promise<void> => {
  const ownLog = own?.().then((path) => log.event('log_reopened', { path }));
  for (const reopened of await Promise.allSettled([ownLog, web()])) {
    if (reopened.status === 'fulfilled') continue;
    log.event('log_not_reopened', { message: String(reopened.reason.message) });
  }
};
