import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LooseProject } from '../../src/gateway/project/testing/coolant-project.ts';
import { takeSeat } from '../support/seat.ts';
import { writeBench } from './support/bench-files.ts';
import { api } from './support/channel-bench.ts';
import { type Answered, accepted, TransmitBench } from './support/transmit-bench.ts';

const port = 'SIM00001/0';
const peer = 'SIM00001/1';
const bench = new TransmitBench(takeSeat());

const times = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, number) => make(number));

/** A project that sends this many messages, each with its own signal. */
const sender = (count: number, task: object): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  endpoints: [{ id: 'rig', kind: 'can', network: 'rig' }],
  signals: times(count, (number) => ({
    id: `s${number}`,
    type: 'uint64',
    producer: 'software',
    initial: '1',
  })),
  codecs: [{ id: 'u8', kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel' }],
  messages: times(count, (number) => ({
    id: `m${number}`,
    endpoint: 'rig',
    direction: 'tx',
    can_id: 0x100 + number,
    length: 1,
  })),
  bindings: times(count, (number) => ({
    id: `b${number}`,
    signal: `s${number}`,
    direction: 'tx',
    message: `m${number}`,
    codec: 'u8',
    start_bit: 0,
  })),
  tx_tasks: times(count, (number) => ({ id: `t${number}`, message: `m${number}`, ...task })),
});

const run = async (instance: string, project: LooseProject): Promise<void> => {
  const file = `${instance}.gwproj`;
  bench.write(file, JSON.stringify(project));
  await bench.create('gateways', { file, instance });
  accepted(await bench.post(`${api}/gateways/${instance}/start`, {}), 200);
};

const end = async (instance: string): Promise<void> => {
  accepted(await bench.post(`${api}/gateways/${instance}/stop`, {}), 200);
  await bench.end(`gateways/${instance}`);
};

const untilInstance = (name: string, isDone: (record: Answered) => boolean): Promise<Answered> =>
  bench.until(`gateways?instance=${name}&limit=100`, isDone);

beforeAll(async () => {
  await bench.start();
  writeBench(bench.project, { networks: { rig: port } });
});
afterAll(() => bench.dispose());

describe('a channel that is closed under a running instance', () => {
  it.each([
    ['periodic', { period_ms: 5 }],
    ['on change', { policy: 'on_change' }],
  ])('fails what was under way and goes on when it is open again, %s', async (_, task) => {
    // No node acknowledges: the frame stays pending.
    await bench.open(port);
    await run('lone', sender(1, task));
    await untilInstance('lone', ({ pending }) => pending === 1);
    accepted(await bench.remove(port), 200);
    const closed = await untilInstance(
      'lone',
      ({ failed, endpoints }) => failed === 1 && !endpoints[0].connected,
    );
    expect(closed).toMatchObject({ accepted: 1, pending: 0, health: 'degraded', failed_tasks: 1 });
    await bench.open(peer);
    await bench.open(port);
    const reopened = await untilInstance(
      'lone',
      ({ sent, endpoints }) => sent > 0 && endpoints[0].connected,
    );
    expect(reopened).toMatchObject({ failed: 1, unconfirmed: 0, failed_tasks: 0, health: 'ok' });
    await end('lone');
    for (const each of [port, peer]) accepted(await bench.remove(each), 200);
  });
});

describe('the record of an instance under traffic', () => {
  it('has sums that are those of its tasks', async () => {
    for (const each of [port, peer]) await bench.open(each);
    await run('busy', sender(40, { period_ms: 1 }));
    await untilInstance('busy', ({ sent }) => sent > 0);
    for (let look = 0; look < 50; look++) {
      const record = await bench.status('gateways?instance=busy&limit=100');
      for (const counter of ['accepted', 'sent', 'failed', 'pending', 'missed']) {
        const sum = record.tasks.reduce((all: number, task: Answered) => all + task[counter], 0);
        expect({ counter, sum }).toEqual({ counter, sum: record[counter] });
      }
      expect(record.accepted).toBe(record.sent + record.failed + record.pending);
    }
    await end('busy');
    for (const each of [port, peer]) accepted(await bench.remove(each), 200);
  });
});
