import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock/clock.ts';
import type { Bench } from '../../bench/bench-record.ts';
import { builtInBench } from '../../bench/built-in-bench.ts';
import type { ModbusLinks } from '../../modbus/service/modbus-links.ts';
import { TransmitRig } from '../../transmit/testing/transmit-rig.ts';
import { buildImage } from '../image/build-image.ts';
import { InstanceRegistry } from '../instances/instance-registry.ts';
import { type Output, OutputOwners } from '../instances/output-owners.ts';
import type { LooseProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { InstanceController } from './instance-controller.ts';
import { noPlugins } from './testing/no-plugins.ts';
import { sharedModbus } from './testing/shared-modbus.ts';

const bench: Bench = { ...builtInBench, networks: { rig: { channel: 'SIM00001/0' } } };

/** Sends one message with its own identifier. */
const sender = (canId: number): LooseProject =>
  ({
    format: 'gwproj',
    schema_version: 1,
    endpoints: [{ id: 'rig', kind: 'can', network: 'rig' }],
    messages: [
      { id: 'out', endpoint: 'rig', direction: 'tx', can_id: canId, length: 1, period_ms: 10 },
    ],
    tx_tasks: [{ id: 'out', message: 'out' }],
  }) as LooseProject;

/** A yield queue that continues when the test releases it. */
class SteppedYields {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Releases one caller, and everything that follows in the same turn. */
  async step(): Promise<boolean> {
    const go = this.#waiting.shift();
    go?.();
    await new Promise((resolve) => setImmediate(resolve));
    return go !== undefined;
  }
}

/** A clock on which every reading takes time, so that a turn contains only a few steps. */
const slowedClock = (clock: Clock): Clock =>
  new Proxy(clock, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== 'monotonicUs') return typeof value === 'function' ? value.bind(target) : value;
      return () => {
        readings += 1;
        return target.monotonicUs() + 20 * readings;
      };
    },
  });
let readings = 0;

const many = 300;

/** Polls many registers, and writes as many, one task each. */
const poller = (): LooseProject => {
  const ids = Array.from({ length: many }, (_, place) => place);
  const unit = { kind: 'modbus', role: 'client', network: 'line' };
  const resource = (id: string, endpoint: string, place: number, more: object) => {
    return { id, endpoint, table: 'holding', address: 3 * place, count: 1, ...more };
  };
  return {
    format: 'gwproj',
    schema_version: 1,
    endpoints: [
      { id: 'polled', node: 1, ...unit },
      { id: 'written', node: 2, ...unit },
    ],
    signals: ids.flatMap((place) => [
      { id: `in${place}`, type: 'uint64', producer: 'input' },
      { id: `out${place}`, type: 'uint64', producer: 'software' },
    ]),
    codecs: [{ id: 'u16', kind: 'linear', raw: 'unsigned', bit_length: 16, word_order: 'ABCD' }],
    modbus_resources: ids.flatMap((place) => [
      resource(`in${place}`, 'polled', place, { access: 'poll' }),
      resource(`out${place}`, 'written', place, { access: 'write' }),
    ]),
    bindings: ids.flatMap((place) => [binding(`in${place}`, 'rx'), binding(`out${place}`, 'tx')]),
    tx_tasks: ids.map((place) => {
      return { id: `out${place}`, resources: [`out${place}`], policy: 'on_change' };
    }),
  } as LooseProject;
};
const binding = (id: string, direction: 'rx' | 'tx') => ({
  ...{ id, signal: id, direction, resource: id, codec: 'u16' },
});

