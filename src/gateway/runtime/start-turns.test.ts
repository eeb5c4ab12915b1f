import { describe, expect, it } from 'vitest';
import { type Bench, builtInBench } from '../../bench/bench.ts';
import { TransmitRig } from '../../transmit/testing/transmit-rig.ts';
import { buildImage } from '../image/build-image.ts';
import { InstanceRegistry } from '../instances/instance-registry.ts';
import { OutputOwners } from '../instances/output-owners.ts';
import type { LooseProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { GatewayRuns } from './gateway-runs.ts';
import { noPlugins } from './testing/no-plugins.ts';
import { sharedModbus } from './testing/shared-modbus.ts';

const bench: Bench = { ...builtInBench, networks: { rig: { channel: 'SIM00001/0' } } };

/** Sends one message, with an identifier of its own. */
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

/** Turns of a loop that go on when the test says so. */
class SteppedTurns {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets one caller go on, and everything that follows from that in the same turn. */
  async step(): Promise<boolean> {
    const go = this.#waiting.shift();
    go?.();
    await new Promise((resolve) => setImmediate(resolve));
    return go !== undefined;
  }
}

describe('starts of instances', () => {
  it('claim and run one instance in a turn, however many are started at once', async () => {
    const rig = new TransmitRig();
    await rig.open(0);
    await rig.open(1);
    const registry = new InstanceRegistry();
    const owners = new OutputOwners();
    const turns = new SteppedTurns();
    const { table: channels, clock, scheduler } = rig;
    const modbus = sharedModbus(clock, scheduler);
    const runs = new GatewayRuns({
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
});
