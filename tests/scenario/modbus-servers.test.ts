import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { patiently, portOf, serveHere, setUpWire, useDaemon } from '../support/modbus-rig.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually, setUpWorkbench } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { writeBench } from './support/bench-files.ts';
import { isRefused, takePort } from './support/ports.ts';

interface Served {
  readonly endpoint: string;
  readonly address: string;
  readonly state: string;
  readonly [field: string]: unknown;
}

describe('modbus serve, stop and status', () => {
  const bench = useDaemon();
  // The first test runs these commands as processes, whose start takes longer than the requests.
  const serve = (endpoint: string, unit = 1) =>
    bench().json<Served>('modbus', 'serve', `--endpoint=${endpoint}`, `--unit=${unit}`);
  const stop = (endpoint: string) =>
    bench().json<Served>('modbus', 'stop', `--endpoint=${endpoint}`);
  const call = (verb: string, endpoint: string, ...args: string[]) =>
    bench().json('modbus', verb, `--endpoint=${endpoint}`, patiently, ...args);

  it('tell the port that the system chose, and serve there', async () => {
    const asProcess = (verb: string, at: string, ...args: string[]) =>
      bench().json<Served>('modbus', verb, `--endpoint=${at}`, ...args);
    const served = await asProcess('serve', 'tcp:127.0.0.1:0', '--unit=17');
    expect(served).toMatchObject({
      endpoint: 'tcp:127.0.0.1:0',
      address: expect.stringMatching(/^tcp:127\.0\.0\.1:[1-9]\d*$/),
      unit: 17,
      state: 'listening',
      clients: 0,
      requests: 0,
    });
    const { address } = served;
    const register = ['--unit=17', '--reference=40001', patiently];
    await asProcess('write', address, ...register, '--value=1', '--value=2');
    await asProcess('read', address, ...register);
    // Immediately: an idle connection is closed after some seconds.
    const { servers } = await bench().json<{ servers: Served[] }>('modbus', 'status');
    expect(servers).toMatchObject([
      { address, unit: 17, clients: 1, requests: 2, requests_by_function: { 3: 1, 16: 1 } },
    ]);
    expect(await asProcess('stop', address)).toMatchObject({
      address,
      state: 'stopped',
      clients: 0,
      requests: 2,
    });
    expect(await isRefused(portOf(address))).toBe(true);
    const gone = await bench().failure('modbus', 'stop', `--endpoint=${address}`);
    expect(gone).toMatchObject({ exit: 1, code: 'server_not_found' });
    expect(await bench().json('modbus', 'status')).toMatchObject({ servers: [] });
  });

  it('stop a server on a chosen port by what it was started with, where that is one only', async () => {
    const endpoint = 'tcp:127.0.0.1:0';
    const { address } = await serve(endpoint);
    const other = await serve(endpoint);
    expect(await bench().failure('modbus', 'stop', `--endpoint=${endpoint}`)).toMatchObject({
      exit: 2,
      code: 'invalid_argument',
      details: { field: 'endpoint', addresses: [address, other.address] },
    });
    await stop(address);
    expect(await stop(endpoint)).toMatchObject({ address: other.address, state: 'stopped' });
    expect(await bench().failure('modbus', 'stop', `--endpoint=${endpoint}`)).toMatchObject({
      exit: 1,
      code: 'server_not_found',
    });
  });

  it('show what matters in a table for people', async () => {
    const { address } = await serve('tcp:127.0.0.1:0', 17);
    await call('read', address, '--unit=17', '--reference=40001');
    const { stdout } = await bench().ask(['modbus', 'status']);
    const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    const headsOf = (list: string): string[] => {
      const title = lines.findIndex(([word]) => word === list);
      return lines[title + 1] ?? [];
    };
    expect(headsOf('sessions').slice(0, 4)).toEqual(['endpoint', 'state', 'users', 'requests']);
    expect(headsOf('servers').slice(0, 4)).toEqual(['endpoint', 'address', 'units', 'state']);
    const rows = lines.filter((cells) => cells.includes(address)).map((cells) => cells.slice(0, 4));
    expect(rows).toEqual([
      [address, 'open', '0', '1'],
      [address, '17', 'healthy', '0'],
      ['tcp:127.0.0.1:0', address, '17', 'listening'],
    ]);
    expect(stdout).not.toContain('{');
    await stop(address);
  });

  it('forget what was written when the server stops', async () => {
    const { address } = await serve('tcp:127.0.0.1:0');
    await call('write', address, '--unit=1', '--reference=40001', '--value=7');
    await stop(address);
    await serve(address);
    expect(await call('read', address, '--unit=1', '--reference=40001')).toMatchObject({
      values: ['0'],
    });
    await stop(address);
  });

  it('have one server at each endpoint, whatever it is called, and many beside each other', async () => {
    const { address } = await serve('tcp:127.0.0.1:0');
    const other = await serve('tcp:127.0.0.1:0', 2);
    for (const name of [address, `tcp:localhost:${portOf(address)}`]) {
      const again = await bench().failure(...['modbus', 'serve', `--endpoint=${name}`, '--unit=2']);
      expect(again).toMatchObject({
        exit: 1,
        code: 'already_running',
        details: { server: { address, unit: 1 } },
      });
    }
    await call('write', address, '--unit=1', '--reference=40001', '--value=1');
    expect(await call('read', other.address, '--unit=2', '--reference=40001')).toMatchObject({
      values: ['0'],
    });
    expect(await stop(`tcp:localhost:${portOf(address)}`)).toMatchObject({ state: 'stopped' });
    await stop(other.address);
  });

  it('start one of two that ask for the same endpoint at once', async () => {
    const { address } = await serve('tcp:127.0.0.1:0');
    await stop(address);
    const asked = await Promise.all(
      [1, 2].map((unit) =>
        bench().run([
          ...['modbus', 'serve', `--endpoint=${address}`, `--unit=${unit}`, '--format=json'],
        ]),
      ),
    );
    expect(asked.map(({ code }) => code).sort()).toEqual([0, 1]);
    const { stderr } = asked.find(({ code }) => code === 1) ?? { stderr: '{}' };
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'already_running' });
    await stop(address);
  });

  it('say so where another program has the port', async () => {
    const port = await takePort();
    const taken = await bench().failure(
      ...['modbus', 'serve', `--endpoint=tcp:127.0.0.1:${port}`, '--unit=1'],
    );
    expect(taken).toMatchObject({
      exit: 1,
      code: 'modbus_unreachable',
      message: `Cannot listen on 127.0.0.1:${port}: the address is in use (EADDRINUSE)`,
      details: { reason: 'EADDRINUSE' },
    });
    expect(await bench().json('modbus', 'status')).toMatchObject({ servers: [] });
  });

  it('take networks of the bench', async () => {
    const { address } = await serve('tcp:127.0.0.1:0');
    await stop(address);
    const host = '127.0.0.1';
    writeBench(bench().project, { networks: { plc: { tcp: { host, port: portOf(address) } } } });
    await bench().json('modbus', 'serve', '--network=plc', '--unit=5');
    const write = ['modbus', 'write', '--network=plc', '--unit=5', '--reference=00001'];
    expect(await bench().json(...write, '--value=true', patiently)).toMatchObject({
      endpoint: address,
    });
    expect(await bench().json('modbus', 'stop', '--network=plc')).toMatchObject({
      address,
      unit: 5,
    });
    writeBench(bench().project, {});
  });

  it('end with the daemon, and so do polls', async () => {
    const own = setUpWorkbench();
    await own.json('daemon', 'start');
    const { address } = await own.json<Served>(
      ...['modbus', 'serve', '--endpoint=tcp:127.0.0.1:0', '--unit=1'],
    );
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const poll = runInBackground(
      own,
      ...['modbus', 'poll', `--endpoint=${endpoint}`, '--unit=1', '--reference=40001'],
      ...['--period-ms=10', patiently],
    );
    await poll.printed('stdout', '#1 ');
    expect(await isRefused(portOf(address))).toBe(false);
    await own.json('daemon', 'stop');
    expect(await isRefused(portOf(address))).toBe(true);
    expect(await poll.ended).toMatchObject({ code: 0, signal: null });
    expect(poll.stderr).toContain('end: the service shut down');
    const nobody = await own.failure('modbus', 'status');
    expect(nobody).toMatchObject({ exit: 3, code: 'daemon_unreachable' });
  });

  describe.runIf(hasPeer('/usr/bin/socat', 'socat'))('on a serial port', () => {
    it.each(['rtu', 'ascii'])('serve %s to our own client at the other end', async (kind) => {
      const wire = await setUpWire();
      const served = await serve(`${kind}:${wire.one}`, 247);
      expect(served).toMatchObject({ address: realpathSync(wire.one), state: 'listening' });
      const far = `${kind}:${wire.other}`;
      const items = ['--reference=40001', '--type=f64', '--order=CDAB'];
      await call('write', far, '--unit=247', ...items, '--value=2.5');
      expect(await call('read', far, '--unit=247', ...items)).toMatchObject({ values: ['2.5'] });
      const again = await bench().failure(
        ...['modbus', 'serve', `--endpoint=${kind}:${realpathSync(wire.one)}`, '--unit=1'],
      );
      expect(again).toMatchObject({ code: 'already_running' });
      expect(await stop(`${kind}:${wire.one}`)).toMatchObject({ requests: 2, state: 'stopped' });
    });

    it('say in the log that a port was lost, and stop its server by name', async () => {
      const wire = await setUpWire();
      const endpoint = `rtu:${wire.one}`;
      const named = (await serve(endpoint)).endpoint;
      await wire.cut();
      await eventually(() => bench().log.includes('modbus_server_lost'));
      const events = bench()
        .log.trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(events).toContainEqual(
        expect.objectContaining({
          event: 'modbus_server_lost',
          endpoint: named,
          error: expect.objectContaining({ code: 'modbus_unreachable' }),
        }),
      );
      const { servers } = await bench().json<{ servers: Served[] }>('modbus', 'status');
      expect(servers).toMatchObject([{ endpoint: named, state: 'lost' }]);
      expect(await stop(endpoint)).toMatchObject({ endpoint: named, state: 'stopped' });
    });

    it('leave nothing behind where one is stopped while it starts', async () => {
      const wire = await setUpWire();
      const endpoint = `rtu:${wire.one}`;
      for (let round = 0; round < 3; round++) {
        await Promise.all([
          bench().ask(['modbus', 'serve', `--endpoint=${endpoint}`, '--unit=1']),
          bench().ask(['modbus', 'stop', `--endpoint=${endpoint}`]),
        ]);
        // In any order: a running server can be stopped, and a stopped one can be started.
        const { servers } = await bench().json<{ servers: Served[] }>('modbus', 'status');
        expect(servers.map(({ state }) => state)).toEqual(servers.map(() => 'listening'));
        if (servers.length > 0) await stop(endpoint);
        expect(await serve(endpoint)).toMatchObject({ state: 'listening' });
        await stop(endpoint);
      }
    });
  });
});
