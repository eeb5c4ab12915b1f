import { realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/fake-clock.ts';
import { FakeAlarm } from '../../base/schedule/fake-alarm.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { RawClient } from '../../modbus/server/testing/server-rig.ts';
import { defaultSettings } from '../../modbus/transport/endpoint-text.ts';
import { systemResolver } from '../../modbus/transport/resolve-endpoint.ts';
import { PtyPair } from '../../modbus/transport/testing/pty-pair.ts';
import { ModbusServers } from './modbus-servers.ts';

const bench = async (): Promise<never> => {
  throw new Error('No test here has a bench');
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const bySystem = systemResolver(new FakeClock());

const setUp = (resolve = bySystem) => {
  const clock = new FakeClock();
  const defects: unknown[] = [];
  const lost: [endpoint: string, code: string | undefined][] = [];
  const found: string[] = [];
  const onDefect = (thrown: unknown): void => void defects.push(thrown);
  const scheduler = new Scheduler({ clock, alarm: new FakeAlarm(clock), onError: onDefect });
  const servers = new ModbusServers({
    clock,
    scheduler,
    capacity: 3,
    readMap: async () => [],
    letGo: () => undefined,
    onLost: (endpoint, error) => void lost.push([endpoint, error?.code]),
    onFound: (endpoint) => void found.push(endpoint),
    onDefect,
    resolve,
  });
  ends.push(async () => {
    await servers.close();
    expect(defects).toEqual([]);
  });
  return {
    clock,
    lost,
    found,
    servers,
    serve: (endpoint: string, unit = 1) => servers.serve({ endpoint, unit }, bench),
    stop: (endpoint: string) => servers.stop({ endpoint }, bench),
    states: () => servers.records().map(({ state }) => state),
  };
};

const anyPort = 'tcp:127.0.0.1:0';

describe('ModbusServers over TCP', () => {
  it('stop one on a chosen port by the endpoint that it was started with', async () => {
    const { serve, stop, servers } = setUp();
    const { address } = await serve(anyPort);
    expect(await stop(anyPort)).toMatchObject({ endpoint: anyPort, address, state: 'stopped' });
    expect(servers.records()).toEqual([]);
    await expect(stop(anyPort)).rejects.toMatchObject({ code: 'server_not_found' });
  });

  it('stop one on a chosen port by its address, and ask for that where there are several', async () => {
    const { serve, stop } = setUp();
    const [one, other] = [await serve(anyPort), await serve(anyPort)];
    await expect(stop(anyPort)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('name one by its address'),
      details: {
        field: 'endpoint',
        reason: 'ambiguous',
        addresses: [one.address, other.address],
      },
    });
    expect(await stop(`${one.address}`)).toMatchObject({ address: one.address });
    expect(await stop(anyPort)).toMatchObject({ address: other.address });
  });

  it('do not serve what was stopped before it was served', async () => {
    const { serve, stop, servers } = setUp();
    const { address } = await serve(anyPort);
    await stop(anyPort);
    const endpoint = `${address}`;
    const serving = expect(serve(endpoint)).rejects.toMatchObject({ code: 'operation_cancelled' });
    expect(await stop(endpoint)).toMatchObject({ state: 'stopped' });
    await serving;
    expect(servers.records()).toEqual([]);
    expect(await serve(endpoint)).toMatchObject({ state: 'listening' });
  });

  it('refuse a unit before they look the endpoint up', async () => {
    const { serve } = setUp(() => {
      throw new Error('Looked up');
    });
    await expect(serve('rtu:/dev/nope', 248)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'unit' },
    });
  });

  it('have no more than they may', async () => {
    const { serve } = setUp();
    for (let i = 0; i < 3; i++) await serve(anyPort);
    await expect(serve(anyPort)).rejects.toMatchObject({ code: 'capacity_exceeded' });
  });

  it('close clients that were silent for an hour', async () => {
    const { clock, serve, servers } = setUp();
    const { address } = await serve(anyPort);
    const client = new RawClient(Number(address?.split(':').at(-1)));
    ends.push(() => client.leave());
    client.send('0001 0000 0006 01 03 0000 0001');
    await client.hears(11);
    clock.advanceUs(3_600_000_000);
    expect(servers.records()).toMatchObject([{ clients: 1, clients_timed_out: 0 }]);
    clock.advanceUs(15_000_000);
    await client.closes();
    expect(servers.records()).toMatchObject([{ clients: 0, clients_timed_out: 1 }]);
  });
});

