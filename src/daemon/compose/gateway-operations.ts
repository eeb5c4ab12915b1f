import type { Clock } from '../../base/clock/clock.ts';
import type { BuilderPool } from '../../gateway/build/builder-pool.ts';
import type { GatewaySignal } from '../../gateway/instances/instance-record.ts';
import type { ProjectInstances } from '../../gateway/service/project-instances.ts';
import { loadForm, neededNameForm } from '../../gateway/simulation/command-forms.ts';
import type { InstanceWatches } from '../../gateway/watch/instance-watches.ts';
import type { WatchItem } from '../../gateway/watch/watch-cursor.ts';
import type { WatchEvent } from '../../gateway/watch/watch-record.ts';
import { type Dispatcher, type PlainCaller, plainCaller } from '../../operations/dispatcher.ts';
import {
  gatewayFault,
  gatewayFaultEvents,
  gatewayFaults,
  gatewayLoad,
  gatewaySave,
  gatewaySet,
  gatewaySignals,
  gatewayStart,
  gatewayStatus,
  gatewayStop,
  gatewayUnload,
  gatewayValidate,
} from '../../operations/gateway.ts';
import { gatewayFiles, gatewaySignal } from '../../operations/gateway-details.ts';
import { gatewayImport } from '../../operations/gateway-import.ts';
import { gatewayGraph, gatewayWatch } from '../../operations/gateway-watch.ts';
import { pageBytes, pageRange } from '../../operations/limits.ts';
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
import { LinkSink, messages } from '../ipc/link-sink.ts';

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

interface GatewayContext {
  readonly clock: Clock;
  readonly builder: BuilderPool;
  readonly instances: ProjectInstances<PlainCaller>;
  readonly watches: InstanceWatches;
}

const signalMessages = messages((item: WatchItem, event: WatchEvent) =>
  event === 'signals' ? (item as GatewaySignal) : null,
);

export const bindGatewayOperations = (
  dispatcher: Dispatcher,
  { clock, builder, instances, watches }: GatewayContext,
): void => {
  dispatcher
    .bind(gatewayValidate, ({ arguments: { file } }) =>
      builder.run((remote) => remote.validate(file)),
    )
    .bind(gatewayFiles, ({ arguments: { type, offset, limit } }) =>
      instances.files(type, offset, limit),
    )
    .bind(gatewayImport, ({ arguments: given }) => builder.run((remote) => remote.importDbc(given)))
    .bind(gatewayLoad, ({ arguments: request, caller }) =>
      instances.load({ ...request, kind: 'project' }, plainCaller(caller)),
    )
    .bind(gatewayStatus, ({ arguments: request, given }) =>
      instances.status(request.instance, pageRange(request), given),
    )
    .bind(gatewayStart, ({ arguments: { instance }, caller }) =>
      instances.start({ name: instance }, plainCaller(caller)),
    )
    .bind(gatewayStop, ({ arguments: { instance } }) => instances.stop({ name: instance }))
    .bind(gatewaySignals, ({ arguments: request }) =>
      instances.signals(request.instance, pageRange(request)),
    )
    .bind(gatewaySignal, ({ arguments: { instance, signal } }) =>
      instances.signal(instance, signal),
    )
    .bind(gatewaySet, ({ arguments: { instance, signal, value } }) =>
      instances.set(instance, signal, value),
    )
    .bind(gatewayFaults, ({ arguments: request }) =>
      instances.faults(request.instance, pageRange(request)),
    )
    .bind(gatewayFaultEvents, ({ arguments: { instance, after, limit } }) =>
      instances.faultEvents(instance, { after, limit, maxBytes: pageBytes }),
    )
    .bind(gatewayFault, ({ arguments: { instance, rule, enabled } }) =>
      instances.switchFault(instance, rule, enabled),
    )
    .bind(gatewaySave, ({ arguments: request }) => instances.save(request))
    .bind(gatewayUnload, ({ arguments: { instance } }) => instances.unload({ name: instance }))
    .bind(gatewayGraph, ({ arguments: request }) =>
      instances.graph(request.instance, pageRange(request)),
    )
    .bindStream(gatewayWatch, ({ arguments: request }, reply) =>
      new LinkSink({ reply, clock, encoder: signalMessages, end: request }).open((sink) =>
        watches.watch(request.instance, [], sink),
      ),
    );
};
