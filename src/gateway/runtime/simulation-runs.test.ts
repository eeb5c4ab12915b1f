import { beforeEach, describe, expect, it } from 'vitest';
import { LoopTurns } from '../../base/clock/loop-turns.ts';
import type { Channel } from '../../bench/channel.ts';
import { refusalOf } from '../../bench/testing/table-rig.ts';
import { TransmitRig } from '../../transmit/testing/transmit-rig.ts';
import { InstanceRegistry } from '../instances/instance-registry.ts';
import { OutputOwners } from '../instances/output-owners.ts';
import type { ManifestMessage } from '../simulation/manifest.ts';
import type { SimulationRecord } from '../simulation/simulation-record.ts';
import { SimulationRuns } from './simulation-runs.ts';

let rig: TransmitRig;
let zero: Channel;
let one: Channel;
let registry: InstanceRegistry;
let simulations: SimulationRuns;

const message = (id: number, period_ms: number, extended = false): ManifestMessage => ({
  id,
  extended,
  data: 'ca:fe',
  period_ms,
});

const load = (name: string, messages: ManifestMessage[], channel = 'SIM00001/0'): void => {
  const manifest = { manifest: 1, name, channel, messages };
  registry.commitSimulation(registry.reserve(name), `${name}.json`, manifest);
};
const start = async (name: string): Promise<SimulationRecord> =>
  (await simulations.start(name, rig.benchSource)).record(0);
const refusedStart = (name: string) => refusalOf(start(name));
const record = (name: string): SimulationRecord =>
  registry.simulation(name).record(registry.chargedBytes, { offset: 0, limit: 16 });

beforeEach(async () => {
  rig = new TransmitRig();
  zero = await rig.open(0);
  one = await rig.open(1);
  registry = new InstanceRegistry();
  const { table: channels, cyclic } = rig;
  const turns = new LoopTurns();
  const owners = new OutputOwners();
  simulations = new SimulationRuns({ registry, channels, cyclic, owners, turns });
});

