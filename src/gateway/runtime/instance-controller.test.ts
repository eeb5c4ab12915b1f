import { beforeEach, describe, expect, it } from 'vitest';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import type { Channel } from '../../bench/channel.ts';
import { TransmitRig } from '../../transmit/testing/transmit-rig.ts';
import { buildImage } from '../image/build-image.ts';
import { instanceStatus } from '../instances/instance-pages.ts';
import { InstanceRegistry } from '../instances/instance-registry.ts';
import { InstanceView } from '../instances/instance-view.ts';
import { OutputOwners } from '../instances/output-owners.ts';
import type { LooseProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { InstanceController } from './instance-controller.ts';
import { noPlugins } from './testing/no-plugins.ts';
import { sharedModbus } from './testing/shared-modbus.ts';

let rig: TransmitRig;
let port: Channel;
let registry: InstanceRegistry;
let runs: InstanceController;

const turns = new YieldQueue();
const ms = 1000;

const message = { endpoint: 'powertrain', length: 1 };

/** Sends the message 0x200 every 10 ms, and receives 0x100. */
const relay = (): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  endpoints: [{ id: 'powertrain', kind: 'can', network: 'powertrain' }],
  signals: [
    { id: 'in', type: 'uint64', producer: 'input' },
    { id: 'twice', type: 'uint64', producer: 'derived' },
    { id: 'out', type: 'uint64', producer: 'software', initial: '1' },
  ],
  codecs: [{ id: 'u8', kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel' }],
  messages: [
    { ...message, id: 'rx', direction: 'rx', can_id: 0x100, stale_after_ms: 0 },
    { ...message, id: 'tx', direction: 'tx', can_id: 0x200, period_ms: 10 },
  ],
  bindings: [
    { id: 'in', signal: 'in', direction: 'rx', message: 'rx', codec: 'u8', start_bit: 0 },
    { id: 'out', signal: 'out', direction: 'tx', message: 'tx', codec: 'u8', start_bit: 0 },
  ],
  mappings: [
    { id: 'twice', inputs: ['in'], outputs: ['twice'], transform: { kind: 'linear', k: 2, b: 0 } },
  ],
  tx_tasks: [{ id: 'tx', message: 'tx' }],
});

const load = (name: string, project: LooseProject): void => {
  const image = buildImage(readLoose(project).toProject());
  registry.commit(registry.reserve(name), `${name}.gwproj`, image);
};
const run = async (name: string, project = relay()): Promise<void> => {
  load(name, project);
  await runs.start(name, rig.benchSource);
};
const status = (name: string) => instanceStatus(registry.get(name), 1);
const qualities = (name: string): string[] =>
  [...new InstanceView(registry.get(name)).signals(0, 2).entries()].map(({ quality }) => quality);

/** Another node sends 0x100. */
const feed = (from: Channel): void => {
  from.outbox.open({}).send(0x100, 0, 1, Uint8Array.of(7), 0, 1);
};

beforeEach(async () => {
  rig = new TransmitRig();
  port = await rig.open(0);
  registry = new InstanceRegistry();
  const { table: channels, clock, scheduler } = rig;
  runs = new InstanceController({
    ...{ registry, channels, clock, scheduler, turns },
    modbus: sharedModbus(clock, scheduler),
    owners: new OutputOwners(),
    plugins: noPlugins,
  });
});

describe('a start', () => {
  it('reads the bench once, however many endpoints there are', async () => {
    const project = relay();
    for (const id of ['second', 'third']) project.endpoints.push({ ...project.endpoints[0], id });
    const before = rig.benchQuestions;
    await run('relay', project);
    expect(rig.benchQuestions - before).toBe(1);
    expect(status('relay').endpoints).toHaveLength(3);
  });

  it('that another instance stands in the way of changes nothing, not even what signals were last', async () => {
    const other = await rig.open(1);
    await run('relay');
    feed(other);
    rig.clock.advanceUs(1 * ms);
    await runs.stop('relay');
    expect(qualities('relay')).toEqual(['good', 'good']);
    await run('rival');
    await expect(runs.start('relay', rig.benchSource)).rejects.toMatchObject({
      code: 'output_conflict',
    });
    expect(qualities('relay')).toEqual(['good', 'good']);
  });
});

describe('a frame under way without an acknowledge', () => {
  beforeEach(async () => {
    await run('relay');
    rig.clock.advanceUs(50 * ms);
    expect(status('relay')).toMatchObject({ accepted: 1, pending: 1, missed: 5 });
  });

  it('fails with a channel that is closed, and the task goes on with the next one', async () => {
    await rig.close(port);
    rig.clock.advanceUs(10 * ms);
    expect(status('relay')).toMatchObject({ accepted: 1, failed: 1, pending: 0, failed_tasks: 1 });
    await rig.open(1);
    await rig.open(0);
    rig.clock.advanceUs(105 * ms);
    expect(status('relay')).toMatchObject({ sent: 10, failed: 1, health: 'ok', failed_tasks: 0 });
  });

  it('fails with a device that is lost, and the task goes on when it is back', async () => {
    await rig.open(1);
    rig.driver.faults.loseDevice();
    rig.clock.advanceUs(20 * ms);
    expect(status('relay')).toMatchObject({ failed: 1, pending: 0, health: 'degraded' });
    expect(status('relay').endpoints[0]).toMatchObject({
      connected: false,
      error: { code: 'device_lost' },
    });
    rig.driver.faults.returnDevice();
    rig.clock.advanceUs(100 * ms);
    const { sent, health, endpoints } = status('relay');
    expect(sent).toBeGreaterThan(8);
    expect({ health, ...endpoints[0] }).toMatchObject({ health: 'ok', connected: true });
  });

  it('fails if the channel is closed while a stop waits for it', async () => {
    const stopped = runs.stop('relay');
    await turns.next();
    rig.clock.advanceUs(10 * ms);
    await rig.close(port);
    await stopped;
    const { state, failed, pending, unconfirmed } = status('relay');
    expect({ state, failed, pending, unconfirmed }).toEqual({
      state: 'stopped',
      failed: 1,
      pending: 0,
      unconfirmed: 0,
    });
  });

  it('is unconfirmed after a stop, and stays so when the channel is closed', async () => {
    const stopped = runs.stop('relay');
    await turns.next();
    rig.clock.advanceUs(1000 * ms);
    await stopped;
    expect(status('relay')).toMatchObject({ failed: 0, pending: 1, unconfirmed: 1 });
    await rig.close(port);
    expect(status('relay')).toMatchObject({ failed: 0, pending: 1, unconfirmed: 1 });
    await rig.open(1);
    await rig.open(0);
    await runs.start('relay', rig.benchSource);
    rig.clock.advanceUs(95 * ms);
    expect(status('relay')).toMatchObject({ accepted: 11, sent: 10, pending: 1, unconfirmed: 1 });
  });
});

describe('a task on change', () => {
  const changes = (): LooseProject => ({
    ...relay(),
    tx_tasks: [{ id: 'tx', message: 'tx', policy: 'on_change' }],
  });

  beforeEach(async () => {
    await rig.open(1);
    await run('relay', changes());
    rig.clock.advanceUs(20 * ms);
    expect(status('relay')).toMatchObject({ accepted: 1, sent: 1, health: 'ok' });
  });

  it('loses the error of a channel that was closed when it is open again', async () => {
    await rig.close(port);
    rig.clock.advanceUs(20 * ms);
    expect(status('relay')).toMatchObject({ accepted: 1, failed_tasks: 1, health: 'degraded' });
    await rig.open(0);
    rig.clock.advanceUs(20 * ms);
    expect(status('relay')).toMatchObject({ accepted: 1, sent: 1, failed_tasks: 0, health: 'ok' });
  });

  it('loses the error of a device that was lost when it is back', () => {
    rig.driver.faults.loseDevice();
    rig.clock.advanceUs(20 * ms);
    expect(status('relay')).toMatchObject({ accepted: 1, failed_tasks: 1, health: 'degraded' });
    rig.driver.faults.returnDevice();
    rig.clock.advanceUs(20 * ms);
    expect(status('relay')).toMatchObject({ accepted: 1, sent: 1, failed_tasks: 0, health: 'ok' });
  });
});

describe('inputs', () => {
  it('are disconnected with their channel, and good with the next frame', async () => {
    const peer = await rig.open(1);
    await run('relay');
    rig.clock.advanceUs(5 * ms);
    feed(peer);
    rig.clock.advanceUs(2 * ms);
    expect(qualities('relay')).toEqual(['good', 'good']);
    await rig.close(port);
    rig.clock.advanceUs(1 * ms);
    expect(qualities('relay')).toEqual(['disconnected', 'input_invalid']);
    await rig.open(0);
    rig.clock.advanceUs(1 * ms);
    expect(qualities('relay')).toEqual(['disconnected', 'input_invalid']);
    feed(peer);
    rig.clock.advanceUs(2 * ms);
    expect(qualities('relay')).toEqual(['good', 'good']);
  });
});

describe('bus off', () => {
  it('refuses what is sent until the controller is brought back', async () => {
    await rig.open(1);
    await run('relay');
    rig.clock.advanceUs(5 * ms);
    rig.driver.faults.bitErrors(0, 1000);
    rig.clock.advanceUs(200 * ms);
    const off = status('relay');
    expect(off.endpoints[0]).toMatchObject({ connected: false, error: { code: 'bus_off' } });
    expect(off).toMatchObject({ sent: 1, failed: 1, accepted: 2, pending: 0, health: 'degraded' });
    rig.driver.faults.bitErrors(0, 0);
    void port.recovery?.recover();
    rig.clock.advanceUs(200 * ms);
    expect(status('relay')).toMatchObject({ failed: 1, health: 'ok', failed_tasks: 0 });
    expect(status('relay').sent).toBeGreaterThan(10);
  });
});