describe('starts of instances', () => {
  it('claim outputs, begin polls and end them, a few in each turn', async () => {
    const rig = new TransmitRig();
    const registry = new InstanceRegistry();
    const turns = new SteppedYields();
    const { table: channels, scheduler } = rig;
    const clock = slowedClock(rig.clock);
    const { links, servers } = sharedModbus(rig.clock, scheduler);
    const counts = { claimed: 0, begun: 0, ended: 0 };
    class CountedOwners extends OutputOwners {
      override *claiming(instance: string, outputs: Iterable<Output>): Generator<void> {
        for (const _ of super.claiming(instance, outputs)) {
          counts.claimed += 1;
          yield;
        }
      }
    }
    const counted: ModbusLinks = Object.assign(Object.create(links), {
      poll: (...given: Parameters<ModbusLinks['poll']>) => {
        counts.begun += 1;
        return links.poll(...given);
      },
      endPoll: (...given: Parameters<ModbusLinks['endPoll']>) => {
        counts.ended += 1;
        links.endPoll(...given);
      },
      lease: links.lease.bind(links),
      resolve: links.resolve.bind(links),
    });
    const runs = new InstanceController({
      ...{ registry, channels, clock, scheduler, turns, plugins: noPlugins },
      modbus: { links: counted, servers },
      owners: new CountedOwners(),
    });
    const image = buildImage(readLoose(poller()).toProject());
    registry.commit(registry.reserve('many'), 'many.gwproj', image);
    const place = { tcp: { host: '127.0.0.1', port: 1 } };
    const line: Bench = { ...builtInBench, networks: { line: place } };
    const untilDone = async (change: Promise<void>): Promise<void> => {
      let isDone = false;
      change.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        const before = { ...counts };
        await turns.step();
        for (const name of ['claimed', 'begun', 'ended'] as const) {
          expect(counts[name] - before[name]).toBeLessThanOrEqual(12);
        }
      }
      await change;
    };
    await untilDone(runs.start('many', async () => line));
    expect(counts).toEqual({ claimed: many, begun: many, ended: 0 });
    await untilDone(runs.stop('many'));
    expect(counts.ended).toBe(many);
    runs.close();
  });

  it('claim and run one instance in a turn, however many are started at once', async () => {
    const rig = new TransmitRig();
    await rig.open(0);
    await rig.open(1);
    const registry = new InstanceRegistry();
    const owners = new OutputOwners();
    const turns = new SteppedYields();
    const { table: channels, clock, scheduler } = rig;
    const modbus = sharedModbus(clock, scheduler);
    const runs = new InstanceController({
      ...{ registry, channels, owners, clock, scheduler, modbus, turns, plugins: noPlugins },
    });
    const names = ['a', 'b', 'c', 'd'];
    for (const [place, name] of names.entries()) {
      const image = buildImage(readLoose(sender(0x100 + place)).toProject());
      registry.commit(registry.reserve(name), `${name}.gwproj`, image);
    }
    let started = 0;
    const count = (): number =>
      names.filter((name) => registry.get(name).state === 'running').length;

    const starts = names.map((name) => runs.start(name, async () => bench));
    await turns.step();
    expect(count()).toBe(0);
    while (await turns.step()) {
      expect(count() - started).toBeLessThanOrEqual(1);
      started = count();
    }
    await Promise.all(starts);
    expect(count()).toBe(names.length);
    runs.close();
  });

  it('are stopped once for all who wait for that', async () => {
    const rig = new TransmitRig();
    await rig.open(0);
    const registry = new InstanceRegistry();
    const turns = new SteppedYields();
    const { table: channels, clock, scheduler } = rig;
    const modbus = sharedModbus(clock, scheduler);
    const runs = new InstanceController({
      ...{ registry, channels, clock, scheduler, modbus, turns, plugins: noPlugins },
      owners: new OutputOwners(),
    });
    const image = buildImage(readLoose(sender(0x100)).toProject());
    registry.commit(registry.reserve('one'), 'one.gwproj', image);
    const start = runs.start('one', async () => bench);
    const stops = [runs.stop('one'), runs.stop('one')].map((stop) =>
      stop.then(() => registry.instance('one').state),
    );
    let isDone = false;
    const states = Promise.all(stops).finally(() => {
      isDone = true;
    });
    while (!isDone) await turns.step();
    await start;
    expect(await states).toEqual(['stopped', 'stopped']);
    runs.close();
  });
});
