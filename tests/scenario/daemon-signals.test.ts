import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { eventually, setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { runForegroundDaemon, runInBackground } from './support/background-command.ts';
import { isRefused } from './support/ports.ts';
import { childrenOf, daemonsOf, hasEnded, processesOf } from './support/processes.ts';

const endingSignals = ['SIGTERM', 'SIGINT'] as const;

const eventsOf = (text: string): { event: string; name?: string }[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** No process uses the home, and it contains only files that outlive a daemon by design. */
const expectNothingLeft = (bench: Workbench): void => {
  expect(processesOf(bench.home)).toEqual([]);
  const designed = ['daemon.lock', 'daemon.log', 'web.json'];
  expect(readdirSync(bench.home).filter((name) => !designed.includes(name))).toEqual([]);
};

describe('a signal to a detached daemon', () => {
  const endsInOrder = async (signal: NodeJS.Signals): Promise<void> => {
    const bench = setUpWorkbench();
    const { port } = await bench.startWeb('--log-file=web.log');
    const pid = bench.daemonPid ?? -1;

    process.kill(pid, signal);
    await eventually(() => hasEnded(pid));

    expectNothingLeft(bench);
    expect(await isRefused(port)).toBe(true);
    const web = eventsOf(readFileSync(join(bench.project, 'web.log'), 'utf8'));
    expect(web.slice(-2)).toMatchObject([
      { event: 'lifecycle', name: 'stopping', reason: 'daemon_stop' },
      { event: 'lifecycle', name: 'stopped' },
    ]);
    expect(eventsOf(bench.log).at(-1)).toMatchObject({ event: 'stopped', pid });
    expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'stopped' });
  };

  it('ends it in order when it is SIGTERM', () => endsInOrder('SIGTERM'));
  itLong('ends it in order when it is SIGINT', () => endsInOrder('SIGINT'));

  itLong('ends it once, however often it comes', async () => {
    const bench = setUpWorkbench();
    await bench.startWeb();
    const pid = bench.daemonPid ?? -1;
    for (const signal of [...endingSignals, ...endingSignals]) process.kill(pid, signal);
    await eventually(() => hasEnded(pid));
    expectNothingLeft(bench);
    expect(bench.log.match(/"event":"stopped"/g)).toHaveLength(1);
  });
});

describe('a daemon in the foreground', () => {
  it('stays attached, logs to the terminal and serves everyone', async () => {
    const bench = setUpWorkbench();
    const command = await runForegroundDaemon(bench);
    const [daemon = -1, ...others] = childrenOf(command.pid);
    expect(others).toEqual([]);
    expect(await bench.json('daemon', 'status')).toMatchObject({
      state: 'running',
      pid: daemon,
      project_root: bench.project,
    });
    expect(eventsOf(command.stderr)).toMatchObject([{ event: 'started', pid: daemon }]);
    expect(command.isRunning).toBe(true);

    await bench.json('daemon', 'stop');
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expectNothingLeft(bench);
  });

  itLong.each(endingSignals)('ends with 0 when its terminal sends %s', async (signal) => {
    const bench = setUpWorkbench();
    const command = await runForegroundDaemon(bench);
    const { port } = await bench.startWeb();

    command.killGroup(signal);
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expectNothingLeft(bench);
    expect(await isRefused(port)).toBe(true);
    expect(eventsOf(command.stderr).slice(-2)).toMatchObject([
      { event: 'lifecycle', name: 'stopped' },
      { event: 'stopped' },
    ]);
  });

  it('ends with 0 when only its command is told to, as service managers do', async () => {
    const bench = setUpWorkbench();
    const command = await runForegroundDaemon(bench);
    command.kill('SIGTERM');
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expectNothingLeft(bench);
  });

  it('ends by itself when its command is killed', async () => {
    const bench = setUpWorkbench();
    const command = await runForegroundDaemon(bench);
    const { port } = await bench.startWeb('--log-file=web.log');
    command.kill('SIGKILL');
    expect(await command.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await eventually(() => processesOf(bench.home).length === 0);
    expectNothingLeft(bench);
    expect(await isRefused(port)).toBe(true);
    const web = eventsOf(readFileSync(join(bench.project, 'web.log'), 'utf8'));
    expect(web.at(-1)).toMatchObject({ event: 'lifecycle', name: 'stopped' });
  });

  const endsWhileStarting = async (signal: NodeJS.Signals): Promise<void> => {
    const bench = setUpWorkbench();
    const command = runInBackground(bench, 'daemon', 'start', '--foreground');
    await eventually(() => daemonsOf(bench.home).length === 1);
    command.kill(signal);
    await command.ended;
    await eventually(() => processesOf(bench.home).length === 0);
    expectNothingLeft(bench);
  };

  it('ends by itself when its command gets SIGKILL while it still starts', () =>
    endsWhileStarting('SIGKILL'));
  itLong('ends by itself when its command gets SIGTERM while it still starts', () =>
    endsWhileStarting('SIGTERM'),
  );

  itLong('is gone for daemon stop also where its parent does not bury it', async () => {
    const bench = setUpWorkbench();
    const command = await runForegroundDaemon(bench);
    const pid = bench.daemonPid ?? -1;
    command.kill('SIGSTOP');
    expect(await bench.json('daemon', 'stop')).toMatchObject({ state: 'stopped' });
    expect(hasEnded(pid)).toBe(true);
    command.kill('SIGCONT');
    expect(await command.ended).toEqual({ code: 0, signal: null });
  });

  it('takes its command along when it is killed, which says that it failed', async () => {
    const bench = setUpWorkbench();
    const command = await runForegroundDaemon(bench);
    process.kill(bench.daemonPid ?? -1, 'SIGKILL');
    const { code } = await command.ended;
    expect(code).toBeGreaterThan(0);
    expect(processesOf(bench.home)).toEqual([]);
    await bench.json('daemon', 'start');
  });
});
