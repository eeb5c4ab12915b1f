import { beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../bench/channel.ts';
import { sampleBench } from '../../bench/testing/table-rig.ts';
import type { UnitSettings } from '../../modbus/server/modbus-server.ts';
import type { ServerOwner } from '../../modbus/service/modbus-servers.ts';
import { unreachable } from '../../modbus/transport/unreachable.ts';
import { TransmitRig } from '../../transmit/testing/transmit-rig.ts';
import { rule } from '../engine/testing/rules.ts';
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

const ms = 1000;
const message = { endpoint: 'bus', length: 1 };
const server = { kind: 'modbus', role: 'server', node: 1 };

/** A byte received in 0x100 is sent in 0x200 and served; a second server accepts a setpoint. */
const project = (): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  endpoints: [
    { id: 'bus', kind: 'can', network: 'powertrain' },
    { id: 'mirror', network: 'first', ...server },
    { id: 'panel', network: 'second', ...server },
  ],
  signals: [
    { id: 'in', type: 'uint64', producer: 'input', initial: '5' },
    { id: 'setpoint', type: 'uint64', producer: 'input' },
  ],
  codecs: [
    { id: 'u8', kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel' },
    { id: 'u16', kind: 'linear', raw: 'unsigned', bit_length: 16, word_order: 'ABCD' },
  ],
  messages: [
    { ...message, id: 'rx', direction: 'rx', can_id: 0x100, stale_after_ms: 0 },
    { ...message, id: 'tx', direction: 'tx', can_id: 0x200, period_ms: 10 },
  ],
  modbus_resources: [
    { id: 'level', endpoint: 'mirror', table: 'input', address: 0, count: 1, access: 'serve' },
    { id: 'set', endpoint: 'panel', table: 'holding', address: 0, count: 1, access: 'external' },
  ],
  bindings: [
    { id: 'in', signal: 'in', direction: 'rx', message: 'rx', codec: 'u8', start_bit: 0 },
    { id: 'out', signal: 'in', direction: 'tx', message: 'tx', codec: 'u8', start_bit: 0 },
    { id: 'level', signal: 'in', direction: 'tx', resource: 'level', codec: 'u16' },
    { id: 'set', signal: 'setpoint', direction: 'rx', resource: 'set', codec: 'u16' },
  ],
  tx_tasks: [{ id: 'tx', message: 'tx' }],
});

let rig: TransmitRig;
let registry: InstanceRegistry;
let runs: InstanceController;
/** Called for each server that starts listening; may fail. */
let onServe: (owner: ServerOwner, unit: UnitSettings) => void | Promise<void>;
let onTurn: () => void | Promise<void>;
let listening: number;
let port: Channel;

const isReady = ({ hooks }: UnitSettings): boolean | undefined => hooks?.isReady?.();

beforeEach(async () => {
  rig = new TransmitRig();
  const place = (port: number) => ({ tcp: { host: '127.0.0.1', port } });
  const networks = { ...sampleBench.networks, first: place(1502), second: place(1503) };
  rig.bench = { ...sampleBench, networks };
  registry = new InstanceRegistry();
  onServe = () => undefined;
  onTurn = () => undefined;
  listening = 0;
  const { table: channels, clock, scheduler } = rig;
  const { links } = sharedModbus(clock, scheduler);
  runs = new InstanceController({
    ...{ registry, channels, clock, scheduler, owners: new OutputOwners() },
    turns: { next: async () => onTurn() },
    modbus: {
      links,
      servers: {
        serveFor: async (owner, place, unit) => {
          await onServe(owner, unit);
          listening += 1;
          const stop = async (): Promise<void> => {
            listening -= 1;
          };
          return { address: place.named.endpoint, stop };
        },
      },
    },
    plugins: noPlugins,
  });
  port = await rig.open(0);
  const image = buildImage(readLoose(project()).toProject());
  registry.commit(registry.reserve('plant'), 'plant.gwproj', image);
});

const start = () => runs.start('plant', rig.benchSource);
const status = () => instanceStatus(registry.get('plant'), 1);
const signals = () => [...new InstanceView(registry.get('plant')).signals(0, 2).entries()];
const fails = (): never => {
  throw unreachable('127.0.0.1:1503', 'EADDRINUSE');
};

describe('a start that a taken port refuses', () => {
  it(
    rule(
      'whole start',
      'leaves a stopped instance with its last signals, statistics and endpoints',
    ),
    async () => {
      const other = await rig.open(1);
      await start();
      other.outbox.open({}).send(0x100, 0, 1, Uint8Array.of(7), 0, 1);
      rig.clock.advanceUs(25 * ms);
      await runs.stop('plant');
      const before = [signals(), status()];
      expect(before).toMatchObject([[{ value: '7' }, {}], { state: 'stopped', sent: 3 }]);
      let served = 0;
      onServe = () => {
        served += 1;
        if (served === 2) fails();
      };
      await expect(start()).rejects.toMatchObject({ code: 'modbus_unreachable' });
      expect([signals(), status()]).toEqual(before);
      expect(listening).toBe(0);
      onServe = () => undefined;
      await start();
      expect(signals()[0]).toMatchObject({ value: '5', quality: 'initial' });
      expect(listening).toBe(2);
    },
  );

  it('leaves one that was loaded as it was', async () => {
    onServe = fails;
    const before = [signals(), status()];
    await expect(start()).rejects.toMatchObject({ code: 'modbus_unreachable' });
    expect([signals(), status()]).toEqual(before);
  });
});

describe('the servers of a start', () => {
  it('are not ready for clients before they have what signals are at first', async () => {
    const units: UnitSettings[] = [];
    onServe = (_, unit) => {
      units.push(unit);
      expect(isReady(unit)).toBe(false);
    };
    await start();
    expect(units.map(isReady)).toEqual([true, true]);
    expect(units[0]?.model.tables.input.get(0)).toBe(5);
  });

  it('disconnect their inputs where they went away while they began to listen', async () => {
    const owners: ServerOwner[] = [];
    onServe = (owner) => {
      owners.push(owner);
      owner.lost(undefined);
    };
    await start();
    rig.clock.advanceUs(1 * ms);
    expect(signals()[1]).toMatchObject({ quality: 'disconnected' });
    const lost = { connected: false, error: { code: 'device_lost' } };
    expect(status().endpoints.slice(1)).toMatchObject([lost, lost]);
    for (const owner of owners) owner.found();
    expect(status().endpoints.slice(1)).toMatchObject([{ connected: true }, { connected: true }]);
  });
});

describe('a channel that is closed during a start', () => {
  it('refuses it while nothing is cleared', async () => {
    onServe = async () => {
      if (listening === 0) await rig.close(port);
    };
    await expect(start()).rejects.toMatchObject({ code: 'channel_not_open' });
    expect(status().state).toBe('loaded');
  });

  it('is one that was closed while it runs, as soon as nothing can be refused any more', async () => {
    await rig.open(1);
    onTurn = async () => {
      if (listening === 2) await rig.close(port);
      onTurn = listening === 2 ? () => undefined : onTurn;
    };
    await start();
    rig.clock.advanceUs(1 * ms);
    expect(status()).toMatchObject({
      state: 'running',
      endpoints: [{ connected: false, error: { code: 'channel_not_open' } }, {}, {}],
    });
    expect(signals()[0]).toMatchObject({ quality: 'disconnected' });
    await rig.open(0);
    rig.clock.advanceUs(200 * ms);
    expect(status()).toMatchObject({ health: 'ok', failed_tasks: 0 });
  });
});
