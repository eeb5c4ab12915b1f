import { describe, expect, it } from 'vitest';
import type { Rows } from '../../src/gateway/engine/testing/relay-project.ts';
import { rule } from '../../src/gateway/engine/testing/rules.ts';
import { readRegisters } from '../../src/modbus/server/testing/held-data.ts';
import { inputAt, portOf, serveFromDaemon, serveHere, tableSize } from '../support/modbus-rig.ts';
import { eventually } from '../support/workbench.ts';
import { FaultProxy, forward } from './support/fault-proxy.ts';
import { shareGatewayBench, tcpNetwork, wrongSums } from './support/gateway-bench.ts';
import { modbusProject, pump } from './support/modbus-project.ts';
import { findFreePort } from './support/ports.ts';
import type { Answered } from './support/transmit-bench.ts';

const bench = shareGatewayBench();

/** A second task, which writes periodically. */
const beating: Rows = {
  signals: [{ id: 'beat', type: 'uint64', producer: 'software', initial: '1' }],
  modbus_resources: [
    { id: 'w.beat', endpoint: 'pump', table: 'holding', address: 4, access: 'write' },
  ],
  bindings: [{ id: 'beat.tx', signal: 'beat', direction: 'tx', resource: 'w.beat', codec: 'u16' }],
  tx_tasks: [{ id: 'Beat', resources: ['w.beat'], period_ms: 20 }],
};

const until = bench.untilConsistent.bind(bench);
const isConnected = ({ endpoints }: Answered): boolean => endpoints[0].connected;

const taskOf = ({ tasks }: Answered, id: string): Answered =>
  tasks.find((task: Answered) => task.id === id);

const untilQuality = async (instance: string, id: string, wanted: string): Promise<Answered> => {
  let signal: Answered;
  await eventually(async () => {
    signal = await bench.signal(instance, id);
    return signal.quality === wanted;
  });
  return signal;
};

const down = { connected: false, error: { code: 'modbus_unreachable' } };
const up = { connected: true, error: null };
const level = String(inputAt(5));

describe('an instance whose link', () => {
  it(
    rule('lost link', 'is cut refuses to write until the server is back, and then goes on'),
    async () => {
      const first = await serveHere('tcp:127.0.0.1:0');
      const port = portOf(first.endpoint);
      bench.useNetworks({ line: tcpNetwork(port) });
      await bench.runProject('cut', modbusProject(pump, beating));
      await until('cut', (record) => isConnected(record) && record.sent > 5);
      expect(await untilQuality('cut', 'level', 'good')).toMatchObject({ value: level });

      await first.stop();
      const lost = await until('cut', (record) => !isConnected(record) && record.pending === 0);
      expect(lost).toMatchObject({ state: 'running', health: 'degraded', endpoints: [down] });
      expect(await bench.signal('cut', 'level')).toMatchObject({
        value: level,
        valid: false,
        quality: 'disconnected',
      });
      await bench.set('cut', 'speed', '42');
      const { accepted, failed } = lost;
      let pages = 0;
      const later = await until('cut', () => ++pages > 20);
      expect(later).toMatchObject({ accepted, failed, pending: 0, failed_tasks: 2 });
      for (const task of later.tasks)
        expect(task.error).toMatchObject({ code: 'modbus_unreachable' });

      const second = await serveHere(`tcp:127.0.0.1:${port}`);
      const back = await until(
        'cut',
        ({ health, sent }) => health === 'ok' && sent > lost.sent + 5,
      );
      expect(back).toMatchObject({ endpoints: [up], failed_tasks: 0, failed });
      expect(await untilQuality('cut', 'level', 'good')).toMatchObject({ value: level });
      await eventually(() => readRegisters(second.model, 'holding', 1, 1)[0] === 42);
      await bench.clear('cut');
    },
  );

  it(
    rule(
      'unreachable peer',
      'cannot be made at the start is not connected, and is by itself once it can',
    ),
    async () => {
      const port = await findFreePort();
      bench.useNetworks({ line: tcpNetwork(port) });
      const started = await bench.runProject('early', modbusProject(pump, beating));
      expect(started).toMatchObject({ state: 'running', endpoints: [{ connected: false }] });
      const waiting = await until(
        'early',
        ({ failed_tasks, endpoints }) => failed_tasks === 2 && endpoints[0].error !== null,
      );
      expect(waiting).toMatchObject({ health: 'degraded', sent: 0, endpoints: [down] });
      expect(await bench.signal('early', 'level')).toMatchObject({ value: null, valid: false });

      await serveHere(`tcp:127.0.0.1:${port}`);
      const connected = await until('early', (record) => isConnected(record) && record.sent > 5);
      expect(connected).toMatchObject({ health: 'ok', endpoints: [up], failed_tasks: 0 });
      expect(await untilQuality('early', 'level', 'good')).toMatchObject({ value: level });
      await bench.clear('early');
    },
  );
});

