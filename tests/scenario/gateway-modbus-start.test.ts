import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Rows, relayProject } from '../../src/gateway/engine/testing/relay-project.ts';
import { rule } from '../../src/gateway/engine/testing/rules.ts';
import { portOf, serveFromDaemon, serveHere, setUpWire } from '../support/modbus-rig.ts';
import { hasPeer } from '../support/peers.ts';
import { refusedOverHttp } from './support/channel-bench.ts';
import { shareGatewayBench, tcpNetwork } from './support/gateway-bench.ts';
import { modbusProject, panel, pump } from './support/modbus-project.ts';
import { findFreePort, isRefused, takePort } from './support/ports.ts';
import type { Answered } from './support/transmit-bench.ts';

const bench = shareGatewayBench();

/** The error with which the start of a project fails; the instance is unchanged. */
const refusedStart = async (...rows: readonly Rows[]) => {
  await bench.load('refused', modbusProject(...rows));
  const { status, code, details } = refusedOverHttp(await bench.tryStart('refused'));
  expect(await bench.instance('refused')).toMatchObject({ state: 'loaded', accepted: 0 });
  await bench.unload('refused');
  return { status, code, ...details };
};

/** Servers, and sessions in use; idle ones are only remembered. */
const modbusInUse = async () => {
  const { servers, sessions } = await bench.status('modbus');
  return { servers, sessions: sessions.filter(({ users }: Answered) => users > 0) };
};
const nothing = { servers: [], sessions: [] };

const node = (id: string, number: number): Rows => ({ endpoints: [{ id, node: number }] });
const network = (id: string, name: string): Rows => ({ endpoints: [{ id, network: name }] });
const server = (id: string, name: string, unit: number): Rows => ({
  endpoints: [{ id, kind: 'modbus', role: 'server', network: name, node: unit }],
});

const notModbus = { reason: 'not_modbus' };

