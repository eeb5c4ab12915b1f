import type { Remote } from '../../base/threads/call-port.ts';
import type { BuilderRuns } from '../../gateway/build/builder-runs.ts';
import { type InstanceHost, loadInstance } from '../../gateway/instances/instance-loads.ts';
import { refuseRange } from '../../gateway/instances/instance-pages.ts';
import {
  loadForm,
  messageRange,
  nameForm,
  neededNameForm,
} from '../../gateway/simulation/command-forms.ts';
import type { SimulationManifest } from '../../gateway/simulation/manifest.ts';
import type { MessageRange } from '../../gateway/simulation/simulation.ts';
import type { SimulationRecord } from '../../gateway/simulation/simulation-record.ts';
import { type Dispatcher, plainCaller } from '../../operations/dispatcher.ts';
import { simulationMessagePage } from '../../operations/limits.ts';
import {
  simulationList,
  simulationLoad,
  simulationSave,
  simulationSet,
  simulationSignals,
  simulationStart,
  simulationStatus,
  simulationStop,
  simulationUnload,
} from '../../operations/simulation.ts';
import type { GatewayContext, ProjectInstances } from './project-instances.ts';
import type { BenchOffer } from './thread-contracts.ts';

const firstMessages: MessageRange = { offset: 0, limit: simulationMessagePage.default };

const manifestHost = (bench: Remote<BenchOffer>): InstanceHost<SimulationManifest, string> => ({
  reserve: (name) => bench.reserveInstance(name),
  nameAfter: (reservation, name) => bench.nameSimulation(reservation, name ?? ''),
  charge: (reservation, bytes) => bench.chargeInstance(reservation, bytes),
  commit: (reservation, file, manifest) => bench.commitSimulation(reservation, file, manifest),
  release: (reservation) => bench.releaseInstance(reservation),
});

const loadManifest = async (
  file: string,
  bench: Remote<BenchOffer>,
  builder: BuilderRuns,
): Promise<SimulationRecord> => {
  const request = { file, instance: null };
  const name = await loadInstance(request, manifestHost(bench), (path, steps) =>
    builder.run((remote) => remote.loadManifest(path), steps),
  );
  return bench.simulation(name, firstMessages);
};

/** Binds the simulations of manifests, and the second entry point to the instances of projects. */
export const bindSimulationOperations = (
  dispatcher: Dispatcher,
  { bench, builder }: GatewayContext,
  instances: ProjectInstances,
): void => {
  dispatcher
    .bind(simulationLoad, ({ arguments: given, caller }) => {
      const form = loadForm(given);
      return 'project' in form
        ? instances.load(form.project, given.instance ?? null, caller)
        : loadManifest(form.manifest, bench, builder);
    })
    .bind(simulationList, async () => ({ simulations: await bench.simulations() }))
    .bind(simulationStatus, async ({ arguments: request, given }) => {
      const { offset = 0, limit } = request;
      const form = nameForm(request);
      if (!form) {
        refuseRange(given);
        return { simulations: await bench.simulations() };
      }
      return 'instance' in form
        ? instances.show(form.instance, { offset, limit })
        : bench.simulation(form.name, messageRange(offset, limit, simulationMessagePage));
    })
    .bind(simulationStart, ({ arguments: given, caller }) => {
      const form = neededNameForm(given);
      return 'instance' in form
        ? instances.start(form.instance, caller)
        : bench.startSimulation(form.name, firstMessages, plainCaller(caller));
    })
    .bind(simulationStop, ({ arguments: given }) => {
      const form = neededNameForm(given);
      return 'instance' in form
        ? instances.stop(form.instance)
        : bench.stopSimulation(form.name, firstMessages);
    })
    .bind(simulationUnload, ({ arguments: given }) => {
      const form = neededNameForm(given);
      return 'instance' in form
        ? instances.unload(form.instance)
        : bench.unloadSimulation(form.name, firstMessages);
    })
    .bind(simulationSignals, ({ arguments: request }) => instances.signals(request))
    .bind(simulationSet, ({ arguments: request }) => instances.set(request))
    .bind(simulationSave, ({ arguments: request }) => instances.save(request));
};
