import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { setUpWorkbench } from '../support/workbench.ts';
import { type BackgroundCommand, runInBackground } from './support/background-command.ts';
import { sameDaemon } from './support/daemon-records.ts';
import { isRefused, takePort } from './support/ports.ts';
import { processesOf } from './support/processes.ts';

const portIn = async (demo: BackgroundCommand): Promise<number> => {
  await demo.printed('stdout', 'Ctrl-C');
  return Number(/http:\/\/127\.0\.0\.1:([0-9]+)\//.exec(demo.stdout)?.[1]);
};

describe('busbar demo', () => {
  it('says where the console is, serves it, and ends with nothing left on Ctrl-C', async () => {
    const bench = setUpWorkbench();
    const demo = runInBackground(bench, 'demo', '--port=0');
    const port = await portIn(demo);

    expect(demo.stdout).toContain(`Console  http://127.0.0.1:${port}/\n`);
    const page = await ask({ port, path: '/' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const api = /API +http:\/\/[^/]+(\S+)/.exec(demo.stdout)?.[1] ?? '';
    expect((await ask({ port, path: api })).json()).toMatchObject({ openapi: '3.1.0' });

    demo.killGroup('SIGINT');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(processesOf(bench.home)).toEqual([]);
    expect(await isRefused(port)).toBe(true);
    expect(readdirSync(bench.home)).not.toContain('busbar.sock');
    expect(readdirSync(bench.home)).not.toContain('daemon.json');
  });

  it('uses the next free port and says so where the one it wants is taken', async () => {
    const bench = setUpWorkbench();
    const taken = await takePort();
    const demo = runInBackground(bench, 'demo', `--port=${taken}`);
    const port = await portIn(demo);
    expect(port).toBeGreaterThan(taken);
    expect(port).toBeLessThanOrEqual(taken + 20);
    expect(demo.stdout).toContain(`Port ${taken} is taken; using 127.0.0.1:${port} instead.`);
    expect((await ask({ port, path: '/api/v1/health' })).status).toBe(200);

    demo.kill('SIGTERM');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(processesOf(bench.home)).toEqual([]);
  });

  it('does not take over a daemon that runs already', async () => {
    const bench = setUpWorkbench();
    const running = await bench.json<object>('daemon', 'start');
    expect(await bench.failure('demo', '--port=0')).toMatchObject({
      exit: 1,
      code: 'already_running',
      stdout: '',
    });
    expect(await bench.json('daemon', 'status')).toEqual(sameDaemon(running));
  });

  it.each(['65536', '-1', 'http'])('refuses port %s before it starts anything', async (port) => {
    const bench = setUpWorkbench();
    const { code, stdout, stderr } = await bench.run(['demo', `--port=${port}`]);
    expect(existsSync(bench.home)).toBe(false);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^busbar: invalid_argument: (--)?port /);
  });
});
