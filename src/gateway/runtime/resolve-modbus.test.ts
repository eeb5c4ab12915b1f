import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Bench } from '../../bench/bench-record.ts';
import { builtInBench } from '../../bench/built-in-bench.ts';
import { PollService } from '../../modbus/client/poll-service.ts';
import { ModbusLinks } from '../../modbus/service/modbus-links.ts';
import { SessionPool } from '../../modbus/session/session-pool.ts';
import { ScriptedTransport } from '../../modbus/session/testing/scripted-transport.ts';
import { fakeScheduler } from '../../modbus/session/testing/session-rig.ts';
import { type NameSources, resolveEndpoint } from '../../modbus/transport/resolve-endpoint.ts';
import { unreachable } from '../../modbus/transport/unreachable.ts';
import { rule } from '../engine/testing/rules.ts';
import { forEndpoint, type ProjectEndpoint, resolveModbus } from './resolve-modbus.ts';

const line = (port: string, baudRate = 9600) => ({
  serial: {
    port,
    framing: 'rtu',
    baud_rate: baudRate,
    data_bits: 8,
    parity: 'none',
    stop_bits: 1,
    units: { '9': { late_ms: 50 } },
  } as const,
});

const networks: Bench['networks'] = {
  plc: { tcp: { host: 'plc.local', port: 502 } },
  converter: { tcp: { host: '10.0.0.1', port: 4001, framing: 'rtu' } },
  gone: { tcp: { host: 'nowhere', port: 502 } },
  field: line('/dev/ttyS0'),
  alias: line('/dev/alias'),
  fast: line('/dev/alias', 115_200),
  missing: line('/dev/none'),
  engine: { channel: 'SIM00001/0' },
};

const names: NameSources = {
  addressesOf: async (host) => (host === 'nowhere' ? [] : [{ address: '10.0.0.1', family: 4 }]),
  realPath: async (path) => {
    if (path === '/dev/none') throw unreachable(path, 'ENOENT');
    return path.replace('/dev/alias', '/dev/ttyS0');
  },
  deviceNumber: async (path) => path.length,
};

const setUp = () => {
  const clock = new FakeClock();
  const scheduler = fakeScheduler(clock);
  const pool = new SessionPool({
    clock,
    scheduler,
    resolve: (endpoint) => resolveEndpoint(endpoint, names),
    transportTo: ({ kind, text }) => new ScriptedTransport(kind, text),
  });
  const links = new ModbusLinks(pool, new PollService({ clock, scheduler, pool }));
  const bench = async () => ({ ...builtInBench, networks });
  const resolve = (network: string, node = 1) =>
    resolveModbus({ id: 'pump', network, node }, bench, links);
  return { links, resolve };
};

const refusalOf = async (promise: Promise<unknown>) => {
  const { code, message, details } = await promise.then(
    () => Promise.reject(new Error('was not refused')),
    (thrown: BusbarError) => thrown,
  );
  return { code, message, details };
};

describe('the Modbus endpoints of a project', () => {
  it(rule('one device', 'are what the bench says, with fixed addresses'), async () => {
    const { resolve } = setUp();
    expect(await resolve('plc', 0)).toMatchObject({
      unit: 0,
      named: { network: 'plc', endpoint: 'tcp:plc.local:502' },
      resolved: { kind: 'tcp', address: '10.0.0.1', port: 502, key: 'tcp:10.0.0.1:502' },
    });
    expect(await resolve('alias', 9)).toMatchObject({
      unit: 9,
      tuning: { lateMs: 50 },
      named: { endpoint: 'rtu:/dev/alias:9600,8N1' },
      resolved: { path: '/dev/ttyS0' },
    });
    expect((await resolve('alias')).resolved.key).toBe((await resolve('field')).resolved.key);
  });

  it(
    rule('unresolved addresses', 'are refused by their names where the bench has nothing for them'),
    async () => {
      const { resolve } = setUp();
      expect(await refusalOf(resolve('unheard-of'))).toMatchObject({
        code: 'network_unbound',
        message: 'pump: unheard-of is not a network of the bench',
        details: { endpoint: 'pump', network: 'unheard-of' },
      });
      expect(await refusalOf(resolve('engine'))).toMatchObject({
        code: 'invalid_argument',
        message: 'pump: engine is bound to the channel SIM00001/0 and is not a Modbus network',
        details: { endpoint: 'pump', network: 'engine', project_field: 'network' },
      });
      for (const network of ['gone', 'missing']) {
        const { code, message, details } = await refusalOf(resolve(network));
        expect([code, details.endpoint, details.network]).toEqual([
          'modbus_unreachable',
          'pump',
          network,
        ]);
        expect(message).toMatch(/^pump: /);
      }
    },
  );

  it.each([
    ['plc', [], [0, 1, 247, 248, 255]],
    ['converter', [0, 248, 255], [1, 247]],
    ['field', [0, 248, 255], [1, 247]],
  ])('have units that the network %s can have', async (network, refused, accepted) => {
    const { resolve } = setUp();
    for (const node of refused) {
      const { details, ...refusal } = await refusalOf(resolve(network, node));
      expect(refusal).toEqual({
        code: 'invalid_argument',
        message: `pump: node is ${node}; units of this network are 1 to 247`,
      });
      expect(details).toEqual({
        ...{ project_field: 'node', endpoint: 'pump', network },
        ...{ reason: 'range', minimum: 1, maximum: 247 },
      });
    }
    for (const node of accepted) expect((await resolve(network, node)).unit).toBe(node);
  });

  it(
    rule('agreeing settings', 'are refused where others use the line with other settings'),
    async () => {
      const { links, resolve } = setUp();
      const lease = links.lease((await resolve('field')).resolved);
      const fast: ProjectEndpoint = { id: 'drive', network: 'fast', node: 1 };
      const place = await resolve('fast');
      expect(await refusalOf(forEndpoint(fast, () => links.lease(place.resolved)))).toMatchObject({
        code: 'invalid_argument',
        details: { field: 'baud_rate', endpoint: 'drive', reason: 'mismatch' },
      });
      lease.release();
      expect(links.lease(place.resolved).session.kind).toBe('rtu');
    },
  );
});
