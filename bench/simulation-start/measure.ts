import { YieldQueue } from '../../src/base/clock/yield-queue.ts';
import { buildImage } from '../../src/gateway/image/build-image.ts';
import { InstanceRegistry } from '../../src/gateway/instances/instance-registry.ts';
import { OutputOwners } from '../../src/gateway/instances/output-owners.ts';
import { InstanceController } from '../../src/gateway/runtime/instance-controller.ts';
import { noPlugins } from '../../src/gateway/runtime/testing/no-plugins.ts';
import { sharedModbus } from '../../src/gateway/runtime/testing/shared-modbus.ts';
import { compileManifest } from '../../src/gateway/simulation/manifest.ts';
import { TransmitRig } from '../../src/transmit/testing/transmit-rig.ts';
import { manifestOf } from './manifest.mjs';

/** Processor time of the bench thread per slice, in microseconds. */
export interface Slices {
  readonly start: number[];
  readonly stop: number[];
}

/** Processor time, because other programs would count in wall time. */
const microseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Starts and stops a simulation repeatedly, and measures each slice. */
export const measureSlices = async (messages: number, rounds: number): Promise<Slices> => {
  const rig = new TransmitRig();
  await rig.open(0);
  await rig.open(1);
  const slices: Slices = { start: [], stop: [] };
  let begun = microseconds();
  const loop = new YieldQueue();
  const turns = {
    next: async (): Promise<void> => {
      slices.start.push(microseconds() - begun);
      await loop.next();
      begun = microseconds();
    },
  };
  const registry = new InstanceRegistry();
  const { table: channels, clock, scheduler } = rig;
  const runs = new InstanceController({
    ...{ registry, channels, clock, scheduler, turns },
    modbus: sharedModbus(clock, scheduler),
    owners: new OutputOwners(),
    plugins: noPlugins,
  });
  const manifest = manifestOf(messages, (id: number) => 10 + (id % 90));
  const image = buildImage(compileManifest(manifest));
  registry.commit(registry.reserve('many', 'manifest'), 'many.json', image);
  for (let round = 0; round < rounds; round += 1) {
    begun = microseconds();
    await runs.start('many', rig.benchSource, undefined, 'manifest');
    slices.start.push(microseconds() - begun);
    rig.clock.advanceUs(20_000);
    begun = microseconds();
    await runs.stop('many', 'manifest');
    slices.stop.push(microseconds() - begun);
  }
  return slices;
};
