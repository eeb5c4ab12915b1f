import { beforeEach, describe, expect, it } from 'vitest';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import type { Channel } from '../../bench/channel.ts';
import { refusalOf } from '../../bench/testing/table-rig.ts';
import { TransmitRig } from '../../transmit/testing/transmit-rig.ts';
import { buildImage } from '../image/build-image.ts';
import { InstanceRegistry } from '../instances/instance-registry.ts';
import { OutputOwners } from '../instances/output-owners.ts';
import { rangeOf, simulationRecord } from '../instances/simulation-pages.ts';
import { compileManifest, type ManifestMessage } from '../simulation/manifest.ts';
import type { SimulationRecord } from '../simulation/simulation-record.ts';
import { InstanceController } from './instance-controller.ts';
import { noPlugins } from './testing/no-plugins.ts';
import { sharedModbus } from './testing/shared-modbus.ts';

let rig: TransmitRig;
let zero: Channel;
let one: Channel;
let registry: InstanceRegistry;
let runs: InstanceController;
/** Called in each turn of a start. */
let onTurn: () => Promise<unknown> | undefined;

const message = (id: number, period_ms: number, extended = false): ManifestMessage => ({
  id,
  extended,
  data: 'ca:fe',
  period_ms,
});

const load = (name: string, messages: ManifestMessage[], channel = 'SIM00001/0'): void => {
  const manifest = { manifest: 1, name, channel, messages };
  const text = Buffer.from(JSON.stringify(manifest));
  const image = buildImage(compileManifest(manifest), [text]);
  registry.commit(registry.reserve(name, 'manifest'), `${name}.json`, image);
};
const record = (name: string, offset = 0, limit = 16): SimulationRecord =>
  simulationRecord(registry.get(name, 'manifest'), { offset, limit });
const start = async (name: string): Promise<SimulationRecord> => {
  await runs.start(name, rig.benchSource, undefined, 'manifest');
  return record(name);
};
const stop = (name: string) => runs.stop(name, 'manifest');
const refusedStart = (name: string) => refusalOf(start(name));

beforeEach(async () => {
  rig = new TransmitRig();
  zero = await rig.open(0);
  one = await rig.open(1);
  registry = new InstanceRegistry();
  onTurn = () => undefined;
  const { table: channels, clock, scheduler } = rig;
  const turns = new YieldQueue();
  runs = new InstanceController({
    ...{ registry, channels, clock, scheduler },
    turns: {
      next: async () => {
        await onTurn();
        await turns.next();
      },
    },
    modbus: sharedModbus(clock, scheduler),
    owners: new OutputOwners(),
    plugins: noPlugins,
  });
});