describe('a start on Modbus', () => {
  it('is refused where the bench has no such Modbus network', async () => {
    bench.useNetworks({ unknown: tcpNetwork(502, 'host.invalid') });
    for (const [rows, endpoint] of [
      [pump, 'pump'],
      [panel, 'panel'],
    ] as const) {
      for (const [name, refusal] of [
        ['nowhere', { status: 409, code: 'network_unbound' }],
        ['in', { status: 400, code: 'invalid_argument', project_field: 'network', ...notModbus }],
        ['unknown', { status: 502, code: 'modbus_unreachable' }],
      ] as const) {
        expect(await refusedStart(rows, network(endpoint, name))).toMatchObject({
          ...refusal,
          endpoint,
          network: name,
        });
      }
    }
    expect(await modbusInUse()).toEqual(nothing);
  });

  it('is refused where the port of a server is taken, and lets go of all others', async () => {
    const free = await findFreePort();
    const taken = await takePort();
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    bench.useNetworks({
      line: tcpNetwork(portOf(endpoint)),
      panel: tcpNetwork(free),
      second: tcpNetwork(taken),
    });
    expect(await refusedStart(pump, panel, server('second', 'second', 1))).toMatchObject({
      status: 502,
      code: 'modbus_unreachable',
      endpoint: 'second',
      network: 'second',
    });
    expect(await isRefused(free)).toBe(true);
    expect(await modbusInUse()).toEqual(nothing);
    // Its outputs have no owner either.
    await bench.runProject('next', modbusProject(pump, panel));
    await bench.clear('next');
  });

  it(
    rule('unit ids', 'is refused where a unit cannot be on the line, which TCP allows'),
    async () => {
      const port = await findFreePort();
      bench.useNetworks({
        panel: { serial: { port: '/dev/null', framing: 'rtu' } },
        line: { tcp: { host: '127.0.0.1', port, framing: 'rtu' } },
      });
      for (const [rows, endpoint] of [
        [pump, 'pump'],
        [panel, 'panel'],
      ] as const) {
        for (const number of [0, 248, 255]) {
          expect(await refusedStart(rows, node(endpoint, number))).toMatchObject({
            status: 400,
            code: 'invalid_argument',
            project_field: 'node',
            minimum: 1,
            maximum: 247,
            endpoint,
          });
        }
      }
      bench.useNetworks({ panel: tcpNetwork(port) });
      for (const number of [0, 255]) {
        await bench.runProject('edge', modbusProject(panel, node('panel', number)));
        expect(await modbusInUse()).toMatchObject({ servers: [{ instance: 'edge' }] });
        await bench.clear('edge');
      }
      expect(await modbusInUse()).toEqual(nothing);
    },
  );

  it(
    rule('word owner', 'is refused where another instance writes a word, by whatever name'),
    async () => {
      const { endpoint } = await serveHere('tcp:127.0.0.1:0');
      const port = portOf(endpoint);
      bench.useNetworks({ line: tcpNetwork(port), alias: tcpNetwork(port, 'localhost') });
      await bench.runProject('owner', modbusProject(pump));
      const conflict = { unit: 1, table: 'holding', address: 1, count: 1 };
      const owner = { instance: 'owner', task: 'Drive' };
      const wide: Rows = {
        codecs: [{ id: 'u16', bit_length: 64, word_order: 'ABCD' }],
        modbus_resources: [
          { id: 'w.speed', address: 0, count: 4 },
          { id: 'p.level', count: 4 },
        ],
      };
      const bit: Rows = {
        codecs: [{ id: 'bit', kind: 'linear', raw: 'bool' }],
        signals: [{ id: 'speed', type: 'bool' }],
        modbus_resources: [{ id: 'w.speed', bit_offset: 3 }],
        bindings: [{ id: 'speed.tx', codec: 'bit' }],
      };
      for (const rows of [{}, wide, bit]) {
        expect(await refusedStart(pump, rows)).toMatchObject({
          status: 409,
          code: 'output_conflict',
          conflicts: [{ task: 'Drive', owner, endpoint, ...conflict }],
        });
        expect(await refusedStart(pump, rows, network('pump', 'alias'))).toMatchObject({
          conflicts: [{ task: 'Drive', owner, endpoint: `tcp:localhost:${port}`, ...conflict }],
        });
      }
      // Both write other words, and the same words of another unit; both poll everything.
      for (const rows of [
        { modbus_resources: [{ id: 'w.speed', address: 2 }] },
        { endpoints: [{ id: 'pump', node: 2 }] },
      ]) {
        await bench.runProject('beside', modbusProject(pump, rows));
        await bench.clear('beside');
      }
      expect(await bench.instance('owner')).toMatchObject({ state: 'running', failed: 0 });
      await bench.clear('owner');
      await bench.runProject('refused', modbusProject(pump, wide));
      await bench.clear('refused');
    },
  );

  it('is refused where two of its own tasks write a word', async () => {
    const port = await findFreePort();
    bench.useNetworks({ line: tcpNetwork(port), alias: tcpNetwork(port, 'localhost') });
    const twin: Rows = {
      endpoints: [{ id: 'twin', kind: 'modbus', role: 'client', network: 'alias', node: 1 }],
      modbus_resources: [
        { id: 'w.twin', endpoint: 'twin', table: 'holding', address: 1, access: 'write' },
      ],
      bindings: [
        { id: 'twin.tx', signal: 'speed', direction: 'tx', resource: 'w.twin', codec: 'u16' },
      ],
      tx_tasks: [{ id: 'Twin', resources: ['w.twin'], policy: 'on_change' }],
    };
    expect(await refusedStart(pump, twin)).toMatchObject({
      status: 409,
      code: 'output_conflict',
      conflicts: [
        {
          task: 'Twin',
          owner: { instance: 'refused', task: 'Drive' },
          endpoint: `tcp:localhost:${port}`,
          unit: 1,
          table: 'holding',
          address: 1,
          count: 1,
        },
      ],
    });
    expect(await modbusInUse()).toEqual(nothing);
    await bench.runProject('single', modbusProject(pump));
    await bench.clear('single');
  });

  it(
    rule('one unit a server', 'is refused where another server has its place, its own or not'),
    async () => {
      const port = await findFreePort();
      bench.useNetworks({ panel: tcpNetwork(port), alias: tcpNetwork(port, 'localhost') });
      const place = { unit: 2, table: null, address: null, count: null };
      expect(await refusedStart(panel, server('second', 'alias', 2))).toMatchObject({
        status: 409,
        code: 'output_conflict',
        conflicts: [
          {
            task: null,
            owner: { instance: 'refused', task: null },
            endpoint: `tcp:localhost:${port}`,
            ...place,
          },
        ],
      });
      expect(await isRefused(port)).toBe(true);
      await bench.runProject('owner', modbusProject(panel));
      expect(await refusedStart(panel, node('panel', 2))).toMatchObject({
        status: 409,
        code: 'output_conflict',
        conflicts: [
          {
            task: null,
            owner: { instance: 'owner', task: null },
            endpoint: `tcp:127.0.0.1:${port}`,
            ...place,
          },
        ],
      });
      expect(await modbusInUse()).toMatchObject({ servers: [{ instance: 'owner' }] });
      await bench.clear('owner');
      expect(await modbusInUse()).toEqual(nothing);
    },
  );

  it('is refused where a server listens everywhere at its port', async () => {
    const port = await findFreePort();
    bench.useNetworks({ panel: tcpNetwork(port), all: tcpNetwork(port, '0.0.0.0') });
    const conflict = { status: 409, code: 'output_conflict' };
    expect(await refusedStart(panel, server('second', 'all', 2))).toMatchObject(conflict);
    await bench.runProject('owner', modbusProject(panel));
    expect(await refusedStart(panel, network('panel', 'all'))).toMatchObject({
      ...conflict,
      conflicts: [{ owner: { instance: 'owner' }, endpoint: `tcp:0.0.0.0:${port}` }],
    });
    await bench.clear('owner');
    await serveFromDaemon(bench, `tcp:0.0.0.0:${port}`);
    expect(await refusedStart(panel)).toMatchObject({
      ...conflict,
      conflicts: [{ owner: { instance: null } }],
    });
  });

  it('names what a network is bound to that is none of CAN', async () => {
    bench.useNetworks({ plc: tcpNetwork(502) });
    await bench.load('wrong', relayProject({ endpoints: [{ id: 'in', network: 'plc' }] }));
    const refusal = (await bench.tryStart('wrong')).json().error;
    expect(refusal).toMatchObject({
      code: 'network_unbound',
      message: 'in: plc (tcp:127.0.0.1:502) is a Modbus network without channels',
      details: { endpoint: 'in', network: 'plc', resolved: 'tcp:127.0.0.1:502' },
    });
    await bench.unload('wrong');
  });

  it('is refused where `modbus serve` has the place, and has it before that', async () => {
    const endpoint = await serveFromDaemon(bench, 'tcp:127.0.0.1:0');
    const own = await findFreePort();
    bench.useNetworks({ panel: tcpNetwork(portOf(endpoint)), own: tcpNetwork(own) });
    expect(await refusedStart(panel, server('own', 'own', 1))).toMatchObject({
      status: 409,
      code: 'output_conflict',
      conflicts: [
        {
          task: null,
          owner: { instance: null, task: null },
          endpoint,
          unit: 1,
          table: null,
          address: null,
          count: null,
        },
      ],
    });
    expect(await isRefused(own)).toBe(true);
    expect(await modbusInUse()).toMatchObject({ servers: [{ instance: null, address: endpoint }] });
    await bench.runProject('owner', modbusProject(panel, network('panel', 'own')));
    for (const command of ['serve', 'stop']) {
      const unit = command === 'serve' ? ['--unit=1'] : [];
      const place = `--endpoint=tcp:127.0.0.1:${own}`;
      expect(await bench.failure('modbus', command, place, ...unit)).toMatchObject({
        exit: 1,
        code: command === 'serve' ? 'already_running' : 'busy',
      });
    }
    await bench.clear('owner');
  });
});

