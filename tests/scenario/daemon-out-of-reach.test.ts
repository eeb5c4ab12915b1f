import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { busbar, eventually, isAlive, setUpWorkbench } from '../support/workbench.ts';

describe('a daemon whose socket was removed', () => {
  it('listens anew by itself, and keeps its Web service', async () => {
    const bench = setUpWorkbench();
    const { listen } = await bench.startWeb();
    const pid = bench.daemonPid;
    rmSync(join(bench.home, 'busbar.sock'));
    expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'running', pid });
    expect(await bench.json('web', 'status')).toMatchObject({ state: 'running', listen });
  });

  it('is found and stopped, and never taken for stopped while it runs', async () => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start');
    const pid = bench.daemonPid ?? 0;
    rmSync(join(bench.home, 'busbar.sock'));
    expect(await bench.json('daemon', 'stop')).toMatchObject({ state: 'stopped' });
    await eventually(() => !isAlive(pid));
  });
});

describe('a Web start that is refused', () => {
  it('leaves no daemon behind that was started for it alone', async () => {
    const bench = setUpWorkbench();
    const refused = await bench.failure('web', 'start', '--listen=0.0.0.0:0');
    expect(refused).toMatchObject({ code: 'invalid_argument', details: { field: 'token' } });
    expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'stopped' });
  });

  it('leaves a daemon alone that was there before', async () => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start');
    await bench.failure('web', 'start', '--listen=127.0.0.1:0', '--web-root=none');
    expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'running' });
  });
});

describe.runIf(process.platform === 'linux')('a home where nothing can be made', () => {
  it.each([
    ['daemon', 'start'],
    ['web', 'start'],
  ])('is refused: %s %s', (...words) => {
    const bench = setUpWorkbench();
    const { status, stderr } = spawnSync(
      process.execPath,
      [busbar, ...words, '--format=json'],
      // A process that never ends would outlive the test.
      {
        cwd: bench.project,
        env: { ...bench.environment, BUSBAR_HOME: '/proc/x/y' },
        encoding: 'utf8',
        timeout: 30_000,
        killSignal: 'SIGKILL',
      },
    );
    expect(status).toBe(3);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'daemon_start_failed',
      details: { home: '/proc/x/y' },
    });
  });
});