describe('the simulation of a manifest', () => {
  it('sends each message on its own grid until it is stopped', async () => {
    load('restbus', [message(0x10, 10), message(0x20, 20, true)]);
    expect(record('restbus')).toMatchObject({ state: 'loaded', resolved: null, sent: 0 });
    expect(await start('restbus')).toMatchObject({ state: 'running', resolved: 'SIM00001/0' });
    rig.clock.advanceUs(45_000);
    expect(rig.received(one).map(({ id, data }) => `${id} ${data}`)).toEqual(
      [0x10, 0x20, 0x10, 0x10, 0x20, 0x10, 0x10, 0x20].map((id) => `${id} CAFE`),
    );
    await stop('restbus');
    rig.clock.advanceUs(100_000);
    expect(rig.received(one)).toHaveLength(8);
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
      await stop('restbus');
      await stop('restbus');
    }
    expect(record('restbus')).toMatchObject({ sent: 6, messages: [{ sent: 6 }] });
  });

  it('is neither started nor unloaded while it runs', async () => {
    load('restbus', [message(1, 10)]);
    await start('restbus');
    expect(await refusedStart('restbus')).toMatchObject({ code: 'instance_running' });
    expect(() => runs.unload('restbus', 'manifest')).toThrow(
      expect.objectContaining({ code: 'instance_running' }),
    );
    await stop('restbus');
    runs.unload('restbus', 'manifest');
    expect(await refusedStart('restbus')).toMatchObject({ code: 'instance_not_found' });
  });

  it('is stopped also while its channel is being looked for', async () => {
    load('restbus', [message(1, 10)]);
    const starting = start('restbus');
    expect(record('restbus').state).toBe('starting');
    expect(await refusedStart('restbus')).toMatchObject({ code: 'instance_running' });
    await stop('restbus');
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
    const { failed } = record('restbus');
    expect(failed).toBeGreaterThan(0);
    rig.driver.faults.returnDevice();
    rig.clock.advanceUs(50_000);
    const { sent } = record('restbus');
    expect(record('restbus')).toMatchObject({
      failed,
      messages: [{ last_error: { code: 'hardware_error' } }],
    });
    await stop('restbus');
    await start('restbus');
    expect(record('restbus')).toMatchObject({ sent, failed, messages: [{ last_error: null }] });
  });

  it('never has more than one frame of a message waiting for the bus', async () => {
    await rig.close(one);
    load('restbus', [message(1, 10)]);
    await start('restbus');
    rig.clock.advanceUs(45_000);
    expect(record('restbus')).toMatchObject({ sent: 1, failed: 0, missed: 4 });
    one = await rig.open(1);
    rig.clock.advanceUs(1_000);
    expect(rig.received(one)).toHaveLength(1);
    rig.clock.advanceUs(10_000);
    expect(rig.received(one)).toHaveLength(2);
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
    // Its outputs are free as well.
    expect(await start('other')).toMatchObject({ state: 'running' });
    await stop('other');
    expect(await start('restbus')).toMatchObject({ state: 'running', error: null });
  });

  it('is refused, and leaves everything as it was, if its channel is closed while it starts', async () => {
    load('restbus', [message(1, 10)]);
    for (let turn = 1; ; turn++) {
      let turns = 0;
      onTurn = () => (++turns === turn ? rig.close(zero) : undefined);
      const refusal = await refusalOf(start('restbus')).catch(() => undefined);
      if (turns < turn) break;
      expect(refusal).toMatchObject({
        code: 'channel_not_open',
        details: { channel: 'SIM00001/0' },
      });
      expect(record('restbus')).toMatchObject({ state: 'loaded', error: null, sent: 0 });
      onTurn = () => undefined;
      zero = await rig.open(0);
    }
    expect(record('restbus').state).toBe('running');
  });

  it('sends all bytes of a payload, or none', async () => {
    load('restbus', [
      { ...message(1, 10), data: '0123456789ABCDEF' },
      { ...message(2, 10), data: 'FF' },
      { ...message(3, 10), data: '' },
    ]);
    await start('restbus');
    rig.clock.advanceUs(5_000);
    expect(rig.received(one).map(({ id, data }) => `${id} ${data}`)).toEqual([
      '1 0123456789ABCDEF',
      '2 FF',
      '3 ',
    ]);
  });

  it('is refused as a whole if another one sends a message on the same port', async () => {
    load('first', [message(1, 10), message(2, 10), message(3, 10, true)]);
    // The same port by the name of a network; the same number in the other format is another
    // message.
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
    await stop('first');
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
    expect(record('restbus', 16)).toMatchObject({
      message_total: 20,
      message_offset: 16,
      message_next_offset: 20,
    });
    expect(record('restbus', 1, 2).messages.map(({ id }) => id)).toEqual([1, 2]);
    expect(record('restbus', 99, 2)).toMatchObject({ message_next_offset: 20, messages: [] });
  });

  it('has pages of its own size', () => {
    const page = { default: 16, maximum: 64 };
    expect(rangeOf({ offset: 3 }, page)).toEqual({ offset: 3, limit: 16 });
    expect(rangeOf({ offset: 0, limit: 64 }, page)).toEqual({ offset: 0, limit: 64 });
    expect(() => rangeOf({ offset: 0, limit: 65 }, page)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: 'limit' }) }),
    );
  });
});
