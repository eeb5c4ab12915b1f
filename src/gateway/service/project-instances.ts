import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ListPage } from '../../base/json/list-page.ts';
import type { Remote } from '../../base/threads/rpc-port.ts';
import { newVerdict, type Verdict, withdraw } from '../../base/threads/verdict.ts';
import type { BuilderPool } from '../build/builder-pool.ts';
import { type FileType, filePage, fileTypes } from '../files/file-listing.ts';
import { GraphCache, graphPage } from '../graph/packed-graph.ts';
import { type CheckedMessage, checkedMessage } from '../image/checked-message.ts';
import type { SelectorOfSlot } from '../image/fault-events.ts';
import { FaultRules } from '../image/fault-page.ts';
import type { GatewayFault } from '../image/fault-record.ts';
import { changeOfSet } from '../image/set-signal.ts';
import { signalRules } from '../image/signal-rules.ts';
import {
  faultEventPage,
  faultPage,
  type HistoryRange,
  instanceList,
  instancePage,
  type PageRange,
  refuseRange,
  signalPage,
} from '../instances/instance-pages.ts';
import type { GatewaySignal, GatewaySignalRules } from '../instances/instance-record.ts';
import type { SharedInstance } from '../instances/instance-registry.ts';
import type { InstanceRpc } from '../instances/instance-rpc.ts';
import { InstanceView } from '../instances/instance-view.ts';
import {
  type PageSize,
  type RangeArguments,
  rangeOf,
  simulationList,
  simulationPage,
} from '../instances/simulation-pages.ts';
import { isUnresponsive } from '../plugins/plugin-guard.ts';
import { checkInstanceName, type InstanceKind } from '../project/instance-name.ts';
import { type NameArguments, type NamedInstance, nameForm } from '../simulation/command-forms.ts';
import type { InstanceWatches } from '../watch/instance-watches.ts';

export interface ProjectInstancesOptions<Caller> {
  readonly clock: Clock;
  readonly bench: Remote<InstanceRpc<Caller>>;
  readonly builder: BuilderPool;
  readonly watches: Pick<InstanceWatches, 'unloaded'>;
  readonly selectorOf: SelectorOfSlot;
  readonly pages: Readonly<Record<InstanceKind, PageSize>>;
  readonly maxBytes: number;
}

interface LoadForm {
  readonly file: string;
  readonly instance?: string | undefined;
  readonly kind: InstanceKind;
}

interface StatusArguments extends NameArguments, RangeArguments {}

export interface SaveRequest {
  readonly instance: string;
  readonly file?: string | undefined;
  readonly overwrite: boolean;
}

/**
 * Makes a call that must not take effect after it failed because a plugin does not return. If
 * it took effect before, `details.applied` is true.
 */
const effectiveCall = async <T>(call: (verdict: Verdict) => Promise<T>): Promise<T> => {
  const verdict = newVerdict();
  try {
    return await call(verdict);
  } catch (thrown) {
    if (!isUnresponsive(thrown)) throw thrown;
    const { code, message, details, hint } = BusbarError.from(thrown);
    const applied = !withdraw(verdict);
    throw new BusbarError(code, { message, details: { ...details, applied }, hint, cause: thrown });
  }
};

export class ProjectInstances<Caller> {
  readonly #options: ProjectInstancesOptions<Caller>;
  readonly #bench: Remote<InstanceRpc<Caller>>;
  readonly #graph: GraphCache;

