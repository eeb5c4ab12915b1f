import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import { PtyPair } from '../../base/serial/testing/pty-pair.ts';
import { eventually } from '../../base/testing/eventually.ts';
import type { ExternalWrite } from '../../modbus/server/external-write.ts';
import type { RegisterMap } from '../../modbus/server/register-map.ts';
import { readRegisters, writeRegisters } from '../../modbus/server/testing/held-data.ts';
import { RawClient } from '../../modbus/server/testing/server-rig.ts';
import { ModbusServers } from '../../modbus/service/modbus-servers.ts';
import { fakeScheduler } from '../../modbus/session/testing/session-rig.ts';
import { parseEndpoint } from '../../modbus/transport/endpoint-text.ts';
import { endpointText } from '../../modbus/transport/notation/endpoint-notation.ts';
import { systemResolver } from '../../modbus/transport/resolve-endpoint.ts';
import { ServerLink } from './server-link.ts';

const bench = async (): Promise<never> => {
  throw new Error('No test here has a bench');
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const map: RegisterMap = [
  { table: 'holding', address: 0, count: 2, writable: true },
  { table: 'input', address: 5, count: 1 },
];

const setUp = () => {
  const clock = new FakeClock();
  const defects: unknown[] = [];
  const servers = new ModbusServers({
    clock,
    scheduler: fakeScheduler(clock),
    capacity: 4,
    readMap: async () => [],
    closeIdle: () => undefined,
    onLost: () => undefined,
    onFound: () => undefined,
    onDefect: (thrown) => void defects.push(thrown),
  });
  ends.push(async () => {
    await servers.close();
    expect(defects).toEqual([]);
  });
  const reported: unknown[] = [];
  const link = async (
    text: string,
    instance = 'plant',
    more: Partial<{ map: RegisterMap }> = {},
  ) => {
    const endpoint = parseEndpoint(text, { listens: true });
    const place = {
      endpoint,
      named: { network: 'field', endpoint: endpointText(endpoint) },
      resolved: await systemResolver(clock)(endpoint),
      unit: 7,
      tuning: {},
    };
    const parts = { servers, turns: new YieldQueue(), instance, place, map, ...more };
    return ServerLink.prepare(parts, {
      check: (write: ExternalWrite) => (write.address === 1 ? 3 : undefined),
      written: ({ table, address, count }: ExternalWrite) => reported.push([table, address, count]),
      serverLost: (error) => reported.push(error),
      serverFound: () => reported.push('found'),
    });
  };
  return { clock, servers, told: reported, link };
};

const anyPort = 'tcp:127.0.0.1:0';
const portOf = (text: string): number => Number(text.split(':').at(-1));

const refusalOf = (promise: Promise<unknown>): Promise<BusbarError> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (thrown: BusbarError) => thrown,
  );

