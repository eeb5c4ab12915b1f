import { describe, expect, it } from 'vitest';
import type { Rows } from '../../src/gateway/engine/testing/relay-project.ts';
import { rule } from '../../src/gateway/engine/testing/rules.ts';
import { readRegisters } from '../../src/modbus/server/testing/held-data.ts';
import { patiently, portOf, serveFromDaemon, serveHere } from '../support/modbus-rig.ts';
import { eventually } from '../support/workbench.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { shareGatewayBench, tcpNetwork } from './support/gateway-bench.ts';
import { modbusProject, panel, pump } from './support/modbus-project.ts';
import { findFreePort } from './support/ports.ts';
import type { Answered } from './support/transmit-bench.ts';

const bench = shareGatewayBench();

const read = (network: string, unit: number, ...more: string[]) =>
  bench.json<Answered>('modbus', 'read', `--network=${network}`, `--unit=${unit}`, ...more);

const usedSessions = async (): Promise<Answered[]> => {
  const { sessions } = await bench.status('modbus');
  return sessions.filter(({ users }: Answered) => users > 0);
};

const isUp = ({ endpoints }: Answered): boolean =>
  endpoints.every(({ connected }: Answered) => connected);

describe('the session of a place', () => {
  it(
    rule('shared session', 'is one for several units, instances and commands, by any name'),
    async () => {
      const units = [1, 2].map((unit) => ({
        unit,
        input: [{ address: 5, values: [unit * 100] }],
        holding: [{ address: 0, count: 10 }],
      }));
      bench.write('units.map.json', JSON.stringify({ units }));
      const served = await serveFromDaemon(bench, 'tcp:127.0.0.1:0', '--map=units.map.json');
      const proxy = await FaultProxy.before(portOf(served));
      bench.useNetworks({
        line: tcpNetwork(proxy.port),
        alias: tcpNetwork(proxy.port, 'localhost'),
      });
      const second: Rows = { endpoints: [{ id: 'pump', node: 2, network: 'alias' }] };
      await bench.runProject('one', modbusProject(pump));
      await bench.runProject('two', modbusProject(pump, second));
      const answers = await Promise.all([
        read('line', 1, '--reference=30006', patiently),
        read('alias', 2, '--reference=30006', patiently),
      ]);
      expect(answers).toMatchObject([{ values: ['100'] }, { values: ['200'] }]);
      for (const [name, value] of [
        ['one', '100'],
        ['two', '200'],
      ] as const) {
        await bench.untilConsistent(name, (record) => isUp(record) && record.sent === 1);
        await eventually(async () => (await bench.signal(name, 'level')).value === value);
      }
      expect(await usedSessions()).toMatchObject([{ users: 2, timeouts: 0, failures: 0 }]);
      expect(proxy.connections).toBe(1);
      const [first = 0] = proxy.transactions;
      expect(proxy.transactions).toEqual(proxy.transactions.map((_, at) => (first + at) & 0xffff));
      await bench.clear('one', 'two');
    },
  );

  it(
    rule('fixed address', 'is found where it was when it broke, until the next start'),
    async () => {
      const [old, moved] = [await serveHere('tcp:127.0.0.1:0'), await serveHere('tcp:127.0.0.1:0')];
      const proxy = await FaultProxy.before(portOf(old.endpoint));
      bench.useNetworks({ line: tcpNetwork(proxy.port, 'localhost') });
      const level = async () => (await bench.signal('stays', 'level')).quality;
      await bench.runProject('stays', modbusProject(pump));
      await bench.untilConsistent('stays', isUp);
      bench.useNetworks({ line: tcpNetwork(portOf(moved.endpoint)) });
      proxy.breakAll();
      await eventually(async () => proxy.connections > 1 && (await level()) === 'good');
      await bench.set('stays', 'speed', '9');
      await eventually(() => readRegisters(old.model, 'holding', 1, 1)[0] === 9);
      expect(readRegisters(moved.model, 'holding', 1, 1)[0]).toBe(0);
      const resolved = ({ endpoints }: Answered) => endpoints[0].resolved;
      expect(resolved(await bench.instance('stays'))).toBe(`tcp:localhost:${proxy.port}`);
      await bench.stopInstance('stays');
      expect(resolved(await bench.startInstance('stays'))).toBe(moved.endpoint);
      await eventually(() => readRegisters(moved.model, 'holding', 1, 1)[0] === 9);
      await bench.clear('stays');
    },
  );
});

describe('the server of an instance', () => {
  it(
    rule('one unit a server', 'answers its unit alone, also to clients in the daemon'),
    async () => {
      bench.useNetworks({ panel: tcpNetwork(await findFreePort()) });
      await bench.runProject('serving', modbusProject(panel));
      expect(await read('panel', 1, '--reference=30001', patiently)).toMatchObject({
        values: ['7'],
      });
      const other = ['--network=panel', '--unit=2', '--reference=30001', '--timeout-ms=50'];
      // Immediate while a connection exists: an urgent request must not wait for it.
      expect(await bench.failure('modbus', 'read', ...other)).toMatchObject({
        code: 'modbus_timeout',
      });
      const { servers } = await bench.status('modbus');
      expect(servers).toMatchObject([{ instance: 'serving', unit: 1 }]);
      await bench.clear('serving');
    },
  );
});