describe('a unit on a shared session', () => {
  const twoUnits = JSON.stringify({
    units: [1, 2].map((unit) => ({
      unit,
      input: [{ address: 5, values: [unit * 100] }],
      holding: [{ address: 0, count: 10 }],
    })),
  });
  const ghost: Rows = {
    endpoints: [
      { id: 'ghost', kind: 'modbus', role: 'client', network: 'line', node: 2, timeout_ms: 50 },
    ],
    signals: [
      { id: 'g.level', type: 'uint64', producer: 'input' },
      { id: 'g.speed', type: 'uint64', producer: 'software', initial: '0' },
    ],
    modbus_resources: [
      {
        id: 'g.p',
        endpoint: 'ghost',
        table: 'input',
        address: 5,
        access: 'poll',
        poll_ms: 20,
        stale_after_ms: 500,
      },
      { id: 'g.w', endpoint: 'ghost', table: 'holding', address: 1, access: 'write' },
    ],
    bindings: [
      { id: 'g.rx', signal: 'g.level', direction: 'rx', resource: 'g.p', codec: 'u16' },
      { id: 'g.tx', signal: 'g.speed', direction: 'tx', resource: 'g.w', codec: 'u16' },
    ],
    tx_tasks: [{ id: 'Ghost', resources: ['g.w'], period_ms: 50 }],
  };

  it(
    rule('silent unit', 'that falls silent times out alone, and comes back by itself'),
    async () => {
      bench.write('two.map.json', twoUnits);
      const served = await serveFromDaemon(bench, 'tcp:127.0.0.1:0', '--map=two.map.json');
      const proxy = await FaultProxy.before(portOf(served));
      bench.useNetworks({ line: tcpNetwork(proxy.port) });
      await bench.runProject('pair', modbusProject(pump, beating, ghost));
      const isGhostUp = ({ endpoints }: Answered) => endpoints[1].connected;
      await until('pair', (record) => isConnected(record) && isGhostUp(record));
      expect(await untilQuality('pair', 'g.level', 'good')).toMatchObject({ value: '200' });

      proxy.fault = (reply) => {
        if (reply.frame[6] !== 2) reply.forward();
      };
      const beforeIt = await bench.instance('pair');
      const silent = await until('pair', (record) => {
        expect(record.endpoints[0]).toMatchObject(up);
        expect(taskOf(record, 'Beat')).toMatchObject({ error: null, failed: 0 });
        return (
          !isGhostUp(record) &&
          taskOf(record, 'Ghost').failed > taskOf(beforeIt, 'Ghost').failed + 1
        );
      });
      expect(silent).toMatchObject({
        health: 'degraded',
        failed_tasks: 1,
        endpoints: [up, { id: 'ghost', connected: false, error: { code: 'modbus_timeout' } }],
      });
      expect(taskOf(silent, 'Ghost').error).toMatchObject({ code: 'modbus_timeout' });
      expect(await untilQuality('pair', 'g.level', 'timeout')).toMatchObject({ value: '200' });
      expect(await bench.signal('pair', 'level')).toMatchObject({ value: '100', quality: 'good' });
      const { sent } = taskOf(silent, 'Beat');
      await until('pair', (record) => taskOf(record, 'Beat').sent > sent + 3);

      proxy.fault = forward;
      await until('pair', ({ health }) => health === 'ok');
      await untilQuality('pair', 'g.level', 'good');
      await bench.clear('pair');
    },
  );

  it('that answers with exceptions is connected, and tells what it refuses', async () => {
    let isRefusing = true;
    const { endpoint, model } = await serveHere('tcp:127.0.0.1:0', {
      check: ({ address }) => (isRefusing && address === 1 ? 3 : undefined),
    });
    bench.useNetworks({ line: tcpNetwork(portOf(endpoint)) });
    const beyond: Rows = {
      signals: [{ id: 'beyond', type: 'uint64', producer: 'input', initial: '8' }],
      modbus_resources: [
        {
          id: 'p.beyond',
          endpoint: 'pump',
          table: 'holding',
          address: tableSize,
          access: 'poll',
          poll_ms: 20,
          stale_after_ms: 60,
        },
      ],
      bindings: [
        { id: 'beyond.rx', signal: 'beyond', direction: 'rx', resource: 'p.beyond', codec: 'u16' },
      ],
    };
    await bench.runProject('fussy', modbusProject(pump, beating, beyond));
    const refused = await until(
      'fussy',
      (record) => isConnected(record) && taskOf(record, 'Drive').failed > 1,
    );
    expect(refused).toMatchObject({ health: 'degraded', failed_tasks: 1, endpoints: [up] });
    expect(taskOf(refused, 'Drive')).toMatchObject({
      sent: 0,
      error: { code: 'modbus_exception' },
    });
    expect(taskOf(refused, 'Beat')).toMatchObject({ failed: 0, error: null });
    expect(await untilQuality('fussy', 'beyond', 'error')).toMatchObject({
      value: '8',
      valid: false,
      observed_us: null,
    });
    await untilQuality('fussy', 'level', 'good');

    await bench.set('fussy', 'speed', '77');
    isRefusing = false;
    await eventually(() => readRegisters(model, 'holding', 1, 1)[0] === 77);
    await until('fussy', ({ health }) => health === 'ok');
    await bench.clear('fussy');
  });
});

