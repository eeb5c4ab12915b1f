import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { type ErrorCode, errorTable } from '../../src/base/errors/table.ts';
import { ProjectRoot } from '../../src/base/files/project-root.ts';
import { defineOperation } from '../../src/operations/define.ts';
import { Dispatcher } from '../../src/operations/dispatcher.ts';
import { publishedErrors } from '../../src/operations/face-errors.ts';
import { operations } from '../../src/operations/registry.ts';
import { openLogDestination } from '../../src/web/diagnostics/destination.ts';
import { Diagnostics } from '../../src/web/diagnostics/diagnostics.ts';
import { HttpServer } from '../../src/web/http/http-server.ts';
import { RequestMetrics } from '../../src/web/http/request-metrics.ts';
import { MetricRegistry } from '../../src/web/metrics/registry.ts';
import { StaticFiles } from '../../src/web/static/static-files.ts';
import { ask, askJson, type HttpAnswer, sendRaw } from '../support/http.ts';
import { busbar, Workbench } from '../support/workbench.ts';

/** The product as it is, open on one port and guarded by a token on another bench. */
const open = new Workbench();
const guarded = new Workbench();
const bare = new Workbench();
let port = 0;
let guardedPort = 0;
let taken: Server;

beforeAll(async () => {
  ({ port } = await open.startWeb());
  ({ port: guardedPort } = await guarded.startWeb('--token=right'));
  taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
});
afterAll(async () => {
  taken.close();
  await Promise.all([open.dispose(), guarded.dispose(), bare.dispose()]);
});

/** What a face answered: over HTTP with a status, from the CLI with an exit code. */
type Met = { code: string; status?: number; exit?: number };

const overHttp = ({ status, json }: HttpAnswer): Met => ({ code: json().error.code, status });
const request = (path: string, options = {}) => ask({ port, path, ...options }).then(overHttp);
const command = async (bench: Workbench, ...args: string[]): Promise<Met> => {
  const { code, exit } = await bench.failure(...args);
  return { code, exit };
};

/** A server with operations that misbehave on purpose and little patience. */
const withServer = async (meet: (port: number) => Promise<Met>): Promise<Met> => {
  const declare = (id: string) =>
    defineOperation({
      id,
      summary: id,
      result: Type.String(),
      errors: [],
      permission: 'observe',
      execution: { place: 'client', daemon: 'required', streaming: false },
      cli: null,
      http: { method: 'GET', path: `/api/v1/${id}`, success: 200 },
    });
  const [huge, broken] = [declare('huge'), declare('broken')];
  const clock = new SystemClock();
  const root = ProjectRoot.open(open.project);
  const destination = openLogDestination(undefined);
  const server = new HttpServer({
    operations: [huge, broken],
    dispatcher: new Dispatcher([huge, broken])
      .bind(huge, () => 'x'.repeat(2 * 1024 * 1024))
      .bind(broken, () => {
        throw new TypeError('a secret of ours');
      }),
    files: new StaticFiles(root),
    token: null,
    diagnostics: new Diagnostics({ clock, level: 'off', destination }),
    metrics: new RequestMetrics(new MetricRegistry(), []),
    clock,
    clients: 1,
    patience: { headers: 50, request: 50, keepAlive: 50, idle: 1000 },
  });
  const { port: own } = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    return await meet(own);
  } finally {
    await server.close();
    root.close();
  }
};

const crowd = async (own: number): Promise<Met> => {
  const holder = createConnection(own, '127.0.0.1');
  await new Promise((resolve) => holder.once('connect', resolve));
  try {
    return overHttp(await ask({ port: own, path: '/api/v1/huge' }));
  } finally {
    holder.destroy();
  }
};