describe('a server endpoint of an instance', () => {
  it('serves what its memory has, and asks its owner about writes', async () => {
    const { link, told: reported } = setUp();
    const server = await link(anyPort);
    writeRegisters(server.model, 'input', 5, Uint16Array.of(0x1234));
    expect(server.state()).toEqual({ connected: false, error: null });
    await server.listen();
    expect(server.state()).toEqual({ connected: true, error: null });
    expect(server.resolved).toMatch(/^tcp:127\.0\.0\.1:[1-9]\d*$/);
    const client = new RawClient(portOf(server.resolved));
    ends.push(() => client.leave());
    client.send('0001 0000 0006 07 04 0005 0001 0002 0000 0006 07 04 0005 0002');
    expect(await client.hears(20)).toBe('0001000000050704021234000200000003078402');
    client.send('0003 0000 0006 07 06 0000 0009 0004 0000 0006 07 06 0001 0009');
    expect(await client.hears(21)).toBe('000300000006070600000009000400000003078603');
    expect(reported).toEqual([['holding', 0, 1]]);
    expect([...readRegisters(server.model, 'holding', 0, 2)]).toEqual([9, 0]);
    await server.close();
    await eventually(() => client.isClosed);
    expect(server.state()).toEqual({ connected: false, error: null });
  });

  it('is listed with its instance, and ends with it alone', async () => {
    const { link, servers } = setUp();
    const server = await link(anyPort);
    await server.listen();
    const endpoint = server.resolved;
    expect(servers.records()).toMatchObject([
      { instance: 'plant', network: 'field', address: endpoint, units: [7], map: null },
    ]);
    const { code, message, details } = await refusalOf(servers.stop({ endpoint }, bench));
    expect([code, details.instance]).toEqual(['busy', 'plant']);
    expect(message).toContain('gateway instance plant');
    expect(servers.records()).toHaveLength(1);
    await server.close();
    expect(servers.records()).toEqual([]);
    // The place is free again.
    await expect(servers.serve({ endpoint, unit: 1 }, bench)).resolves.toMatchObject({
      instance: null,
    });
  });

  it('has the place for itself, beside modbus serve', async () => {
    const { link, servers } = setUp();
    const server = await link(anyPort);
    await server.listen();
    const taken = { endpoint: server.resolved, unit: 1 };
    expect((await refusalOf(servers.serve(taken, bench))).code).toBe('already_running');
    await server.close();
    await servers.serve(taken, bench);
    const late = await link(taken.endpoint, 'late');
    const { code, details } = await refusalOf(late.listen());
    expect([code, details]).toEqual([
      'output_conflict',
      {
        instance: 'late',
        conflicts: [
          {
            task: null,
            owner: { instance: null, task: null },
            endpoint: taken.endpoint,
            unit: 7,
            table: null,
            address: null,
            count: null,
          },
        ],
        total: 1,
      },
    ]);
    expect(late.state()).toEqual({ connected: false, error: null });
    await late.close();
  });

  it('fails to start where the port is taken, or the device is missing', async () => {
    const { link } = setUp();
    const other = setUp();
    const server = await link(anyPort);
    await server.listen();
    const same = await other.link(server.resolved);
    expect((await refusalOf(same.listen())).code).toBe('modbus_unreachable');
    expect(other.servers.records()).toEqual([]);
    expect((await refusalOf(link('rtu:/dev/busbar-none'))).code).toBe('modbus_unreachable');
  });

  it('makes a large memory over several turns', async () => {
    const { link } = setUp();
    const ranges = Array.from({ length: 20_000 }, (_, index) => ({
      table: 'holding' as const,
      address: 3 * index,
      count: 1,
    }));
    let isMade = false;
    const making = link(anyPort, 'plant', { map: ranges }).then((server) => {
      isMade = true;
      return server;
    });
    let turns = 0;
    await eventually(() => {
      turns += 1;
      return isMade;
    });
    expect(turns).toBeGreaterThan(10);
    const { model } = await making;
    expect(model.access.holding.readable.covers(3 * 19_999, 1)).toBe(true);
    expect(model.access.holding.readable.covers(1, 1)).toBe(false);
  });

  it('tells when its serial port is lost and back, and keeps the place meanwhile', async () => {
    const { link, servers, told: reported, clock } = setUp();
    const [first, second] = [await PtyPair.create(), await PtyPair.create()];
    ends.push(
      () => first.remove(),
      () => second.remove(),
    );
    const device = join(first.folder, 'device');
    symlinkSync(first.one, device);
    const endpoint = `rtu:${device}:19200,8E1`;
    const server = await link(endpoint);
    await server.listen();
    expect(server.state()).toEqual({ connected: true, error: null });
    await first.cut();
    await eventually(() => reported.length > 0);
    expect(reported).toEqual(['device_lost']);
    expect(server.state()).toEqual({ connected: false, error: 'device_lost' });
    unlinkSync(device);
    symlinkSync(second.one, device);
    const refusal = await refusalOf(servers.serve({ endpoint, unit: 1 }, bench));
    expect(refusal.code).toBe('already_running');
    await eventually(() => {
      clock.advanceUs(100_000);
      return reported.length > 1;
    });
    expect(reported).toEqual(['device_lost', 'found']);
    expect(server.state()).toEqual({ connected: true, error: null });
    await server.close();
  });
});