describe.runIf(process.platform === 'linux')('ModbusServers on serial ports', () => {
  const setUpPair = async (): Promise<PtyPair> => {
    const pair = await PtyPair.create();
    ends.push(() => pair.remove());
    return pair;
  };

  /** A device that comes back under another number: all that changes is where its name leads. */
  const setUpDevice = async () => {
    const pairs = [await setUpPair(), await setUpPair()];
    let at = 0;
    const rig = setUp((endpoint) => {
      const device = pairs[at]?.one ?? '';
      return 'device' in endpoint && endpoint.device === '/dev/meter'
        ? bySystem({ ...endpoint, device })
        : bySystem(endpoint);
    });
    const replug = async (): Promise<void> => {
      await pairs[at]?.cut();
      await eventually(() => rig.states().includes('lost'));
      at += 1;
    };
    return { ...rig, replug, device: () => pairs[at]?.one ?? '' };
  };

  it('do not serve what was stopped before it was served, and can serve it later', async () => {
    const pair = await setUpPair();
    const endpoint = `rtu:${pair.one}`;
    const settings = defaultSettings.rtu;
    const known = await bySystem({ kind: 'rtu', device: pair.one, settings });
    // Opening the port takes longer than being told where it is.
    const { serve, stop, servers } = setUp(async () => known);
    const serving = expect(serve(endpoint)).rejects.toMatchObject({ code: 'operation_cancelled' });
    expect(await stop(endpoint)).toMatchObject({ state: 'stopped' });
    await serving;
    expect(servers.records()).toEqual([]);
    expect(await serve(endpoint)).toMatchObject({ state: 'listening' });
  });

  it('tell when a port is lost', async () => {
    const pair = await setUpPair();
    const { lost, serve, states } = setUp();
    const { endpoint } = await serve(`rtu:${pair.one}`);
    await pair.cut();
    await eventually(() => lost.length > 0);
    expect(lost).toEqual([[endpoint, 'modbus_unreachable']]);
    expect(states()).toEqual(['lost']);
  });

  it('serve again as soon as the name leads to a port, even if it is another one', async () => {
    const [first, second] = [await setUpPair(), await setUpPair()];
    const alias = join(first.folder, 'alias');
    symlinkSync(first.one, alias);
    const { clock, lost, found, serve, servers, states } = setUp();
    const { endpoint } = await serve(`rtu:${alias}`);
    await first.cut();
    await eventually(() => lost.length > 0);
    rmSync(alias);
    symlinkSync(second.one, alias);
    expect(states()).toEqual(['lost']);
    await eventually(() => {
      clock.advanceUs(1_000_000);
      return found.length > 0;
    });
    const address = realpathSync(second.one);
    expect(servers.records()).toMatchObject([{ endpoint, address, state: 'listening' }]);
    await expect(serve(`rtu:${second.one}`)).rejects.toMatchObject({ code: 'already_running' });
  });

  it('replace a lost server when its name is served again', async () => {
    const { replug, serve, states } = await setUpDevice();
    await serve('rtu:/dev/meter');
    await replug();
    expect(await serve('rtu:/dev/meter')).toMatchObject({ state: 'listening' });
    expect(states()).toEqual(['listening']);
  });

  it('stop the one that serves rather than a lost one of the same name', async () => {
    const { replug, device, serve, stop, states } = await setUpDevice();
    await serve('rtu:/dev/meter', 1);
    await replug();
    await serve(`rtu:${device()}`, 2);
    expect(states()).toEqual(['lost', 'listening']);
    expect(await stop('rtu:/dev/meter')).toMatchObject({ unit: 2, state: 'stopped' });
    expect(await stop('rtu:/dev/meter')).toMatchObject({ unit: 1, state: 'stopped' });
    expect(states()).toEqual([]);
  });

  it('stop a lost one whose device is gone by its name', async () => {
    const pair = await setUpPair();
    const { serve, stop, states } = setUp();
    await serve(`ascii:${pair.one}`);
    await pair.remove();
    await eventually(() => states().includes('lost'));
    expect(await stop(`ascii:${pair.one}`)).toMatchObject({ state: 'stopped' });
    await expect(stop(`ascii:${pair.one}`)).rejects.toMatchObject({ code: 'modbus_unreachable' });
  });
});
