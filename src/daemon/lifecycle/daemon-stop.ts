import { rmSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { within } from '../../base/clock/pause.ts';
import type { DaemonLog } from './daemon-log.ts';

const clientShutDownMs = 3000;

interface Closing {
  close(): Promise<void>;
}

export interface DaemonStopOptions {
  readonly clock: Clock;
  readonly onStopping?: (() => void) | undefined;
  readonly shutDownClients: () => Promise<void> | undefined;
  readonly jobs: Closing;
  readonly services: Closing;
  readonly channels: { closeAll(): Promise<void> };
  readonly drivers: Closing;
  readonly alarm: { stop(): void };
  readonly threads: { stop(): Promise<void> };
  readonly recordFile: string;
  readonly log: Pick<DaemonLog, 'event'>;
  readonly pid: number;
  readonly onStopped: () => void;
}

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

const answerMs = 200;

interface DaemonEnd {
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<DaemonLog, 'event'>;
  readonly kill: () => void;
  /** Reason why the bench thread cannot shut down, or null. */
  readonly reason: () => object | null;
  readonly requestStop: () => Promise<void>;
}

/**
 * Stops the daemon after its caller was answered: gracefully, or by force if a plugin blocks
 * the bench thread.
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
