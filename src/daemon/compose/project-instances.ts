import type { Clock } from '../../base/clock/clock.ts';
import type { ListPage } from '../../base/json/list-page.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { BuilderRuns } from '../../gateway/build/builder-runs.ts';
import { graphPage } from '../../gateway/graph/graph-page.ts';
import { KeptGraph } from '../../gateway/graph/kept-graph.ts';
import { type FaultEntry, FaultRules } from '../../gateway/image/fault-page.ts';

import { changeOfSet } from '../../gateway/image/set-signal.ts';
import { signalRules } from '../../gateway/image/signal-rules.ts';
import { type InstanceHost, loadInstance } from '../../gateway/instances/instance-loads.ts';
import { faultPage, instancePage, signalPage } from '../../gateway/instances/instance-pages.ts';
import type { GatewaySignal } from '../../gateway/instances/instance-record.ts';
import type { SharedInstance } from '../../gateway/instances/instance-registry.ts';
import { InstanceView } from '../../gateway/instances/instance-view.ts';
import type { OpenLibrary } from '../../gateway/plugins/library-files.ts';
import type { PluginStarts } from '../../gateway/plugins/plugin-starts.ts';
import type { InstanceWatches } from '../../gateway/watch/instance-watches.ts';
import type { ArgumentsOf } from '../../operations/define.ts';
import { type Caller, plainCaller } from '../../operations/dispatcher.ts';

import type {
  gatewayFault,
  gatewayFaults,
  gatewaySave,
  gatewaySet,
  gatewaySignals,
} from '../../operations/gateway.ts';

import type { gatewaySignal } from '../../operations/gateway-details.ts';
import type { gatewayGraph } from '../../operations/gateway-watch.ts';
import {
  gatewayGraphPage,
  gatewaySignalPage,
  gatewayTaskPage,
  pageBytes,
} from '../../operations/limits.ts';

import type { BenchOffer } from './thread-contracts.ts';

export interface GatewayContext {
  readonly clock: Clock;
  readonly bench: Remote<BenchOffer>;
  readonly builder: BuilderRuns;
  readonly watches: InstanceWatches;
  readonly plugins: GatewayPlugins;
}

/** What starts and watches plugins. */
export interface GatewayPlugins {
  readonly starts: PluginStarts;
  /** There are plugins from now on. */
  watch(): Promise<void>;
}

const hostOf = (bench: Remote<BenchOffer>, caller: Caller): InstanceHost => ({
  reserve: (name) => bench.reserveInstance(name),
  nameAfter: (reservation, projectId) =>
    bench.nameInstance(reservation, projectId, plainCaller(caller)),
  charge: (reservation, bytes) => bench.chargeInstance(reservation, bytes),
  commit: (reservation, file, image) => bench.commitInstance(reservation, file, image),
  release: (reservation) => bench.releaseInstance(reservation),
});

/** Which tasks an answer shows; the first ones if left out. */
interface TaskRange {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** What `gateway` and `simulation` both do with the instances of projects: one service, two entry points. */
export class ProjectInstances {
  readonly #clock: Clock;
  readonly #bench: Remote<BenchOffer>;
  readonly #builder: BuilderRuns;
  readonly #watches: InstanceWatches;
  readonly #plugins: GatewayPlugins;
  readonly #graph: KeptGraph;

  constructor({ clock, bench, builder, watches, plugins }: GatewayContext) {
    this.#clock = clock;
    this.#bench = bench;
    this.#builder = builder;
    this.#watches = watches;
    this.#plugins = plugins;
    this.#graph = new KeptGraph(({ image }) => builder.run((remote) => remote.graph(image.text)));
  }

