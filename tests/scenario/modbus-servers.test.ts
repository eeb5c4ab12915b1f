import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { portOf, serveHere, setUpWire, useDaemon } from '../support/modbus-rig.ts';
import { hasPeer } from '../support/peers.ts';
import { setUpWorkbench } from '../support/workbench.ts';
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
  const serve = (endpoint: string, unit = 1) =>
    bench().json<Served>('modbus', 'serve', `--endpoint=${endpoint}`, `--unit=${unit}`);
  const stop = (endpoint: string) =>
    bench().json<Served>('modbus', 'stop', `--endpoint=${endpoint}`);
  const call = (verb: string, endpoint: string, ...args: string[]) =>
    bench().json('modbus', verb, `--endpoint=${endpoint}`, ...args);

  it('tell the port that the system chose, and serve there', async () => {
    const served = await serve('tcp:127.0.0.1:0', 17);
    expect(served).toMatchObject({
      endpoint: 'tcp:127.0.0.1:0',
      address: expect.stringMatching(/^tcp:127\.0\.0\.1:[1-9]\d*$/),
      unit: 17,
      state: 'listening',
      clients: 0,
      requests: 0,
    });
    const { address } = served;
    await call('write', address, '--unit=17', '--reference=40001', '--value=1', '--value=2');
    await call('read', address, '--unit=17', '--reference=40001');
    const { servers } = await bench().json<{ servers: Served[] }>('modbus', 'status');
    expect(servers).toMatchObject([
      { address, unit: 17, clients: 1, requests: 2, requests_by_function: { 3: 1, 16: 1 } },
    ]);
    expect(await stop(address)).toMatchObject({
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

  it('say so where somebody else has the port', async () => {
    const port = await takePort();
    const taken = await bench().failure(
      ...['modbus', 'serve', `--endpoint=tcp:127.0.0.1:${port}`, '--unit=1'],
    );
    expect(taken).toMatchObject({
      exit: 1,
      code: 'modbus_unreachable',
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
    expect(await bench().json(...write, '--value=true')).toMatchObject({ endpoint: address });
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
      '--period-ms=10',
    );
    await poll.printed('stdout', '#1 ');
    expect(await isRefused(portOf(address))).toBe(false);
    await own.json('daemon', 'stop');
    expect(await isRefused(portOf(address))).toBe(true);
    expect(await poll.ended).toMatchObject({ code: 0, signal: null });
    await poll.printed('stderr', 'end: the service shut down');
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
      // Nobody answers what is meant for all, but everybody does it.
      await call('write', far, '--unit=0', '--reference=40009', '--value=3');
      expect(await call('read', far, '--unit=247', '--reference=40009')).toMatchObject({
        values: ['3'],
      });
      expect(await stop(`${kind}:${wire.one}`)).toMatchObject({ broadcasts: 1, state: 'stopped' });
    });
  });
});
