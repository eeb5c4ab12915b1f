import { writeSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';

const writeToStderr = (line: string): void => {
  try {
    writeSync(2, line);
  } catch {}
};

/**
 * The daemon's log on stderr: threads and internal errors. Only the local user can read it, so
 * nothing is censored.
 */
export class DaemonLog {
  readonly #clock: Clock;
  readonly #write: (line: string) => void;

  constructor(clock: Clock, write: (line: string) => void = writeToStderr) {
    this.#clock = clock;
    this.#write = write;
  }

  event(event: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const time = new Date(this.#clock.unixUs() / 1000).toISOString();
    this.#write(`${JSON.stringify({ time, event, ...fields })}\n`);
  }

  defect(thrown: unknown): void {
    const cause = thrown instanceof BusbarError && thrown.cause ? thrown.cause : thrown;
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    this.event('defect', { error: text });
  }
}

interface LogFiles {
  readonly log: Pick<DaemonLog, 'event'>;
  readonly own: (() => Promise<string>) | undefined;
  /**
   * Reopens the web service's log file; undefined while its thread starts, which opens the file
   * itself.
   */
  readonly web: () => Promise<void> | undefined;
}

/** Reopens all log files after a rotation renamed them. A failure is only logged. */
export const reopenLogs = async ({ log, own, web }: LogFiles): Promise<void> => {
  const ownLog = own?.().then((path) => log.event('log_reopened', { path }));
  for (const reopened of await Promise.allSettled([ownLog, web()])) {
    if (reopened.status === 'fulfilled') continue;
    log.event('log_not_reopened', { message: String(reopened.reason.message) });
  }
};
