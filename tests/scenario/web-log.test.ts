import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { ask } from '../support/http.ts';
import { FrameClient } from '../support/websocket.ts';
import { reuseWorkbench, setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { listenersOf } from './support/processes.ts';
import { neverStarted } from './support/web-records.ts';

type LogRecord = Record<string, unknown> & { readonly event: string; readonly level: string };

const recordsIn = (text: string): LogRecord[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const elsewhere = (bench: Workbench): string => {
  const directory = join(bench.project, '..', 'elsewhere');
  mkdirSync(directory);
  return directory;
};

describe('the log file', () => {
  it('is found from where the daemon was started, and reported in full', async () => {
    const bench = setUpWorkbench();
    mkdirSync(join(bench.project, 'logs'));
    await bench.json('daemon', 'start');
    const command = ['web', 'start', '--listen=127.0.0.1:0', '--log-file=logs/../logs/web.log'];
    const { code, stdout } = await bench.run([...command, '--format=json'], {
      cwd: elsewhere(bench),
    });
    expect(code).toBe(0);
    const path = join(bench.project, 'logs', 'web.log');
    expect(JSON.parse(stdout)).toMatchObject({ log_level: 'info', log_destination: path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await bench.json('web', 'stop')).toMatchObject({ log_destination: path });
    expect(recordsIn(readFileSync(path, 'utf8')).map(({ name }) => name)).toEqual([
      'starting',
      'listening',
      'stopping',
      'stopped',
    ]);
    expect(bench.log).not.toContain('lifecycle');
  });

  it('may lie outside the project and is never emptied', async () => {
    const bench = setUpWorkbench();
    const path = join(elsewhere(bench), 'web.log');
    writeFileSync(path, '{"event":"kept"}\n');
    for (let round = 0; round < 2; round++) {
      await bench.startWeb(`--log-file=${path}`);
      await bench.json('web', 'stop');
    }
    const names = recordsIn(readFileSync(path, 'utf8')).map(({ event, name }) => name ?? event);
    const life = ['starting', 'listening', 'stopping', 'stopped'];
    expect(names).toEqual(['kept', ...life, ...life]);
  });

  it('stops the start where it cannot be opened, and nothing is logged elsewhere', async () => {
    const bench = setUpWorkbench();
    await bench.startWeb('--log-level=error');
    const before = await bench.json('web', 'stop');
    const log = bench.log;
    mkdirSync(join(bench.project, 'a-directory'));
    writeFileSync(join(bench.project, 'a-file'), '');
    for (const path of ['a-directory', 'missing/web.log', 'a-file/web.log']) {
      const { exit, code, stdout, details, message } = await bench.failure(
        'web',
        'start',
        '--listen=127.0.0.1:0',
        `--log-file=${path}`,
        '--log-level=debug',
      );
      expect({ exit, code, stdout }).toEqual({ exit: 1, code: 'file_unavailable', stdout: '' });
      expect(details).toMatchObject({ field: 'log_file', path: join(bench.project, path) });
      expect(message).toContain(join(bench.project, path));
    }
    expect(await bench.json('web', 'status')).toEqual(before);
    expect(listenersOf(bench.daemonPid ?? -1)).toEqual([]);
    expect(bench.log).toBe(log);
    expect(existsSync(join(bench.project, 'missing'))).toBe(false);
  });

  itLong('starts no Web service for a fresh daemon either', async () => {
    const bench = setUpWorkbench();
    expect(
      await bench.failure('web', 'start', '--listen=127.0.0.1:0', '--log-file=no/such/place'),
    ).toMatchObject({ exit: 1, code: 'file_unavailable' });
    expect(await bench.json('web', 'status')).toEqual(neverStarted);
  });
});

const reuse = reuseWorkbench();

const lifecycle = (name: string) => ({ level: 'info', event: 'lifecycle', name });
const request = (level: string, path: string, status: number) => ({
  level,
  event: 'request',
  method: 'GET',
  path,
  status,
});
const route = (path: string, hit: boolean) => ({ level: 'debug', event: 'route', path, hit });
const found = '/api/v1/health';
const missing = '/api/v1/nothing';

const refusal = [request('error', missing, 404)];
const everything = [
  lifecycle('starting'),
  lifecycle('listening'),
  request('info', found, 200),
  ...refusal,
  lifecycle('stopping'),
  lifecycle('stopped'),
];
const detailed = [
  lifecycle('starting'),
  lifecycle('listening'),
  route(found, true),
  request('info', found, 200),
  route(missing, false),
  { level: 'debug', event: 'error_detail', code: 'endpoint_not_found', detail: '[redacted]' },
  ...refusal,
  lifecycle('stopping'),
  lifecycle('stopped'),
];

describe('the log level', () => {
  it.each([
    ['off', []],
    ['error', refusal],
    ['info', everything],
    ['debug', detailed],
  ])('%s writes exactly the records that belong to it', async (level, expected) => {
    const bench = await reuse();
    const { port } = await bench.startWeb(`--log-level=${level}`, '--log-file=web.log');
    expect(await bench.json('web', 'status')).toMatchObject({ log_level: level });
    expect((await ask({ port, path: found })).status).toBe(200);
    const headers = { authorization: 'Bearer hush', cookie: 'c=hush' };
    const path = `${missing}?token=hush`;
    expect((await ask({ port, path, headers })).status).toBe(404);
    expect(await bench.json('web', 'stop')).toMatchObject({ log_level: level });

    const text = readFileSync(join(bench.project, 'web.log'), 'utf8');
    const records = recordsIn(text);
    expect(records).toMatchObject(expected);
    for (const { event, duration_us } of records) {
      if (event === 'request') expect(duration_us).toBeGreaterThanOrEqual(0);
    }
    expect(text).not.toContain('hush');
    expect(bench.log).not.toContain('request');
  });

  itLong('debug writes the route of WebSockets and of console files too', async () => {
    const bench = setUpWorkbench();
    const { port } = await bench.startWeb('--log-level=debug', '--log-file=web.log');
    const path = '/api/v1/messages/ws';
    const client = await FrameClient.open({ port });
    client.close();
    await client.closed;
    expect((await ask({ port, path: '/' })).status).toBe(200);
    await bench.json('web', 'stop');
    const records = recordsIn(readFileSync(join(bench.project, 'web.log'), 'utf8'));
    const routes = records.filter(({ event }) => event === 'route');
    expect(routes).toMatchObject([
      { method: 'GET', path, hit: true, route: path },
      { method: 'GET', path: '/', hit: true, route: '/*' },
    ]);
    const opened = records.find(({ request_id }) => request_id === routes[0]?.request_id);
    expect(records).toContainEqual(
      expect.objectContaining({ event: 'request', status: 101, request_id: opened?.request_id }),
    );
  });

  it('logs startup errors even at level error', async () => {
    const bench = setUpWorkbench();
    const { listen } = await bench.startWeb();
    const other = await reuse();
    await other.failure(
      'web',
      'start',
      `--listen=${listen}`,
      '--log-level=error',
      '--log-file=web.log',
    );
    expect(recordsIn(readFileSync(join(other.project, 'web.log'), 'utf8'))).toMatchObject([
      { level: 'error', event: 'startup_error', code: 'address_in_use' },
    ]);
  });
});
