import type { Clock } from '../base/clock/clock.ts';
import { pause } from '../base/clock/pause.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Connection } from '../link/connection.ts';
import { isRunning } from '../link/daemon-record.ts';

export const endingMs = 10_000;

/** Waits for the process to exit, which completes the command. */
export const untilEnded = async (pid: number, clock: Clock): Promise<void> => {
  const deadlineUs = clock.monotonicUs() + endingMs * 1000;
  while (isRunning(pid)) {
    if (clock.monotonicUs() > deadlineUs) {
      throw new BusbarError('daemon_unreachable', {
        message: `The daemon (pid ${pid}) does not stop`,
        details: { pid },
      });
    }
    await pause(clock, 5);
  }
};

export const untilGone = async (link: Connection, clock: Clock): Promise<void> => {
  await link.closed();
  await untilEnded(link.daemon.pid, clock);
};

export const stopDaemon = async (link: Connection, clock: Clock): Promise<void> => {
  await link.call('daemon.stop', {}, null);
  await untilGone(link, clock);
};
