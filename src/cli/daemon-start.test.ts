import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../base/clock/system-clock.ts';
import { eventually } from '../base/testing/eventually.ts';
import { isRunning } from '../link/daemon-record.ts';
import { operations } from '../operations/registry.ts';
import { CliBench } from './testing/cli-bench.ts';
import { FakeDistribution } from './testing/fake-distribution.ts';

describe('daemon start', () => {
  let bench: CliBench;
  let distribution: FakeDistribution;

  beforeEach(() => {
    bench = new CliBench(operations);
    bench.clock = new SystemClock();
    distribution = new FakeDistribution(bench.folder);
  });
  afterEach(async () => {
    await bench.run('daemon', 'stop');
    bench.close();
    // A foreground daemon keeps its handlers until the process ends, but other tests use this
    // process.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.removeAllListeners(signal);
  });

  const requested = (): string[] => distribution.requests.map(({ operation }) => operation);

  it('opens the channels it is given, in their order and for the caller’s project', async () => {
    writeFileSync(join(bench.folder, 'busbar.bench.json'), '{}');
    const code = await bench.run(
      'daemon',
      'start',
      '--channel=SIM00001/0,bitrate=500000',
      '--channel=SIM00001/4,lin.role=master,name=door',
      '--format=json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(bench.stdout.text)).toMatchObject({ state: 'running' });
    expect(distribution.requests.slice(0, 2)).toMatchObject([
      {
        operation: 'channel.open',
        arguments: { channel: 'SIM00001/0', bitrate: 500_000 },
        project: bench.folder,
      },
      {
        operation: 'channel.open',
        arguments: { channel: 'SIM00001/4', lin: { role: 'master' }, name: 'door' },
        project: bench.folder,
      },
    ]);
    expect(requested().slice(2)).toEqual(['daemon.status']);
  });

  it('stops the daemon again where one of them does not open, and fails with why', async () => {
    const code = await bench.run('daemon', 'start', '--channel=a/0', '--channel=bad/0');
    expect(code).toBe(FakeDistribution.failedOpenExit);
    expect(bench.stdout.text).toBe('');
    expect(bench.stderr.text).toMatch(/^busbar: channel_not_found: /);
    expect(requested()).toEqual(['channel.open', 'channel.open', 'daemon.stop']);
    expect(distribution.pids.map(isRunning)).toEqual([false]);
  });

  it('starts nothing for a channel that is written wrongly', async () => {
    const code = await bench.run('daemon', 'start', '--channel=a/0', '--channel=a/1,bitrate=x');
    expect(code).toBe(2);
    expect(bench.stderr.text).toContain('bitrate of --channel must be a bit rate');
    expect(distribution.pids).toEqual([]);
  });

  it('opens nothing in a daemon that runs already, and leaves it alone', async () => {
    await bench.run('daemon', 'start');
    expect(await bench.run('daemon', 'start', '--channel=bad/0')).toBe(1);
    expect(bench.stderr.text).toMatch(/^busbar: already_running: /);
    expect(requested()).not.toContain('channel.open');
    expect(distribution.pids.map(isRunning)).toEqual([true]);
  });

  it.runIf(process.platform === 'linux')(
    'has the daemon give back memory that only its start needed',
    async () => {
      await bench.run('daemon', 'start');
      const environment = readFileSync(`/proc/${distribution.pids[0]}/environ`, 'utf8');
      expect(environment.split('\0')).toContainEqual(
        expect.stringMatching(/^MALLOC_TRIM_THRESHOLD_=\d+$/),
      );
    },
  );

  it('opens channels in the foreground too', async () => {
    const ended = bench.run('daemon', 'start', '--foreground', '--channel=a/0');
    await eventually(() => requested().includes('channel.open'));
    process.emit('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('ends a daemon in the foreground whose channel does not open', async () => {
    const ended = bench.run('daemon', 'start', '--foreground', '--channel=bad/0');
    expect(await ended).toBe(FakeDistribution.failedOpenExit);
    expect(distribution.pids.map(isRunning)).toEqual([false]);
    expect(bench.stderr.text).toMatch(/^busbar: channel_not_found: /);
  });
});
