import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Timer } from '../../base/clock/clock.ts';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { SerialReconnect } from './serial-reconnect.ts';

/** Records the last requested delays, which show whether a change was noticed. */
class AskedClock extends FakeClock {
  lastDelayMs = 0;

  override after(delayMs: number, callback: () => void): Timer {
    this.lastDelayMs = delayMs;
    return super.after(delayMs, callback);
  }
}

const lookMs = 2000;

describe('the return of a serial device', () => {
  let folder: string;
  let clock: AskedClock;
  let attempts: number;
  let isThere: boolean;
  let watch: SerialReconnect | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-return-'));
    clock = new AskedClock();
    attempts = 0;
    isThere = false;
  });
  afterEach(() => {
    watch?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const wait = (named: string, attempt = async () => isThere): void => {
    watch = new SerialReconnect({
      named,
      clock,
      attempt: () => {
        attempts++;
        return attempt();
      },
    });
  };
  /** Waits until the last attempt is over; the next one is far away. */
  const settle = (): Promise<void> =>
    eventually(() => clock.pendingTimers === 1 && clock.lastDelayMs === lookMs);
  /** Waits until a change is noticed and the next attempt is made. */
  const noticed = async (count: number): Promise<void> => {
    await eventually(() => clock.pendingTimers === 1 && clock.lastDelayMs < lookMs);
    clock.advanceUs(clock.lastDelayMs * 1000);
    await eventually(() => attempts === count);
  };

  it('is tried for at once', async () => {
    isThere = true;
    wait(join(folder, 'port'));
    await eventually(() => attempts === 1);
    clock.advanceUs(60_000_000);
    expect(attempts).toBe(1);
  });

  it('is noticed where the name appears', async () => {
    wait(join(folder, 'port'));
    await settle();
    expect(attempts).toBe(1);
    isThere = true;
    writeFileSync(join(folder, 'port'), '');
    await noticed(2);
  });

  it('is noticed where the folder of the name has to appear first', async () => {
    wait(join(folder, 'serial', 'by-id', 'port'));
    await settle();
    mkdirSync(join(folder, 'serial'));
    await noticed(2);
    await settle();
    mkdirSync(join(folder, 'serial', 'by-id'));
    await noticed(3);
    await settle();
    isThere = true;
    writeFileSync(join(folder, 'serial', 'by-id', 'port'), '');
    await noticed(4);
  });

  it('is looked for now and then, no more than once in two seconds', async () => {
    wait(join(folder, 'port'));
    await settle();
    for (let second = 0; second < 10; second++) {
      clock.advanceUs(1_000_000);
      await settle();
    }
    expect(attempts).toBe(6);
  });

  it('is tried for again when something changed during an attempt, or one failed', async () => {
    const first = new Deferred<boolean>();
    let isFirst = true;
    wait(join(folder, 'port'), async () => {
      if (!isFirst) throw new RangeError('not now');
      isFirst = false;
      return first.promise;
    });
    writeFileSync(join(folder, 'port'), '');
    first.resolve(false);
    await noticed(2);
    await settle();
  });

  it('is over once it is stopped', async () => {
    wait(join(folder, 'port'));
    await settle();
    watch?.stop();
    writeFileSync(join(folder, 'port'), '');
    clock.advanceUs(60_000_000);
    expect(attempts).toBe(1);
    expect(clock.pendingTimers).toBe(0);
  });
});
