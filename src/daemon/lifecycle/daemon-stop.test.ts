import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { FileSandbox } from '../../base/files/testing/file-sandbox.ts';
import { DaemonStop, type DaemonStopOptions } from './daemon-stop.ts';

describe('the end of a daemon', () => {
  let sandbox: FileSandbox;
  let clock: FakeClock;
  let reported: string[];
  beforeEach(() => {
    sandbox = new FileSandbox();
    sandbox.write('daemon.json', '{}');
    clock = new FakeClock();
    reported = [];
  });
  afterEach(() => sandbox.dispose());

  const stopOf = (shutDownClients: DaemonStopOptions['shutDownClients']): DaemonStop => {
    const ends = (what: string) => async (): Promise<void> => void reported.push(what);
    return new DaemonStop({
      clock,
      onStopping: () => reported.push('stopping'),
      shutDownClients,
      jobs: { close: ends('jobs') },
      services: { close: ends('services') },
      channels: { closeAll: ends('channels') },
      drivers: { close: ends('drivers') },
      alarm: { stop: () => reported.push('alarm') },
      threads: { stop: ends('threads') },
      recordFile: join(sandbox.path, 'daemon.json'),
      log: { event: (event, fields) => reported.push(`${event} ${fields?.pid}`) },
      pid: 42,
      onStopped: () =>
        reported.push(existsSync(join(sandbox.path, 'daemon.json')) ? 'left' : 'gone'),
    });
  };

  const bench = ['jobs', 'services', 'channels', 'drivers', 'alarm', 'threads'];

  it('comes to callers first, then to the bench, then to the threads, and once', async () => {
    const end = stopOf(async () => void reported.push('clients'));
    await Promise.all([end.stop(), end.stop()]);
    await end.stop();
    expect(reported).toEqual(['stopping', 'clients', ...bench, 'stopped 42', 'gone']);
  });

  it('does not wait for ever for clients', async () => {
    const end = stopOf(() => new Promise(() => {})).stop();
    await Promise.resolve();
    clock.advanceUs(2_999_000);
    expect(reported).toEqual(['stopping']);
    clock.advanceUs(1_000);
    await end;
    expect(reported).toEqual(['stopping', ...bench, 'stopped 42', 'gone']);
  });

  it.each([
    ['cannot be asked', () => Promise.reject(new RangeError('is gone'))],
    ['is not there', () => undefined],
  ])('goes on where the client thread %s', async (_, shutDown) => {
    await stopOf(shutDown).stop();
    expect(reported).toEqual(['stopping', ...bench, 'stopped 42', 'gone']);
  });
});
