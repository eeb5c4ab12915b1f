import type { Clock } from '../base/clock/clock.ts';
import { pause } from '../base/clock/pause.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Connection } from '../link/connection.ts';
import { isRunning } from '../link/daemon-record.ts';

/** Maximum time for a daemon to end or come back. */
export const endingMs = 10_000;

/** The command is done when the process has ended. */
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

/** Waits for a stopped daemon to end. */
export const untilGone = async (link: Connection, clock: Clock): Promise<void> => {
  await link.closed();
  await untilEnded(link.daemon.pid, clock);
};

/** Stops the daemon of a link and waits for its end. */
export const stopDaemon = async (link: Connection, clock: Clock): Promise<void> => {
  await link.call('daemon.stop', {}, null);
  await untilGone(link, clock);
};
