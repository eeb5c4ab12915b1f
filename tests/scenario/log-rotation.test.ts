import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../support/http.ts';
import { busbar, eventually, setUpWorkbench } from '../support/workbench.ts';
import { runForegroundDaemon } from './support/background-command.ts';
import { hasEnded } from './support/processes.ts';

const namesIn = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ event, name }) => name ?? event);

/** Waits for a log file that begins with its opening message. */
const begun = (path: string): Promise<void> =>
  eventually(() => existsSync(path) && namesIn(path)[0] === 'log_reopened');

describe('SIGHUP', () => {
  it('has both logs of a daemon go on in new files, and ends nothing', async () => {
    const bench = setUpWorkbench();
    const { port } = await bench.startWeb('--log-file=web.log');
    const pid = bench.daemonPid ?? -1;
    const web = join(bench.project, 'web.log');
    const own = join(bench.home, 'daemon.log');
    for (const file of [web, own]) renameSync(file, `${file}.1`);
    const before = [web, own].map((file) => readFileSync(`${file}.1`, 'utf8'));

    process.kill(pid, 'SIGHUP');
    await begun(web);
    await begun(own);

    expect((await ask({ port, path: '/api/v1/info' })).status).toBe(200);
    await eventually(() => namesIn(web).includes('request'));
    expect([web, own].map((file) => readFileSync(`${file}.1`, 'utf8'))).toEqual(before);
    expect(await bench.json('daemon', 'status')).toMatchObject({ pid, web: 'running' });
  });

  it('keeps the old file where there can be no new one, and says so in the daemon’s log', async () => {
    const bench = setUpWorkbench();
    const { port } = await bench.startWeb('--log-file=web.log');
    const web = join(bench.project, 'web.log');
    renameSync(web, `${web}.1`);
    mkdirSync(web);
    process.kill(bench.daemonPid ?? -1, 'SIGHUP');
    await eventually(() => bench.log.includes('"event":"log_not_reopened"'));
    expect(bench.log).toContain(`Cannot open the log file ${web}: it is a directory`);
    await ask({ port, path: '/api/v1/info' });
    await eventually(() => namesIn(`${web}.1`).at(-1) === 'request');
    expect((await ask({ port, path: '/api/v1/health' })).json()).toMatchObject({ status: 'ok' });
  });

  it('makes health recover where the new file takes what the old one refused', async () => {
    const bench = setUpWorkbench();
    const web = join(bench.project, 'web.log');
    symlinkSync('/dev/full', web);
    const { port } = await bench.startWeb('--log-file=web.log');
    const health = async () => (await ask({ port, path: '/api/v1/health' })).json();
    expect(await health()).toMatchObject({ status: 'degraded', web: { status: 'degraded' } });
    unlinkSync(web);
    process.kill(bench.daemonPid ?? -1, 'SIGHUP');
    await eventually(() => existsSync(web) && namesIn(web).includes('log_reopened'));
    expect(namesIn(web)[0]).toBe('dropped');
    await eventually(async () => (await health()).status === 'ok');
    const { web: after } = await health();
    expect(after.status).toBe('ok');
    expect(after.log_records_dropped).toBeGreaterThan(0);
  });

  it('is passed on by a daemon’s command in the foreground, and ends neither of them', async () => {
    const bench = setUpWorkbench();
    const command = await runForegroundDaemon(bench);
    await bench.startWeb('--log-file=web.log');
    const web = join(bench.project, 'web.log');
    for (const send of ['kill', 'killGroup'] as const) {
      renameSync(web, `${web}.1`);
      command[send]('SIGHUP');
      await begun(web);
    }
    expect(await bench.json('daemon', 'status')).toMatchObject({ web: 'running' });
    expect(command.isRunning).toBe(true);
  });
});

/** Runs a command as session leader on a terminal, and hangs up on request. */
const onTerminal = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
sys.stdin.read()
os.close(terminal)
os.waitpid(pid, 0)
`;

describe('a terminal that hangs up', () => {
  it('ends the daemon that runs in its foreground', async () => {
    const bench = setUpWorkbench();
    const words = [process.execPath, busbar, 'daemon', 'start', '--foreground'];
    const terminal = spawn('/usr/bin/python3', ['-c', onTerminal, ...words], {
      cwd: bench.project,
      env: bench.environment,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const ended = new Promise((resolve) => terminal.once('close', resolve));
    onTestFinished(() => void terminal.kill('SIGKILL'));
    await eventually(() => bench.daemonPid !== null);
    const pid = bench.daemonPid ?? -1;
    terminal.stdin.end();
    await eventually(() => hasEnded(pid));
    expect(await ended).toBe(0);
  });
});
