import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../clock/testing/fake-clock.ts';
import { eventually } from '../testing/eventually.ts';
import { withDirectoryLock } from './directory-lock.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const named = { path: 'a.gwproj', field: 'output' };
const clock = new FakeClock();
const locked = <T>(act: () => T): Promise<T> =>
  withDirectoryLock(openSync(directory, 'r'), named, clock, act);

/** Starts another process and waits until it has the lock. Resolves once it is killed. */
const holder = async () => {
  const child = spawn('flock', ['-x', directory, '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return async () => {
    const closed = once(child, 'close');
    process.kill(-(child.pid as number), 'SIGKILL');
    await closed;
  };
};

describe('the lock of a directory', () => {
  it('is held while the action runs, and free for the next', async () => {
    expect(await locked(() => 1)).toBe(1);
    await expect(
      locked(() => {
        throw new TypeError('no');
      }),
    ).rejects.toThrow('no');
    expect(await locked(() => 2)).toBe(2);
  });

  it('is waited for, and free as soon as the process that has it is killed', async () => {
    const kill = await holder();
    let hasRun = false;
    const waiting = locked(() => {
      hasRun = true;
    });
    await eventually(() => clock.pendingTimers > 0);
    clock.advanceUs(1_000_000);
    await eventually(() => clock.pendingTimers > 0);
    expect(hasRun).toBe(false);
    await kill();
    await eventually(() => {
      clock.advanceUs(20_000);
      return hasRun;
    });
    await waiting;
  });

  it('is refused as busy, to be tried again, where another process keeps it', async () => {
    const kill = await holder();
    try {
      const waiting = locked(() => 'never').catch((thrown) => thrown);
      let refusal: unknown;
      void waiting.then((thrown) => {
        refusal = thrown;
      });
      await eventually(() => {
        clock.advanceUs(100_000);
        return refusal !== undefined;
      });
      expect(refusal).toMatchObject({ code: 'busy', details: named, row: { retryable: true } });
    } finally {
      await kill();
    }
  });
});
