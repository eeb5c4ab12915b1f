import type { Clock } from '../../base/clock/clock.ts';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { BuilderRuns } from '../../gateway/build/builder-runs.ts';
import { changeOfSet } from '../../gateway/image/set-signal.ts';
import { type InstanceHost, loadInstance } from '../../gateway/instances/instance-loads.ts';
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
import { gatewaySignalPage, gatewayTaskPage } from '../../operations/limits.ts';
import { ListPage } from './list-page.ts';
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

/** An instance with some of its tasks, as many as an answer has room for. */
const taskPage = (
  instance: SharedInstance,
  daemonBytes: number,
  offset = 0,
  limit: number = gatewayTaskPage.default,
): ListPage => {
  const view = new InstanceView(instance);
  const first = Math.min(offset, view.taskCount);
  return new ListPage({
    list: 'tasks',
    items: view.tasks(first, limit),
    rest: (count) => ({
      ...view.summary(daemonBytes),
      task_total: view.taskCount,
      task_offset: offset,
      task_next_offset: first + count,
    }),
  });
};

/** Instances without their tasks. */
const instanceList = (instances: readonly SharedInstance[], daemonBytes: number) => ({
  gateways: instances.map((instance) => {
    const view = new InstanceView(instance);
    const none = { task_offset: 0, task_next_offset: 0, tasks: [] };
    return { ...view.summary(daemonBytes), task_total: view.taskCount, ...none };
  }),
});

const signalPage = (instance: SharedInstance, offset: number, limit: number): ListPage => {
  const view = new InstanceView(instance);
  const first = Math.min(offset, view.signalCount);
  const snapshot = view.signals(first, limit);
  return new ListPage({
    list: 'signals',
    items: snapshot.entries(),
    rest: (count) => ({
      instance: instance.name,
      state: instance.state,
      snapshot_version: snapshot.version,
      signal_total: view.signalCount,
      signal_offset: offset,
      signal_next_offset: first + count,
    }),
  });
};

/** Binds what concerns gateway projects and their instances. */
export const bindGatewayOperations = (
  dispatcher: Dispatcher,
  { clock, bench, builder }: GatewayContext,
): void => {
  const page = async (instance: SharedInstance): Promise<ListPage> =>
    taskPage(instance, await bench.instanceBytes());
  dispatcher
    .bind(gatewayValidate, ({ arguments: { file } }) =>
      builder.run((remote) => remote.validate(file)),
    )
    .bind(gatewayLoad, async (call) => {
      const { file, instance = null } = call.arguments;
      const loaded = await loadInstance({ file, instance }, hostOf(bench, call), (path, steps) =>
        builder.run((remote) => remote.load(path), steps),
      );
      return page(loaded);
    })
    .bind(gatewayStatus, async ({ arguments: { instance, offset, limit }, given }) => {
      if (instance !== undefined) {
        return taskPage(await bench.instance(instance), await bench.instanceBytes(), offset, limit);
      }
      const field = ['offset', 'limit'].find((name) => given.has(name));
      if (field !== undefined) {
        throw invalidArgument(field, `${field} is for the tasks of one instance: name it`);
      }
      return instanceList(await bench.instances(), await bench.instanceBytes());
    })
    .bind(gatewaySignals, async ({ arguments: { instance, offset = 0, limit } }) =>
      signalPage(await bench.instance(instance), offset, limit ?? gatewaySignalPage.default),
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
