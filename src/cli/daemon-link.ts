import { existsSync } from 'node:fs';
import type { Clock } from '../base/clock/clock.ts';
import { pause } from '../base/clock/pause.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { product } from '../base/product.ts';
import type { Connection, FirstCall } from '../link/connection.ts';
import { startingDaemonTicks } from '../link/daemon-record.ts';
import { assertTrustedHome, type Home } from '../link/home.ts';

const readyTimeoutMs = 15_000;
const firstWaitMs = 10;
const maxWaitMs = 200;

export const openLink = async (
  home: Home,
  clock: Clock,
  first?: FirstCall,
): Promise<Connection | null> => {
  if (!existsSync(home.socket)) return null;
  assertTrustedHome(home);
  const { Connection } = await import('../link/connection.ts');
  const options = { socket: home.socket, version: product.version, clock };
  return Connection.open(first ? { ...options, first } : options);
};

export const linkStartingDaemon = async (
  home: Home,
  clock: Clock,
  startDaemon: () => Promise<void>,
): Promise<Connection> => {
  let deadlineUs = clock.monotonicUs() + readyTimeoutMs * 1000;
  let waitMs = firstWaitMs;
  let ticks: number | null = null;
  const isLate = (): boolean => {
    const before = ticks;
    ticks = startingDaemonTicks(home);
    if (ticks !== null && ticks !== before)
      deadlineUs = clock.monotonicUs() + readyTimeoutMs * 1000;
    return clock.monotonicUs() > deadlineUs;
  };
  for (;;) {
    try {
      const link = await openLink(home, clock);
      if (link) return link;
      // Faster than waiting for the lock on a slow machine.
      if (startingDaemonTicks(home) !== null) throw new BusbarError('already_running');
      await startDaemon();
      const started = await openLink(home, clock);
      if (started) return started;
      if (isLate()) throw new BusbarError('daemon_unreachable');
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      // Another daemon is starting or stopping.
      const racing = error.code === 'already_running' || error.details.reason === 'hung_up';
      if (!racing || isLate()) throw error;
    }
    await pause(clock, waitMs);
    waitMs = Math.min(waitMs * 2, maxWaitMs);
  }
};