const impostor = async (): Promise<Met> => {
  mkdirSync(bare.home, { recursive: true, mode: 0o700 });
  const hello = `${JSON.stringify({ busbar: 99, version: '99.0.0', pid: 1 })}\n`;
  const daemon = createServer((socket) => socket.resume().end(hello));
  await new Promise<void>((resolve) => daemon.listen(join(bare.home, 'busbar.sock'), resolve));
  try {
    return await command(bare, 'health');
  } finally {
    await new Promise((resolve) => daemon.close(resolve));
  }
};

/** How each published code is met. */
const ways: Partial<Record<ErrorCode, () => Promise<Met>>> = {
  invalid_argument: () => request('/api/v1/info?x=1'),
  unknown_command: () => command(open, 'wbe', 'start'),
  unauthorized: () => ask({ port: guardedPort, path: '/api/v1/info' }).then(overHttp),
  operation_not_allowed: () =>
    askJson({ port, path: '/api/v1/execute', json: { operation: 'reboot' } }).then(overHttp),
  origin_not_allowed: () => request('/api/v1/info', { headers: { origin: 'http://evil.example' } }),
  path_outside_project: () => command(bare, 'web', 'start', '--listen=127.0.0.1:0', '--web-root=/'),
  file_not_found: () => command(bare, 'web', 'start', '--listen=127.0.0.1:0', '--web-root=none'),
  job_not_found: () => request('/api/v1/jobs/none'),
  operation_not_found: () => request('/api/v1/operations/none'),
  route_not_found: () => request('/api/v1/none'),
  method_not_allowed: () => request('/api/v1/info', { method: 'DELETE' }),
  request_timeout: () =>
    withServer(async (own) => overHttp(await sendRaw(own, 'GET / HTTP/1.1\r\nHost: x'))),
  address_in_use: () => {
    const { port: busy } = taken.address() as AddressInfo;
    return command(bare, 'web', 'start', `--listen=127.0.0.1:${busy}`);
  },
  already_running: () => command(open, 'web', 'start'),
  file_unavailable: () =>
    command(bare, 'web', 'start', '--listen=127.0.0.1:0', `--log-file=${bare.project}`),
  listen_failed: () =>
    command(bare, 'web', 'start', '--listen=192.0.2.1:0', '--token=x', '--allow-insecure-http'),
  payload_too_large: () =>
    askJson({ port, path: '/api/v1/execute', json: 'x'.repeat(70_000) }).then(overHttp),
  unsupported_media_type: () =>
    request('/api/v1/execute', { method: 'POST', headers: { 'content-type': 'a/b' }, body: 'x' }),
  headers_too_large: () => request('/', { headers: { 'x-large': 'x'.repeat(17_000) } }),
  internal_error: () =>
    withServer(async (own) => overHttp(await ask({ port: own, path: '/api/v1/broken' }))),
  output_failed: async () => {
    const line = `"${process.execPath}" "${busbar}" version --format=json > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    return { code: JSON.parse(stderr).error.code, exit: status ?? -1 };
  },
  response_too_large: () =>
    withServer(async (own) => overHttp(await ask({ port: own, path: '/api/v1/huge' }))),
  too_many_clients: () => withServer(crowd),
  daemon_unreachable: async () => {
    await bare.run(['daemon', 'stop']);
    return command(bare, 'health');
  },
  daemon_start_failed: async () => {
    const file = join(bare.project, 'a-file');
    writeFileSync(file, '');
    const { code, stderr } = await bare.run(['daemon', 'start', '--format=json'], {
      env: { BUSBAR_HOME: file },
    });
    return { code: JSON.parse(stderr).error.code, exit: code };
  },
  version_mismatch: impostor,
};

describe('every published error code', () => {
  it('has a way to be met here', () => {
    expect(Object.keys(ways)).toEqual(publishedErrors(operations));
  });

  it.each(Object.entries(ways))('is met, with its status or exit code: %s', async (code, meet) => {
    const { status, exit } = errorTable[code as ErrorCode];
    const met = await meet();
    expect(met).toEqual(met.exit === undefined ? { code, status } : { code, exit });
  });
});
