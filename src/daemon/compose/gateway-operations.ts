import type { Clock } from '../../base/clock/clock.ts';
import type { ListPage } from '../../base/json/list-page.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { BuilderRuns } from '../../gateway/build/builder-runs.ts';
import { changeOfSet } from '../../gateway/image/set-signal.ts';
import { type InstanceHost, loadInstance } from '../../gateway/instances/instance-loads.ts';
import {
  instanceList,
  instancePage,
  refuseRange,
  signalPage,
} from '../../gateway/instances/instance-pages.ts';
import type { SharedInstance } from '../../gateway/instances/instance-registry.ts';
import { InstanceView } from '../../gateway/instances/instance-view.ts';
import type { Call, Dispatcher } from '../../operations/dispatcher.ts';
import { plainCaller } from '../../operations/dispatcher.ts';
import {
  gatewayLoad,
  gatewaySave,
  gatewaySet,
  gatewaySignals,
  gatewayStatus,
  gatewayUnload,
  gatewayValidate,
} from '../../operations/gateway.ts';
import { gatewayImport } from '../../operations/gateway-import.ts';
import { gatewaySignalPage, gatewayTaskPage, pageBytes } from '../../operations/limits.ts';
import type { BenchOffer } from './thread-contracts.ts';

interface GatewayContext {
  readonly clock: Clock;
  readonly bench: Remote<BenchOffer>;
  readonly builder: BuilderRuns;
}

const hostOf = (bench: Remote<BenchOffer>, { caller }: Call): InstanceHost => ({
  reserve: (name) => bench.reserveInstance(name),
  nameAfter: (reservation, projectId) =>
    bench.nameInstance(reservation, projectId, plainCaller(caller)),
  charge: (reservation, bytes) => bench.chargeInstance(reservation, bytes),
  commit: (reservation, file, image) => bench.commitInstance(reservation, file, image),
  release: (reservation) => bench.releaseInstance(reservation),
});

const firstTasks = { offset: 0, limit: gatewayTaskPage.default } as const;

/** Binds what concerns gateway projects and their instances. */
export const bindGatewayOperations = (
  dispatcher: Dispatcher,
  { clock, bench, builder }: GatewayContext,
): void => {
  const page = async (instance: SharedInstance): Promise<ListPage> =>
    instancePage(instance, await bench.instanceBytes(), { ...firstTasks, maxBytes: pageBytes });
  dispatcher
    .bind(gatewayValidate, ({ arguments: { file } }) =>
      builder.run((remote) => remote.validate(file)),
    )
    .bind(gatewayImport, ({ arguments: given }) => builder.run((remote) => remote.importDbc(given)))
    .bind(gatewayLoad, async (call) => {
      const { file, instance = null } = call.arguments;
      const loaded = await loadInstance({ file, instance }, hostOf(bench, call), (path, steps) =>
        builder.run((remote) => remote.load(path), steps),
      );
      return page(loaded);
    })
    .bind(gatewayStatus, async ({ arguments: { instance, offset, limit }, given }) => {
      if (instance !== undefined) {
        const range = {
          offset: offset ?? 0,
          limit: limit ?? firstTasks.limit,
          maxBytes: pageBytes,
        };
        return instancePage(await bench.instance(instance), await bench.instanceBytes(), range);
      }
      refuseRange(given);
      return instanceList(await bench.instances(), await bench.instanceBytes());
    })
    .bind(gatewaySignals, async ({ arguments: { instance, offset = 0, limit } }) =>
      signalPage(await bench.instance(instance), {
        offset,
        limit: limit ?? gatewaySignalPage.default,
        maxBytes: pageBytes,
      }),
    )
    .bind(gatewaySet, async ({ arguments: { instance, signal, value } }) => {
      const shared = await bench.instance(instance);
      const view = new InstanceView(shared);
      const change = changeOfSet(view.reader, signal, value, clock.unixUs());
      await bench.setSignal(instance, shared.serial, change);
      return view.signals(change.signal, 1).entry(0);
    })
    .bind(gatewaySave, async ({ arguments: { instance, file } }) => {
      const shared = await bench.instance(instance);
      await builder.run((remote) => remote.save(shared.image.text, file ?? shared.file));
      return page(await bench.instance(instance));
    })
    .bind(gatewayUnload, async ({ arguments: { instance } }) =>
      page(await bench.unloadInstance(instance)),
    );
};
