import type { ProjectInstances } from '../../gateway/service/project-instances.ts';
import type { SimulationService } from '../../gateway/service/simulation-service.ts';
import { type Dispatcher, type PlainCaller, plainCaller } from '../../operations/dispatcher.ts';
import { pageRange } from '../../operations/limits.ts';
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

/** Binds the simulations of manifests, and the second entry point to the instances of projects. */
export const bindSimulationOperations = (
  dispatcher: Dispatcher,
  simulations: SimulationService<PlainCaller>,
  instances: ProjectInstances<PlainCaller>,
): void => {
  dispatcher
    .bind(simulationLoad, ({ arguments: request, caller }) =>
      simulations.load(request, plainCaller(caller)),
    )
    .bind(simulationList, () => simulations.list())
    .bind(simulationStatus, ({ arguments: request, given }) => simulations.status(request, given))
    .bind(simulationStart, ({ arguments: request, caller }) =>
      simulations.start(request, plainCaller(caller)),
    )
    .bind(simulationStop, ({ arguments: request }) => simulations.stop(request))
    .bind(simulationUnload, ({ arguments: request }) => simulations.unload(request))
    .bind(simulationSignals, ({ arguments: request }) =>
      instances.signals(request.instance, pageRange(request)),
    )
    .bind(simulationSet, ({ arguments: { instance, signal, value } }) =>
      instances.set(instance, signal, value),
    )
    .bind(simulationSave, ({ arguments: request }) => instances.save(request));
};
