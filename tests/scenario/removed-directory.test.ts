import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Finished } from '../support/cli-here.ts';
import { busbar, endOf, setUpWorkbench, type Workbench } from '../support/workbench.ts';

/** Runs a command in a directory that is removed during its run. */
const runNowhere = (
  bench: Workbench,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const command = [process.execPath, busbar, ...args, '--format=json'];
  return endOf(
    spawn('sh', ['-c', script, 'sh', ...command], {
      cwd: bench.project,
      env: { ...bench.environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
};

const refusalIn = ({ code: exit, stderr }: Finished) => {
  const { code, details } = JSON.parse(stderr).error;
  return { exit, code, details };
};

describe('a command in a directory that was removed', () => {
  it('does what needs no directory', async () => {
    const bench = setUpWorkbench();
    for (const args of [['version'], ['help'], ['daemon', 'status'], ['daemon', 'stop']]) {
      const { code, stdout, stderr } = await runNowhere(bench, args);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      JSON.parse(stdout);
    }
  });

  it('asks a daemon that runs elsewhere', async () => {
    const bench = setUpWorkbench();
    await bench.call('channel.open', { channel: 'SIM00001/0' });
    const listed = await runNowhere(bench, ['channel', 'list']);
    expect(listed.code).toBe(0);
    expect(JSON.parse(listed.stdout).channels).toHaveLength(1);
    const started = await runNowhere(bench, ['web', 'start', '--listen=127.0.0.1:0']);
    expect(started).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    [['daemon', 'start']],
    [['daemon', 'start', '--foreground']],
    [['web', 'start', '--listen=127.0.0.1:0']],
    [['demo', '--port=0']],
  ])('starts no daemon there: %j', async (args) => {
    expect(refusalIn(await runNowhere(setUpWorkbench(), args))).toEqual({
      exit: 3,
      code: 'daemon_start_failed',
      details: { reason: 'no_working_directory' },
    });
  });

  it.each([
    [['trace', 'info', 'x.asc'], 'file'],
    [['gateway', 'validate', '--file=x.gwproj'], 'file'],
    [['channel', 'list', '--project=.'], 'project'],
  ])('refuses a relative path: %j', async (args, field) => {
    expect(refusalIn(await runNowhere(setUpWorkbench(), args))).toEqual({
      exit: 2,
      code: 'invalid_argument',
      details: { field, reason: 'no_working_directory' },
    });
  });

  it('finds no daemon by a relative home', async () => {
    const run = runNowhere(setUpWorkbench(), ['daemon', 'status'], { BUSBAR_HOME: '../home' });
    expect(refusalIn(await run)).toEqual({
      exit: 3,
      code: 'daemon_unreachable',
      details: { home: '../home' },
    });
  });
});
