import { realpathSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { PtyPair } from '../../base/serial/testing/pty-pair.ts';
import { eventually } from '../../base/testing/eventually.ts';
import type { Bench } from '../../bench/bench-record.ts';
import { builtInBench } from '../../bench/built-in-bench.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { parseMap } from '../server/map/parse-map.ts';
import { RawClient } from '../server/testing/server-rig.ts';
import { defaultSettings } from '../transport/endpoint-text.ts';
import { systemResolver } from '../transport/resolve-endpoint.ts';
import { ModbusServers } from './modbus-servers.ts';

const bench = async (): Promise<never> => {
  throw new Error('No test here has a bench');
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const bySystem = systemResolver(new FakeClock());

/** A bench with these networks. */
const benchWith =
  (networks: Bench['networks']): BenchSource =>
  async () => ({ ...builtInBench, networks });

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
    readMap: async (file, kind) =>
      parseMap(file, new TextEncoder().encode(maps[file] ?? 'none'), kind),
    closeIdle: () => undefined,
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

const maps: Readonly<Record<string, string>> = {
  many: JSON.stringify({ units: Array.from({ length: 20 }, (_, unit) => ({ unit })) }),
  two: '{"units":[{"unit":1,"holding":[{"address":5,"values":[7]}]},{"unit":0}]}',
};

const portIn = (address: string | null): number => Number(address?.split(':').at(-1));

describe('ModbusServers with a map', () => {
  it('serve its units, and nothing beside what they have', async () => {
    const { servers } = setUp();
    const served = await servers.serve({ endpoint: anyPort, map: 'two' }, bench);
    expect(served).toMatchObject({ unit: null, units: [1, 0], map: 'two', state: 'listening' });
    const client = new RawClient(portIn(served.address));
    ends.push(() => client.leave());
    client.send('0001 0000 0006 01 03 0005 0001 0002 0000 0006 01 03 0005 0002');
    expect(await client.hears(20)).toBe('0001000000050103020007000200000003018302');
    client.send('0003 0000 0006 00 03 0000 0001');
    expect(await client.hears(9)).toBe('000300000003008302');
  });

  it('make many units over several turns, as a thread with deadlines makes them', async () => {
    const { servers, clock } = setUp();
    const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const serving = servers.serve({ endpoint: anyPort, map: 'many' }, bench);
    for (let tick = 0; tick < 20; tick++) await nextTick();
    // It waits for its next turn, which needs the clock.
    expect([clock.pendingTimers, servers.records()]).toEqual([1, []]);
    while (servers.records().length === 0) {
      clock.advanceUs(1);
      await nextTick();
    }
    expect((await serving).units).toHaveLength(20);
  });

  it('refuse a map that is none, or beside a unit, and serve nothing', async () => {
    const { servers } = setUp();
    const refused = (request: object) => servers.serve({ endpoint: anyPort, ...request }, bench);
    await expect(refused({ map: 'none' })).rejects.toMatchObject({ code: 'invalid_modbus_map' });
    // Over RTU there is no unit 0.
    await expect(refused({ endpoint: 'rtu-tcp:127.0.0.1:0', map: 'two' })).rejects.toMatchObject({
      details: { problems: [{ field: 'units[1].unit' }] },
    });
    await expect(refused({ map: 'two', unit: 1 })).rejects.toMatchObject({
      details: { field: 'unit', reason: 'exclusive' },
    });
    await expect(refused({})).rejects.toMatchObject({
      details: { field: 'unit', reason: 'missing' },
    });
    expect(servers.records()).toEqual([]);
  });
});

describe('ModbusServers by any name of the place', () => {
  it('stop one by another spelling of its address, also in another framing', async () => {
    const { serve, stop } = setUp();
    for (const name of ['tcp:localhost:', 'tcp:[::ffff:127.0.0.1]:', 'rtu-tcp:127.0.0.1:']) {
      const port = portIn((await serve(anyPort)).address);
      const endpoint = `${name}${port}`;
      expect(await stop(endpoint)).toMatchObject({ endpoint, state: 'stopped' });
    }
  });

  it('stop one that listens everywhere by any address of this machine, and by no other', async () => {
    const { serve, stop } = setUp();
    for (const name of ['tcp:127.0.0.1:', 'tcp:localhost:', 'tcp:0.0.0.0:', 'tcp:127.0.0.9:']) {
      const { address } = await serve('tcp:0.0.0.0:0');
      const port = portIn(address);
      await expect(stop(`tcp:192.0.2.7:${port}`)).rejects.toMatchObject({
        code: 'server_not_found',
      });
      await expect(stop(`tcp:[::1]:${port}`)).rejects.toMatchObject({ code: 'server_not_found' });
      expect(await stop(name + port)).toMatchObject({ address, state: 'stopped' });
    }
  });

  it('stop one by another spelling of a name whose port the system chose', async () => {
    const { serve, stop } = setUp();
    const { address } = await serve(anyPort);
    expect(await stop('tcp:localhost:0')).toMatchObject({ address, endpoint: 'tcp:localhost:0' });
  });

  it('stop one by its network, also when the bench no longer has it or has moved it', async () => {
    const { servers, serve, stop } = setUp();
    const free = async () => {
      const { address } = await serve(anyPort);
      await stop(`${address}`);
      return portIn(address);
    };
    const networkAt = (port: number) => benchWith({ plc: { tcp: { host: '127.0.0.1', port } } });
    for (const later of [
      (port: number) => networkAt(port),
      () => benchWith({}),
      (port: number) => networkAt(port === 1 ? 2 : 1),
    ]) {
      const port = await free();
      const named = { network: 'plc', endpoint: `tcp:127.0.0.1:${port}` };
      const request = { network: 'plc', unit: 1 };
      expect(await servers.serve(request, networkAt(port))).toMatchObject(named);
      expect(await servers.stop({ network: 'plc' }, later(port))).toMatchObject({
        network: 'plc',
        state: 'stopped',
      });
    }
    await expect(servers.stop({ network: 'plc' }, benchWith({}))).rejects.toMatchObject({
      details: { field: 'network', reason: 'unknown_network' },
    });
  });

  it('tell a server in the words of each who asks', async () => {
    const { servers, serve } = setUp();
    const { address } = await serve(anyPort);
    const port = portIn(address);
    const plc = benchWith({ plc: { tcp: { host: 'localhost', port } } });
    expect(await servers.stop({ network: 'plc' }, plc)).toMatchObject({
      network: 'plc',
      endpoint: `tcp:localhost:${port}`,
      address,
    });
  });
});

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
      message: expect.stringContaining('select one by its address'),
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

  /** A device that returns under another number: only its link changes. */
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
    // Opening the port takes longer than resolving its path.
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

  it('stop one by another path of its device, whatever the settings, also once it is gone', async () => {
    const pair = await setUpPair();
    const { serve, stop, states } = setUp();
    const device = realpathSync(pair.one);
    const spellings = [
      `rtu:${device}`,
      `ascii:${pair.one}:9600,8N1`,
      `rtu:${dirname(pair.one)}/./${basename(pair.one)}`,
    ];
    for (const endpoint of spellings) {
      await serve(`rtu:${pair.one}`);
      expect(await stop(endpoint)).toMatchObject({ endpoint, state: 'stopped' });
    }
    await serve(`rtu:${pair.one}:9600,8N1`);
    await pair.remove();
    await eventually(() => states().includes('lost'));
    expect(await stop(`rtu:${device}`)).toMatchObject({ state: 'stopped' });
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

  it('tells what a server holds, by no name where it is the only one', async () => {
    const { servers } = setUp();
    await expect(servers.registers({ count: 1, show: 'decimal' }, bench)).rejects.toMatchObject({
      code: 'server_not_found',
    });
    const { address } = await servers.serve({ endpoint: 'tcp:127.0.0.1:0', unit: 4 }, bench);
    expect(await servers.registers({ count: 2, show: 'decimal' }, bench)).toMatchObject({
      ...{ unit: 4, table: 'holding', address: 0, reference: '40001', values: ['0', '0'] },
      range_total: 4,
    });
    const coils = {
      endpoint: address ?? '',
      reference: '00008',
      unit: 4,
      count: 1,
      show: 'decimal',
    } as const;
    expect(await servers.registers(coils, bench)).toMatchObject({ address: 7, values: ['false'] });
    await expect(
      servers.registers({ unit: 5, count: 1, show: 'decimal' }, bench),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'unit', reason: 'unknown', units: [4] },
    });
    await servers.serve({ endpoint: 'tcp:127.0.0.1:0', unit: 4 }, bench);
    await expect(servers.registers({ count: 1, show: 'decimal' }, bench)).rejects.toMatchObject({
      details: { field: 'endpoint', reason: 'ambiguous' },
    });
  });
});
