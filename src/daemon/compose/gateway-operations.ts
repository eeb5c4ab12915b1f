import { filePage, fileTypes } from '../../gateway/files/file-listing.ts';
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
import { gatewayFiles, gatewaySignal } from '../../operations/gateway-details.ts';
import { gatewayImport } from '../../operations/gateway-import.ts';
import { gatewayGraph, gatewayWatch } from '../../operations/gateway-watch.ts';
import { projectFilePage } from '../../operations/limits.ts';
import { WatchOutlet } from '../ipc/watch-outlet.ts';
import type { GatewayContext, ProjectInstances } from './project-instances.ts';

/** Binds what concerns gateway projects and their instances. */
export const bindGatewayOperations = (
  dispatcher: Dispatcher,
  { clock, bench, builder, watches }: GatewayContext,
  instances: ProjectInstances,
): void => {
  dispatcher
    .bind(gatewayValidate, ({ arguments: { file } }) =>
      builder.run((remote) => remote.validate(file)),
    )
    .bind(gatewayFiles, async ({ arguments: { type, offset = 0, limit } }) => {
      const listing = await builder.run((remote) => remote.list(fileTypes[type]));
      return filePage(type, listing, offset, limit ?? projectFilePage.default);
    })
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
    .bind(gatewaySignal, ({ arguments: request }) => instances.signal(request))
    .bind(gatewaySet, ({ arguments: request }) => instances.set(request))
    .bind(gatewayFaults, ({ arguments: request }) => instances.faults(request))
    .bind(gatewayFault, ({ arguments: request }) => instances.switchFault(request))
    .bind(gatewaySave, ({ arguments: request }) => instances.save(request))
    .bind(gatewayUnload, ({ arguments: { instance } }) => instances.unload(instance))
    .bind(gatewayGraph, ({ arguments: request }) => instances.graph(request))
    .bindStream(gatewayWatch, async ({ arguments: { instance, count, duration_ms } }, sink) => {
      const outlet = new WatchOutlet({
        sink,
        clock,
        count: count ?? Number.POSITIVE_INFINITY,
        durationMs: duration_ms ?? null,
      });
      try {
        const subscription = await watches.watch(instance, outlet);
        outlet.attach(subscription);
        subscription.resume();
      } catch (thrown) {
        outlet.close();
        throw thrown;
      }
      return outlet;
    });
};
