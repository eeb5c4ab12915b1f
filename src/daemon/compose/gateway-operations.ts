import { instanceList, refuseRange } from '../../gateway/instances/instance-pages.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import {
  gatewayFault,
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
import { gatewayImport } from '../../operations/gateway-import.ts';
import type { GatewayContext, ProjectInstances } from './project-instances.ts';

/** Binds what concerns gateway projects and their instances. */
export const bindGatewayOperations = (
  dispatcher: Dispatcher,
  { bench, builder }: GatewayContext,
  instances: ProjectInstances,
): void => {
  dispatcher
    .bind(gatewayValidate, ({ arguments: { file } }) =>
      builder.run((remote) => remote.validate(file)),
    )
    .bind(gatewayImport, ({ arguments: given }) => builder.run((remote) => remote.importDbc(given)))
    .bind(gatewayLoad, ({ arguments: { file, instance = null }, caller }) =>
      instances.load(file, instance, caller),
    )
    .bind(gatewayStatus, async ({ arguments: { instance, ...range }, given }) => {
      if (instance !== undefined) return instances.show(instance, range);
      refuseRange(given);
      return instanceList(await bench.instances(), await bench.instanceBytes());
    })
    .bind(gatewayStart, ({ arguments: { instance }, caller }) => instances.start(instance, caller))
    .bind(gatewayStop, ({ arguments: { instance } }) => instances.stop(instance))
    .bind(gatewaySignals, ({ arguments: request }) => instances.signals(request))
    .bind(gatewaySet, ({ arguments: request }) => instances.set(request))
    .bind(gatewayFaults, ({ arguments: request }) => instances.faults(request))
    .bind(gatewayFault, ({ arguments: request }) => instances.switchFault(request))
    .bind(gatewaySave, ({ arguments: request }) => instances.save(request))
    .bind(gatewayUnload, ({ arguments: { instance } }) => instances.unload(instance));
};
