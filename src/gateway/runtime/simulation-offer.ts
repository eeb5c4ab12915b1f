import type { BenchSource } from '../../bench/channel-table.ts';
import type { InstanceRegistry } from '../instances/instance-registry.ts';
import type { SimulationManifest } from '../simulation/manifest.ts';
import type { MessageRange, Simulation } from '../simulation/simulation.ts';
import type { SimulationRecord } from '../simulation/simulation-record.ts';
import type { SimulationRuns } from './simulation-runs.ts';

/** What the thread that has the simulations of manifests does for the one that answers clients. */
export type SimulationOffer<Caller> = {
  /** Names a reserved simulation as its manifest does. */
  nameSimulation(reservation: number, name: string): void;
  /** Makes a simulation of a reservation; says its name. */
  commitSimulation(reservation: number, file: string, manifest: SimulationManifest): string;
  /** All of them, without their messages. */
  simulations(): SimulationRecord[];
  simulation(name: string, range: MessageRange): SimulationRecord;
  startSimulation(name: string, range: MessageRange, caller: Caller): Promise<SimulationRecord>;
  stopSimulation(name: string, range: MessageRange): Promise<SimulationRecord>;
  unloadSimulation(name: string, range: MessageRange): SimulationRecord;
};

/** Offers the simulations of a registry; `benchOf` is the bench of a caller. */
export const offerSimulations = <Caller>(
  registry: InstanceRegistry,
  simulations: SimulationRuns,
  benchOf: (caller: Caller) => BenchSource,
): SimulationOffer<Caller> => {
  const page = (simulation: Simulation, range?: MessageRange): SimulationRecord =>
    simulation.record(registry.chargedBytes, range);
  return {
    nameSimulation: (reservation, name) => registry.name(reservation, name, 'name'),
    commitSimulation: (reservation, file, manifest) =>
      registry.commitSimulation(reservation, file, manifest).name,
    simulations: () => registry.simulations.map((simulation) => page(simulation)),
    simulation: (name, range) => page(registry.simulation(name), range),
    startSimulation: async (name, range, caller) =>
      page(await simulations.start(name, benchOf(caller)), range),
    stopSimulation: async (name, range) => page(await simulations.stop(name), range),
    unloadSimulation: (name, range) => page(simulations.unload(name), range),
  };
};
