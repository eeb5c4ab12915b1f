import type { ProjectInstances } from '../../gateway/service/project-instances.ts';
import { loadForm, neededNameForm } from '../../gateway/simulation/command-forms.ts';
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

export const bindSimulationOperations = (
  dispatcher: Dispatcher,
  instances: ProjectInstances<PlainCaller>,
): void => {
  dispatcher
    .bind(simulationLoad, ({ arguments: request, caller }) =>
      instances.load(loadForm(request), plainCaller(caller)),
    )
    .bind(simulationList, () => instances.simulations())
    .bind(simulationStatus, ({ arguments: request, given }) =>
      instances.simulationStatus(request, given),
    )
    .bind(simulationStart, ({ arguments: request, caller }) =>
      instances.start(neededNameForm(request), plainCaller(caller)),
    )
    .bind(simulationStop, ({ arguments: request }) => instances.stop(neededNameForm(request)))
    .bind(simulationUnload, ({ arguments: request }) => instances.unload(neededNameForm(request)))
    .bind(simulationSignals, ({ arguments: request }) =>
      instances.signals(request.instance, pageRange(request)),
    )
    .bind(simulationSet, ({ arguments: { instance, signal, value } }) =>
      instances.set(instance, signal, value),
    )
    .bind(simulationSave, ({ arguments: request }) => instances.save(request));
};