  constructor(options: ProjectInstancesOptions<Caller>) {
    this.#options = options;
    this.#bench = options.bench;
    this.#graph = new GraphCache(({ image }) =>
      options.builder.run((remote) => remote.graph(image.text)),
    );
  }

  async files(type: FileType, offset: number, limit: number) {
    const listing = await this.#options.builder.run((remote) => remote.list(fileTypes[type]));
    return filePage(type, listing, offset, limit);
  }

  /** The default name is that of the file, or else of the caller's bench. */
  async load({ file, instance, kind }: LoadForm, caller: Caller): Promise<ListPage> {
    if (instance !== undefined) checkInstanceName(instance);
    const bench = this.#bench;
    const ticket = await bench.reserveInstance(instance ?? null, kind);
    try {
      const method = kind === 'manifest' ? 'loadManifest' : 'load';
      const image = await this.#options.builder.run((remote) => remote[method](file, ticket));
      return this.#page(await bench.commitInstance(ticket, file, image, caller));
    } catch (thrown) {
      await bench.releaseInstance(ticket);
      throw thrown;
    }
  }

  async start({ name, kind }: NamedInstance, caller: Caller): Promise<ListPage> {
    return effectiveCall(async (verdict) =>
      this.#page(await this.#bench.startInstance(name, caller, verdict, kind)),
    );
  }

  async stop({ name, kind }: NamedInstance): Promise<ListPage> {
    return this.#page(await this.#bench.stopInstance(name, kind));
  }

  async status(instance: string | undefined, tasks: PageRange, given: ReadonlySet<string>) {
    if (instance !== undefined) return this.#page(await this.#bench.instance(instance), tasks);
    refuseRange(given);
    return instanceList(await this.#bench.instances());
  }

  async simulationStatus(request: StatusArguments, given: ReadonlySet<string>) {
    const form = nameForm(request);
    if (form) {
      const { pages, maxBytes } = this.#options;
      const range = { ...rangeOf(request, pages[form.kind]), maxBytes };
      return this.#page(await this.#bench.instance(form.name, form.kind), range);
    }
    refuseRange(given);
    return this.simulations();
  }

  async simulations() {
    return simulationList(await this.#bench.instances('manifest'));
  }

  async signals(instance: string, page: PageRange): Promise<ListPage> {
    return signalPage(await this.#bench.instance(instance), page);
  }

  async signal(instance: string, signal: string): Promise<GatewaySignalRules> {
    const view = new InstanceView(await this.#bench.instance(instance));
    const index = view.reader.requireSignal(signal);
    return { ...view.signals(index, 1).entry(0), ...signalRules(view.reader, index) };
  }

  /** A message with an end-to-end check, or why it has none. */
  async checkedMessage(instance: string, message: string): Promise<CheckedMessage | string> {
    return checkedMessage((await this.#bench.instance(instance)).image, message);
  }

  async set(instance: string, signal: string, value: string): Promise<GatewaySignal> {
    return effectiveCall(async (verdict) => {
      const shared = await this.#bench.instance(instance);
      const view = new InstanceView(shared);
      const change = changeOfSet(view.reader, signal, value, this.#options.clock.unixUs());
      await this.#bench.setSignal(instance, shared.serial, change, verdict);
      return view.signals(change.signal, 1).entry(0);
    });
  }

  async save({ instance, file, overwrite }: SaveRequest): Promise<ListPage> {
    const shared = await this.#bench.instance(instance);
    const { image } = shared;
    const isOwn = file === undefined;
    const how = { switches: new FaultRules(image).switches(), overwrite, isOwn };
    await this.#options.builder.run((remote) => remote.save(image.text, file ?? shared.file, how));
    return this.#page(await this.#bench.instance(instance));
  }

  async faults(instance: string, page: PageRange): Promise<ListPage> {
    return faultPage(await this.#bench.instance(instance), page);
  }

  async faultEvents(instance: string, range: HistoryRange): Promise<ListPage> {
    return faultEventPage(await this.#bench.instance(instance), range, this.#options.selectorOf);
  }

  async switchFault(instance: string, rule: string, enabled: boolean): Promise<GatewayFault> {
    const { serial, image } = await this.#bench.instance(instance);
    const rules = new FaultRules(image);
    const index = rules.require(rule);
    await this.#bench.switchFault(instance, serial, index, enabled);
    return rules.entry(index);
  }

  async graph(instance: string, page: PageRange): Promise<ListPage> {
    const shared = await this.#bench.instance(instance);
    return graphPage(shared, await this.#graph.of(shared), page);
  }

  async unload({ name, kind }: NamedInstance): Promise<ListPage> {
    const unloaded = await this.#bench.unloadInstance(name, kind);
    this.#options.watches.unloaded(unloaded.serial);
    this.#graph.forget(unloaded.serial);
    return this.#page(unloaded);
  }

  #page(instance: SharedInstance, range?: PageRange): ListPage {
    const { pages, maxBytes } = this.#options;
    const first = { offset: 0, limit: pages[instance.kind].default, maxBytes };
    const page = instance.kind === 'manifest' ? simulationPage : instancePage;
    return page(instance, range ?? first);
  }
}
