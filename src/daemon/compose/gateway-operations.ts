import type { Clock } from '../../base/clock/clock.ts';
import type { BuilderPool } from '../../gateway/build/builder-pool.ts';
import type { GatewaySignal } from '../../gateway/instances/instance-record.ts';
import type { ProjectInstances } from '../../gateway/service/project-instances.ts';
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
import { LinkSink, messages } from '../ipc/link-sink.ts';

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