  /** Without a name the instance gets that of its project, or else of the bench of the caller. */
  async load(file: string, instance: string | null, caller: Caller): Promise<ListPage> {
    const host = hostOf(this.#bench, caller);
    const loaded = await loadInstance({ file, instance }, host, (path, steps) =>
      this.#builder.run((remote) => remote.load(path), steps),
    );
    return this.#page(loaded);
  }

  async start(instance: string, caller: Caller): Promise<ListPage> {
    const shared = await this.#bench.instance(instance);
    const start = (libraries: readonly OpenLibrary[]) =>
      this.#bench.startInstance(instance, plainCaller(caller), libraries);
    const isIdle = shared.state === 'loaded' || shared.state === 'stopped';
    if (shared.image.plugins === 0) return this.#page(await start([]));
    // What is refused anyway need not be tried.
    if (shared.wasStarted || !isIdle) return this.#page(await start([]));
    await this.#plugins.watch();
    return this.#page(await this.#plugins.starts.with(shared, start));
  }

  async stop(instance: string): Promise<ListPage> {
    return this.#page(await this.#bench.stopInstance(instance));
  }

  async show(instance: string, range: TaskRange): Promise<ListPage> {
    return this.#page(await this.#bench.instance(instance), range);
  }

  async signals(request: ArgumentsOf<typeof gatewaySignals>): Promise<ListPage> {
    const { instance, offset = 0, limit = gatewaySignalPage.default } = request;
    return signalPage(await this.#bench.instance(instance), { offset, limit, maxBytes: pageBytes });
  }

  async signal({ instance, signal }: ArgumentsOf<typeof gatewaySignal>) {
    const view = new InstanceView(await this.#bench.instance(instance));
    const place = view.reader.requireSignal(signal);
    return { ...view.signals(place, 1).entry(0), ...signalRules(view.reader, place) };
  }

  async set(request: ArgumentsOf<typeof gatewaySet>): Promise<GatewaySignal> {
    const { instance, signal, value } = request;
    const shared = await this.#bench.instance(instance);
    const view = new InstanceView(shared);
    const change = changeOfSet(view.reader, signal, value, this.#clock.unixUs());
    await this.#bench.setSignal(instance, shared.serial, change);
    return view.signals(change.signal, 1).entry(0);
  }

  async save({ instance, file, overwrite }: ArgumentsOf<typeof gatewaySave>): Promise<ListPage> {
    const shared = await this.#bench.instance(instance);
    const { image } = shared;
    const switches = new FaultRules(image).switches();
    const how = { switches, overwrite };
    await this.#builder.run((remote) => remote.save(image.text, file ?? shared.file, how));
    return this.#page(await this.#bench.instance(instance));
  }

  async faults(request: ArgumentsOf<typeof gatewayFaults>): Promise<ListPage> {
    const { instance, offset = 0, limit = gatewaySignalPage.default } = request;
    const shared = await this.#bench.instance(instance);
    return faultPage(shared, { offset, limit, maxBytes: pageBytes });
  }

  async switchFault(request: ArgumentsOf<typeof gatewayFault>): Promise<FaultEntry> {
    const { instance, rule, enabled } = request;
    const { serial, image } = await this.#bench.instance(instance);
    const rules = new FaultRules(image);
    const place = rules.require(rule);
    await this.#bench.switchFault(instance, serial, place, enabled);
    return rules.entry(place);
  }

  async graph(request: ArgumentsOf<typeof gatewayGraph>): Promise<ListPage> {
    const { instance, offset = 0, limit = gatewayGraphPage.default } = request;
    const shared = await this.#bench.instance(instance);
    const graph = await this.#graph.of(shared);
    return graphPage(shared, graph, { offset, limit, maxBytes: pageBytes });
  }

  async unload(instance: string): Promise<ListPage> {
    const unloaded = await this.#bench.unloadInstance(instance);
    this.#watches.unloaded(unloaded.serial);
    this.#graph.forget(unloaded.serial);
    return this.#page(unloaded);
  }

  async #page(instance: SharedInstance, range: TaskRange = {}): Promise<ListPage> {
    const { offset = 0, limit = gatewayTaskPage.default } = range;
    const daemonBytes = await this.#bench.instanceBytes();
    return instancePage(instance, daemonBytes, { offset, limit, maxBytes: pageBytes });
  }
}
