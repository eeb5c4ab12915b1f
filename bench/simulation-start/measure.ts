import { LoopTurns } from '../../src/base/clock/loop-turns.ts';
import { InstanceRegistry } from '../../src/gateway/instances/instance-registry.ts';
import { OutputOwners } from '../../src/gateway/instances/output-owners.ts';
import { SimulationRuns } from '../../src/gateway/runtime/simulation-runs.ts';
import { TransmitRig } from '../../src/transmit/testing/transmit-rig.ts';
import { manifestOf } from './manifest.mjs';

/** How much processor time the bench thread is held up for, in microseconds. */
export interface Slices {
  /** Each turn of a start. */
  readonly start: number[];
  /** The whole of a stop. */
  readonly stop: number[];
}

/** Of the processor: by the clock, other programs would count as well. */
const microseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Starts and stops a simulation again and again, and measures each turn of that. */
export const measureSlices = async (messages: number, rounds: number): Promise<Slices> => {
  const rig = new TransmitRig();
  await rig.open(0);
  await rig.open(1);
  const slices: Slices = { start: [], stop: [] };
  let begun = microseconds();
  const loop = new LoopTurns();
  const turns = {
    next: async (): Promise<void> => {
      slices.start.push(microseconds() - begun);
      await loop.next();
      begun = microseconds();
    },
  };
  const registry = new InstanceRegistry();
  const { table: channels, cyclic } = rig;
  const owners = new OutputOwners();
  const simulations = new SimulationRuns({ registry, channels, cyclic, owners, turns });
  const manifest = manifestOf(messages, (id: number) => 10 + (id % 90));
  registry.commitSimulation(registry.reserve('many'), 'many.json', manifest);
  for (let round = 0; round < rounds; round += 1) {
    begun = microseconds();
    await simulations.start('many', rig.benchSource);
    slices.start.push(microseconds() - begun);
    rig.clock.advanceUs(20_000);
    begun = microseconds();
    await simulations.stop('many');
    slices.stop.push(microseconds() - begun);
  }
  return slices;
};
