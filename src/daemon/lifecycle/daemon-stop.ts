import { rmSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { within } from '../../base/clock/within.ts';
import type { DaemonLog } from './daemon-log.ts';

/** How long the client thread may take to close its files and streams. */
const clientShutDownMs = 3000;

interface Closing {
  close(): Promise<void>;
}

/** What ends, in the order in which it does: callers first, then the bench, then the threads. */
export interface DaemonStopOptions {
  readonly clock: Clock;
  /** Told when the daemon begins to end. */
  readonly onStopping?: (() => void) | undefined;
  /** Takes no more callers; undefined where there is no client thread. */
  readonly shutDownClients: () => Promise<void> | undefined;
  readonly jobs: Closing;
  readonly services: Closing;
  readonly channels: { closeAll(): Promise<void> };
  readonly drivers: Closing;
  readonly alarm: { stop(): void };
  readonly threads: { stop(): Promise<void> };
  /** The file that the daemon is found by. */
  readonly recordFile: string;
  readonly log: Pick<DaemonLog, 'event'>;
  readonly pid: number;
  /** Told once the daemon has ended everything but the process. */
  readonly onStopped: () => void;
}

/** The end of a daemon, which comes once, however often it is asked for. */
export class DaemonStop {
  readonly #options: DaemonStopOptions;
  #stopping: Promise<void> | undefined;

  constructor(options: DaemonStopOptions) {
    this.#options = options;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#run();
    return this.#stopping;
  }

  async #run(): Promise<void> {
    const { clock, onStopping, shutDownClients, recordFile, log, pid, ...parts } = this.#options;
    onStopping?.();
    const clientEnd = Promise.resolve(shutDownClients()).catch(() => undefined);
    await within(clock, clientShutDownMs, clientEnd);
    await parts.jobs.close();
    await parts.services.close();
    await parts.channels.closeAll();
    await parts.drivers.close();
    parts.alarm.stop();
    await parts.threads.stop();
    rmSync(recordFile, { force: true });
    log.event('stopped', { pid });
    parts.onStopped();
  }
}

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
