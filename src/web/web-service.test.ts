import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../base/clock/system-clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { FileSandbox } from '../base/files/testing/file-sandbox.ts';
import { eventually } from '../base/testing/eventually.ts';
import type { WebMemory } from '../link/web-memory.ts';
import { WebStatus } from '../operations/web.ts';
import { RequestMetrics } from './http/request-metrics.ts';
import { RawClient } from './http/testing/raw-client.ts';
import { SampleService } from './http/testing/sample-service.ts';
import { MetricRegistry } from './metrics/registry.ts';
import type { WebConfiguration } from './web-configuration.ts';
import { WebService } from './web-service.ts';

const plain: WebConfiguration = {
  listen: '127.0.0.1:0',
  listenGiven: true,
  webRoot: null,
  token: null,
  allowInsecureHttp: false,
  historyCapacity: 8192,
  logLevel: 'info',
  logFile: 'web.log',
};

const portOf = ({ listen }: WebStatus): number => Number(listen.slice(listen.lastIndexOf(':') + 1));

const codeOf = (start: Promise<unknown>): Promise<string> =>
  start.then(
    () => 'started',
    (thrown: unknown) => (thrown instanceof BusbarError ? thrown.code : 'other'),
  );

describe('WebService', () => {
  let sandbox: FileSandbox;
  let memory: WebMemory;
  let forget: boolean;
  let changes: (WebConfiguration | null)[];
  let web: WebService;
  let rivals: Server[];

  beforeEach(() => {
    sandbox = new FileSandbox();
    sandbox.write('console/index.html', 'packaged');
    sandbox.write('site/guides/daemon.html', 'documentation');
    sandbox.write('project/own/index.html', 'own');
    memory = { configuredListen: null, logLevel: 'info', logDestination: 'stderr' };
    forget = false;
    changes = [];
    rivals = [];
    const { operations, dispatcher } = new SampleService();
    web = new WebService({
      clock: new SystemClock(),
      http: { operations, dispatcher, metrics: new RequestMetrics(new MetricRegistry(), []) },
      events: {
        keep: async () => undefined,
        begin: () => undefined,
        end: () => undefined,
        sse: [],
        subscribeFrames: async () => undefined,
      },
      projectRoot: sandbox.project,
      packagedConsole: join(sandbox.path, 'console'),
      packagedSite: join(sandbox.path, 'site'),
      memory: {
        read: () => memory,
        write: (next) => {
          if (forget) throw new BusbarError('file_unavailable');
          memory = next;
        },
      },
      onChange: (configuration) => changes.push(configuration),
    });
  });

  afterEach(async () => {
    await web.stop('command');
    await Promise.all(rivals.map((rival) => new Promise((resolve) => rival.close(resolve))));
    sandbox.dispose();
  });

  const get = async (port: number, path = '/'): Promise<string> => {
    const client = new RawClient(port).request(`GET ${path}`, { Connection: 'close' });
    const { body } = await client.response();
    await client.dismissed();
    return body;
  };

  const log = (): Record<string, unknown>[] =>
    readFileSync(join(sandbox.project, 'web.log'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  /** A port on which another program listens. */
  const takenPort = async (): Promise<number> => {
    const rival = createServer();
    rivals.push(rival);
    await new Promise<void>((resolve) => rival.listen(0, '127.0.0.1', resolve));
    return (rival.address() as { port: number }).port;
  };

  describe('started', () => {
    it('takes up the service that ran before, and forgets one that it cannot take up', async () => {
      const reported: string[] = [];
      const listener = {
        onBegin: () => reported.push('begins'),
        onFailed: ({ code }: BusbarError) => reported.push(code),
      };
      await web.resume(null, listener);
      expect([reported, changes, web.status().state]).toEqual([[], [], 'stopped']);
      await web.resume({ ...plain, webRoot: 'absent' }, listener);
      expect([reported, changes]).toEqual([['begins', 'file_not_found'], [null]]);
      await web.resume(plain, listener);
      expect(reported).toEqual(['begins', 'file_not_found', 'begins']);
      expect(web.status().state).toBe('running');
      expect(changes).toMatchObject([null, { listen: web.status().listen }]);
    });

    it('serves the console and the API where its status says', async () => {
      const status = await web.start(plain);
      expect(Check(WebStatus, status)).toBe(true);
      expect(status).toMatchObject({
        state: 'running',
        listen_source: 'effective',
        configured_listen: status.listen,
        effective_listen: status.listen,
        url: `http://${status.listen}/`,
        web_root: join(sandbox.path, 'console'),
        authentication: 'none',
        history_capacity: 8192,
        log_level: 'info',
        log_destination: join(sandbox.project, 'web.log'),
        stream_epoch: status.started_at_us,
      });
      expect(portOf(status)).toBeGreaterThan(0);
      expect(web.status()).toEqual(status);
      expect(await get(portOf(status))).toBe('packaged');
      expect(await get(portOf(status), '/docs/guides/daemon.html')).toBe('documentation');
      expect(await get(portOf(status), '/report')).toBe('Bestände: ✓\n');
    });

    it('goes without the documentation where it was not installed', async () => {
      rmSync(join(sandbox.path, 'site'), { recursive: true });
      const status = await web.start(plain);
      expect(await get(portOf(status))).toBe('packaged');
      const { error } = JSON.parse(await get(portOf(status), '/docs/guides/daemon.html'));
      expect(error.code).toBe('endpoint_not_found');
    });

    it('serves another Web root from inside the project', async () => {
      const status = await web.start({ ...plain, webRoot: 'own' });
      expect(status.web_root).toBe(join(sandbox.project, 'own'));
      expect(await get(portOf(status))).toBe('own');
      const { error } = JSON.parse(await get(portOf(status), '/docs/guides/daemon.html'));
      expect(error.code).toBe('endpoint_not_found');
    });

    it('asks for the token that it was given, and writes it nowhere', async () => {
      const status = await web.start({ ...plain, token: 'the-token', logLevel: 'debug' });
      expect(status.authentication).toBe('token');
      expect(JSON.parse(await get(portOf(status), '/report')).error.code).toBe('unauthorized');
      await get(portOf(status), '/the-token');
      await web.stop('command');
      const everything = JSON.stringify([status, memory, log()]);
      expect(everything).not.toContain('the-token');
    });

    it('tells who would start it again with the port that the system chose', async () => {
      const status = await web.start(plain);
      expect(changes).toEqual([{ ...plain, listen: status.listen, listenGiven: false }]);
    });

    it('cannot be started again, and says with what it runs', async () => {
      const status = await web.start(plain);
      const again = web.start({ ...plain, webRoot: 'own', logFile: 'other.log' });
      await expect(again).rejects.toMatchObject({ code: 'already_running', details: status });
      expect(web.status()).toEqual(status);
      expect(changes).toHaveLength(1);
      expect(readdirSync(sandbox.project).sort()).toEqual(['own', 'web.log']);
    });

    it('counts its clients', async () => {
      const client = new RawClient(portOf(await web.start(plain))).request('GET /');
      await client.response();
      expect(web.clients).toBe(1);
      client.leave();
      await eventually(() => web.clients === 0);
      expect(web.logRecordsDropped).toBe(0);
    });
  });

  describe('stopped', () => {
    it('says so with the same fields as when it runs', () => {
      expect(Check(WebStatus, web.status())).toBe(true);
      expect(web.status()).toMatchObject({ state: 'stopped', effective_listen: null, url: null });
      expect([web.clients, web.logRecordsDropped]).toEqual([0, 0]);
    });

    it('can be stopped again', async () => {
      expect(await web.stop('command')).toEqual(web.status());
      expect(changes).toEqual([]);
    });

    it('remembers its last start', async () => {
      await web.start({ ...plain, logLevel: 'debug' });
      expect(await web.stop('command')).toMatchObject({
        state: 'stopped',
        listen: '127.0.0.1:8080',
        listen_source: 'default',
        configured_listen: '127.0.0.1:0',
        log_level: 'debug',
        log_destination: join(sandbox.project, 'web.log'),
      });
    });

    it('remembers the host as it was given, and listens on its address', async () => {
      const status = await web.start({ ...plain, listen: 'localhost:0' });
      const { listen, configured_listen, effective_listen } = status;
      expect(listen).toMatch(/^127\.0\.0\.1:[1-9][0-9]*$/);
      expect([configured_listen, effective_listen]).toEqual([listen, listen]);
      expect(await web.stop('command')).toMatchObject({
        listen: '127.0.0.1:8080',
        configured_listen: 'localhost:0',
        effective_listen: null,
      });
    });

    it('remembers what was given also when another thread has taken it up', async () => {
      const { listen } = await web.start(plain);
      await web.stop('daemon_stop');
      await web.resume(changes.at(-1) ?? null, { onBegin: () => {}, onFailed: () => {} });
      expect(web.status().listen).toBe(listen);
      expect(await web.stop('command')).toMatchObject({ configured_listen: '127.0.0.1:0' });
    });

    it('takes no default for a configuration', async () => {
      memory = { ...memory, configuredListen: '127.0.0.1:9' };
      await web.start({ ...plain, listenGiven: false });
      expect(await web.stop('command')).toMatchObject({ configured_listen: '127.0.0.1:9' });
    });

    it('is forgotten by who would start it again, unless the whole daemon stops', async () => {
      await web.start(plain);
      await web.stop('daemon_stop');
      expect(changes).toHaveLength(1);
      await web.start(plain);
      await web.stop('command');
      expect(changes.at(-1)).toBeNull();
    });

    it('has let go of everything: clients, files and the port', async () => {
      const held = sandbox.heldDescriptors();
      const status = await web.start({ ...plain, webRoot: 'own' });
      expect(sandbox.heldDescriptors()).toBeGreaterThan(held);
      const client = new RawClient(portOf(status)).request('GET /');
      await client.response();
      await web.stop('command');
      await client.dismissed();
      // A file that was being sent is closed a moment after its last byte.
      await eventually(() => sandbox.heldDescriptors() === held);
      const next = await web.start({ ...plain, listen: status.listen });
      expect(next.listen).toBe(status.listen);
      expect(next.stream_epoch).not.toBe(status.stream_epoch);
    });

    it('has logged its life', async () => {
      const { listen } = await web.start(plain);
      await web.stop('command');
      expect(log()).toMatchObject([
        { event: 'lifecycle', name: 'starting' },
        { event: 'lifecycle', name: 'listening', listen, auth: 'none' },
        { event: 'lifecycle', name: 'stopping', reason: 'command' },
        { event: 'lifecycle', name: 'stopped', uptime_us: expect.any(Number) },
      ]);
    });
  });

  describe('starts and stops at the same time', () => {
    it('take turns: of two starts one succeeds and the other finds it running', async () => {
      const outcomes = await Promise.all([codeOf(web.start(plain)), codeOf(web.start(plain))]);
      expect(outcomes).toEqual(['started', 'already_running']);
      expect(changes).toHaveLength(1);
    });

    it('take turns: each finds what the one before has left', async () => {
      const outcomes = await Promise.all([
        codeOf(web.start({ ...plain, webRoot: 'absent' })),
        codeOf(web.start(plain)),
        web.stop('command').then(({ state }) => state),
        web.stop('command').then(({ state }) => state),
        codeOf(web.start({ ...plain, webRoot: 'own' })),
        codeOf(web.start(plain)),
      ]);
      expect(outcomes).toEqual([
        'file_not_found',
        'started',
        'stopped',
        'stopped',
        'started',
        'already_running',
      ]);
      expect(await get(portOf(web.status()))).toBe('own');
    });
  });

  describe('a start that fails', () => {
    const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

    type Failing = (port: number) => Partial<WebConfiguration>;

    const failing: [why: string, code: string, change: Failing][] = [
      ['the address is taken', 'address_in_use', (port) => ({ listen: `127.0.0.1:${port}` })],
      [
        'the address is not ours',
        'listen_failed',
        () => ({ listen: '192.0.2.1:80', token: 't', allowInsecureHttp: true }),
      ],
      ['the listener is not admitted', 'invalid_argument', () => ({ listen: '0.0.0.0:0' })],
      ['there is no such Web root', 'file_not_found', () => ({ webRoot: 'absent' })],
      ['the Web root lies outside', 'path_outside_project', () => ({ webRoot: '../outside' })],
      ['the log cannot be opened', 'file_unavailable', () => ({ logFile: 'absent/web.log' })],
    ];

    it.runIf(process.platform === 'linux').each(failing)(
      'leaves nothing open and nothing changed when %s',
      async (_, code, change) => {
        const configuration = { ...plain, ...change(await takenPort()) };
        // The first failure of its kind may load modules that stay open.
        await codeOf(web.start(configuration));
        const held = openDescriptors();
        const before = memory;
        for (let round = 0; round < 3; round++) {
          expect(await codeOf(web.start(configuration))).toBe(code);
        }
        // Descriptors that others in this process open briefly are closed again; a leak is not.
        await eventually(() => openDescriptors() <= held);
        expect(sandbox.heldDescriptors()).toBe(0);
        expect(web.status().state).toBe('stopped');
        expect(memory).toBe(before);
        expect(changes).toEqual([]);
        expect((await web.start(plain)).state).toBe('running');
      },
    );

    it('says so in the log that it had opened already', async () => {
      await codeOf(web.start({ ...plain, listen: `127.0.0.1:${await takenPort()}` }));
      expect(log()).toMatchObject([
        { event: 'lifecycle', name: 'starting' },
        { event: 'startup_error', level: 'error' },
      ]);
    });

    it('is one that its status knows of, also where it cannot be remembered', async () => {
      forget = true;
      const outcome = await web.start(plain).then(
        () => 'running',
        () => 'stopped',
      );
      expect(web.status().state).toBe(outcome);
      expect(changes).toHaveLength(outcome === 'running' ? 1 : 0);
    });
  });
});
