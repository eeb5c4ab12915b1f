import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Timer } from '../base/clock/clock.ts';
import { FakeClock } from '../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { signLock, startingDaemonTicks } from '../link/daemon-record.ts';
import { type Home, locateHome } from '../link/home.ts';
import { encodeLine, linkProtocol } from '../link/protocol.ts';
import { linkStartingDaemon, openLink } from './daemon-link.ts';

const helloTimeoutMs = 5000;

/** A clock that advances when its user waits, except for the daemon's time-out. */
class EagerClock extends FakeClock {
  readonly pauses: number[] = [];
  onPause: () => Promise<void> = async () => undefined;

  override after(delayMs: number, callback: () => void): Timer {
    const timer = super.after(delayMs, callback);
    if (delayMs === helloTimeoutMs) return timer;
    this.pauses.push(delayMs);
    void this.onPause().then(() => this.advanceUs(delayMs * 1000));
    return timer;
  }
}

describe('the link to the daemon', () => {
  let folder: string;
  let home: Home;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-link-'));
    home = locateHome({ BUSBAR_HOME: folder });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** A server that sends hello on the home's socket as a daemon does. */
  const serveHello = async (): Promise<Disposable> => {
    const server = createServer((socket) => {
      socket.write(encodeLine({ busbar: linkProtocol, version: '0', pid: 7 }));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(home.socket, resolve));
    return { [Symbol.dispose]: () => void server.close() };
  };

  it('is nothing where there is no socket, or one that no daemon serves', async () => {
    expect(await openLink(home, new FakeClock())).toBeNull();
    writeFileSync(home.socket, '');
    expect(await openLink(home, new FakeClock())).toBeNull();
  });

  it('goes to the daemon that runs, without starting another', async () => {
    using _daemon = await serveHello();
    const link = await linkStartingDaemon(home, new FakeClock(), async () => expect.unreachable());
    expect(link.daemon.pid).toBe(7);
    link.close();
  });

  it('starts a daemon where none runs', async () => {
    const started: Disposable[] = [];
    const link = await linkStartingDaemon(home, new FakeClock(), async () => {
      started.push(await serveHello());
    });
    expect(started).toHaveLength(1);
    link.close();
    started[0]?.[Symbol.dispose]();
  });

  it('waits, ever longer, for the daemon that another process is starting', async () => {
    const clock = new EagerClock();
    let daemon: Disposable | undefined;
    let tries = 0;
    const link = await linkStartingDaemon(home, clock, async () => {
      if (++tries === 7) daemon = await serveHello();
      throw new BusbarError('already_running');
    });
    expect(clock.pauses).toEqual([10, 20, 40, 80, 160, 200, 200]);
    link.close();
    daemon?.[Symbol.dispose]();
  });

  it('gives up on a start that another process never completes', async () => {
    const clock = new EagerClock();
    const link = linkStartingDaemon(home, clock, async () => {
      throw new BusbarError('already_running');
    });
    await expect(link).rejects.toMatchObject({ code: 'already_running' });
    expect(clock.monotonicUs()).toBeGreaterThan(15_000_000);
  });

  it.runIf(process.platform === 'linux')(
    'waits for a slow start of another process as long as that works, and starts none of its own',
    async () => {
      // This process holds the lock and is as busy as the test.
      const fd = openSync(home.lock, 'a');
      signLock(fd);
      closeSync(fd);
      const clock = new EagerClock();
      let daemon: Disposable | undefined;
      let workedUs = 0;
      clock.onPause = async () => {
        if (clock.monotonicUs() - workedUs < 10_000_000) return;
        workedUs = clock.monotonicUs();
        const before = startingDaemonTicks(home);
        while (startingDaemonTicks(home) === before);
        if (clock.monotonicUs() > 60_000_000) daemon ??= await serveHello();
      };
      const link = await linkStartingDaemon(home, clock, async () => expect.unreachable());
      expect(link.daemon.pid).toBe(7);
      link.close();
      daemon?.[Symbol.dispose]();
    },
  );

  it('reports at once why a daemon could not be started', async () => {
    const clock = new EagerClock();
    const link = linkStartingDaemon(home, clock, async () => {
      throw new BusbarError('daemon_start_failed');
    });
    await expect(link).rejects.toMatchObject({ code: 'daemon_start_failed' });
    expect(clock.pauses).toEqual([]);
  });

  it('does not start daemons without end when each of them is gone again at once', async () => {
    let starts = 0;
    const link = linkStartingDaemon(home, new EagerClock(), async () => {
      // Breaks the endless loop under test.
      if (++starts > 500) throw new BusbarError('internal_error');
    });
    await expect(link).rejects.toMatchObject({ row: { exit: 3 } });
  });
});