describe('the simulation of a manifest', () => {
  it('sends each message on its own grid until it is stopped', async () => {
    load('restbus', [message(0x10, 10), message(0x20, 20, true)]);
    expect(record('restbus')).toMatchObject({ state: 'loaded', resolved: null, sent: 0 });
    expect(await start('restbus')).toMatchObject({ state: 'running', resolved: 'SIM00001/0' });
    rig.clock.advanceUs(45_000);
    expect(rig.heard(one).map(({ id, data }) => `${id} ${data}`)).toEqual(
      [0x10, 0x20, 0x10, 0x10, 0x20, 0x10, 0x10, 0x20].map((id) => `${id} CAFE`),
    );
    await simulations.stop('restbus');
    rig.clock.advanceUs(100_000);
    expect(rig.heard(one)).toHaveLength(8);
    expect(record('restbus')).toMatchObject({
      state: 'stopped',
      error: null,
      sent: 8,
      failed: 0,
      messages: [
        { id: 0x10, extended: false, data: 'CAFE', period_ms: 10, sent: 5 },
        { id: 0x20, extended: true, sent: 3 },
      ],
    });
  });

  it('goes on with its counters when it is started again', async () => {
    load('restbus', [message(1, 10)]);
    for (let run = 0; run < 2; run++) {
      await start('restbus');
      rig.clock.advanceUs(25_000);
      await simulations.stop('restbus');
      await simulations.stop('restbus');
    }
    expect(record('restbus')).toMatchObject({ sent: 6, messages: [{ sent: 6 }] });
  });

  it('is neither started nor unloaded while it runs', async () => {
    load('restbus', [message(1, 10)]);
    await start('restbus');
    expect(await refusedStart('restbus')).toMatchObject({ code: 'instance_running' });
    expect(() => simulations.unload('restbus')).toThrow(
      expect.objectContaining({ code: 'instance_running' }),
    );
    await simulations.stop('restbus');
    simulations.unload('restbus');
    expect(await refusedStart('restbus')).toMatchObject({ code: 'instance_not_found' });
  });

  it('is stopped also while its channel is being looked for', async () => {
    load('restbus', [message(1, 10)]);
    const starting = start('restbus');
    expect(record('restbus').state).toBe('starting');
    expect(await refusedStart('restbus')).toMatchObject({ code: 'instance_running' });
    await simulations.stop('restbus');
    await starting;
    expect(record('restbus').state).toBe('stopped');
  });

  it('counts what the channel does not take, and goes on', async () => {
    load('restbus', [message(1, 10)]);
    await start('restbus');
    rig.driver.faults.loseDevice();
    rig.clock.advanceUs(25_000);
    expect(record('restbus')).toMatchObject({
      state: 'running',
      messages: [{ failed: expect.any(Number), last_error: { code: 'hardware_error' } }],
    });
    expect(record('restbus').failed).toBeGreaterThan(0);
  });

  it('ends with its channel and says so, and can be started on the next', async () => {
    load('restbus', [message(1, 10)]);
    load('other', [message(1, 10)]);
    await start('restbus');
    rig.clock.advanceUs(5_000);
    await rig.close(zero);
    expect(record('restbus')).toMatchObject({
      state: 'stopped',
      error: { code: 'channel_not_open', message: 'SIM00001/0 was closed' },
      sent: 1,
    });
    expect(await refusedStart('restbus')).toMatchObject({
      code: 'channel_not_open',
      details: { channel: 'SIM00001/0' },
    });
    expect(record('restbus').state).toBe('stopped');
    await rig.open(0);
    // What it owned is free as well.
    expect(await start('other')).toMatchObject({ state: 'running' });
    await simulations.stop('other');
    expect(await start('restbus')).toMatchObject({ state: 'running', error: null });
  });

  it('begins with a part of its messages in each turn, and with none if the channel is closed', async () => {
    const messages = Array.from({ length: 40 }, (_, id) => message(id, 1000));
    load('restbus', messages);
    const starting = refusalOf(start('restbus'));
    while (rig.heard(one).length === 0) {
      await Promise.resolve();
      rig.clock.advanceUs(1000);
    }
    expect(record('restbus').state).toBe('starting');
    await rig.close(zero);
    expect(await starting).toMatchObject({ code: 'channel_not_open' });
    expect(record('restbus')).toMatchObject({ state: 'loaded', sent: 0 });
    await rig.open(0);
    await start('restbus');
    rig.clock.advanceUs(500_000);
    expect(record('restbus')).toMatchObject({ state: 'running', sent: 40 });
  });

  it('is refused as a whole if another one sends a message on the same port', async () => {
    load('first', [message(1, 10), message(2, 10), message(3, 10, true)]);
    // The same port by the name of a network; the same number in the other format is another message.
    load('second', [message(9, 10), message(2, 50), message(3, 10)], 'powertrain');
    load('elsewhere', [message(2, 10)], 'SIM00001/1');
    await start('first');
    expect(await refusedStart('second')).toMatchObject({
      code: 'output_conflict',
      details: {
        conflicts: [
          {
            task: 'messages[1]',
            owner: { instance: 'first', task: 'messages[1]' },
            channel: 'SIM00001/0',
            can_id: 2,
            extended: false,
          },
        ],
      },
    });
    expect(record('second')).toMatchObject({ state: 'loaded', sent: 0 });
    await start('elsewhere');
    await simulations.stop('first');
    expect(await start('second')).toMatchObject({ state: 'running' });
    expect(await refusedStart('first')).toMatchObject({ code: 'output_conflict' });
  });

  it('is for CAN', async () => {
    await rig.open(4);
    load('restbus', [message(1, 10)], 'SIM00001/4');
    expect(await refusedStart('restbus')).toMatchObject({
      code: 'unsupported_by_hardware',
      details: { field: 'channel' },
    });
    expect(record('restbus').state).toBe('loaded');
  });

  it('shows its messages a page at a time', () => {
    load(
      'restbus',
      Array.from({ length: 20 }, (_, id) => message(id, 10)),
    );
    const simulation = registry.simulation('restbus');
    expect(simulation.record(0, { offset: 16, limit: 16 })).toMatchObject({
      message_total: 20,
      message_offset: 16,
      message_next_offset: 20,
    });
    expect(simulation.record(0, { offset: 1, limit: 2 }).messages.map(({ id }) => id)).toEqual([
      1, 2,
    ]);
    expect(simulation.record(0, { offset: 99, limit: 2 })).toMatchObject({
      message_next_offset: 20,
      messages: [],
    });
  });
});