describe('a server of single bits', () => {
  it('has clients read 0 for bits of a word that no resource declares', async () => {
    const port = await findFreePort();
    bench.useNetworks({ panel: tcpNetwork(port) });
    const word = { id: 'e.setpoint', address: 10, bit_offset: 3 };
    const bit = { id: 'bit', kind: 'linear', raw: 'bool' };
    const bound = { id: 'setpoint.rx', codec: 'bit' };
    const rows = { modbus_resources: [word], codecs: [bit], bindings: [bound] };
    await bench.runProject('bits', modbusProject(panel, rows));
    const at = [`--endpoint=tcp:127.0.0.1:${port}`, '--unit=1', '--reference=40011'];
    await bench.json('modbus', 'write', ...at, '--value=65535');
    const { values } = await bench.json<Answered>('modbus', 'read', ...at, '--count=1');
    expect(values).toEqual(['8']);
    await bench.clear('bits');
  });
});

describe.runIf(hasPeer('/usr/bin/socat', 'socat'))('a start on a serial line', () => {
  const line = (port: string, more: object = {}) => ({ serial: { port, framing: 'rtu', ...more } });

  it('is refused where its device is missing, owned or open with other settings', async () => {
    const wire = await setUpWire();
    const device = realpathSync(wire.one);
    bench.useNetworks({
      line: line(wire.one),
      alias: line(device),
      fast: line(device, { baud_rate: 115_200 }),
      missing: line(`${wire.folder}/none`),
    });
    expect(await refusedStart(pump, network('pump', 'missing'))).toMatchObject({
      status: 502,
      code: 'modbus_unreachable',
      endpoint: 'pump',
      network: 'missing',
    });
    await bench.runProject('owner', modbusProject(pump));
    expect(await refusedStart(pump, network('pump', 'alias'))).toMatchObject({
      code: 'output_conflict',
      conflicts: [{ owner: { instance: 'owner', task: 'Drive' }, address: 1 }],
    });
    const otherWord = { modbus_resources: [{ id: 'w.speed', address: 2 }] };
    expect(await refusedStart(pump, otherWord, network('pump', 'fast'))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      field: 'baud_rate',
      reason: 'mismatch',
      endpoint: 'pump',
      network: 'fast',
    });
    await bench.clear('owner');
    expect(await modbusInUse()).toEqual(nothing);
  });
});