describe('an instance that is stopped', () => {
  it(
    rule('unconfirmed', 'takes back what waits for the link, which stays unconfirmed'),
    async () => {
      const { endpoint, model } = await serveHere('tcp:127.0.0.1:0');
      const proxy = await FaultProxy.before(portOf(endpoint));
      bench.useNetworks({ line: tcpNetwork(proxy.port) });
      const guarded: Rows = {
        signals: [{ id: 'guard', type: 'uint64', producer: 'software', initial: '1' }],
        modbus_resources: [
          { id: 'w.guard', endpoint: 'pump', table: 'holding', address: 4, access: 'write' },
        ],
        bindings: [
          { id: 'guard.tx', signal: 'guard', direction: 'tx', resource: 'w.guard', codec: 'u16' },
        ],
        tx_tasks: [{ id: 'Guard', resources: ['w.guard'], policy: 'on_change' }],
      };
      await bench.runProject('halted', modbusProject(pump, guarded));
      await until('halted', ({ sent, pending }) => sent === 2 && pending === 0);
      const held = await proxy.nextReply();
      await bench.set('halted', 'speed', '9');
      await until('halted', ({ pending }) => pending === 1);
      const stopped = await bench.stopInstance('halted');
      expect(wrongSums(stopped)).toEqual([]);
      expect(stopped).toMatchObject({
        state: 'stopped',
        accepted: 3,
        sent: 2,
        failed: 0,
        pending: 1,
        unconfirmed: 1,
      });
      held.forward();
      // The counters of single tasks, page by page, add up to those of the instance.
      const pages: Answered[] = [];
      for (const offset of [0, 1]) {
        pages.push(await bench.status(`gateways?instance=halted&offset=${offset}&limit=1`));
      }
      expect(pages.map(({ tasks }) => tasks.map(({ id }: Answered) => id))).toEqual([
        ['Drive'],
        ['Guard'],
      ]);
      expect(wrongSums({ ...stopped, tasks: pages.flatMap(({ tasks }) => tasks) })).toEqual([]);
      expect(readRegisters(model, 'holding', 1, 1)[0]).toBe(0);

      await bench.startInstance('halted');
      const again = await until(
        'halted',
        (record) => record.sent === 4 && record.pending === 1 && isConnected(record),
      );
      expect(again).toMatchObject({ accepted: 5, unconfirmed: 1, health: 'ok' });
      expect(readRegisters(model, 'holding', 1, 1)[0]).toBe(9);
      await bench.clear('halted');
    },
  );
});
