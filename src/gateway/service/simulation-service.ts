import type { ListPage } from '../../base/json/list-page.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { BuilderRuns } from '../build/builder-runs.ts';
import { type InstanceHost, loadInstance } from '../instances/instance-loads.ts';
import type { InstanceOffer } from '../instances/instance-offer.ts';
import { type PageRange, refuseRange } from '../instances/instance-pages.ts';
import type { SimulationOffer } from '../runtime/simulation-offer.ts';
import {
  type LoadArguments,
  loadForm,
  type NameArguments,
  nameForm,
  neededNameForm,
  type PageSize,
  simulatedRange,
} from '../simulation/command-forms.ts';
import type { SimulationManifest } from '../simulation/manifest.ts';
import type { MessageRange } from '../simulation/simulation.ts';
import type { SimulationRecord } from '../simulation/simulation-record.ts';
import type { ProjectInstances } from './project-instances.ts';

export interface SimulationServiceOptions<Caller> {
  readonly bench: Remote<InstanceOffer<Caller> & SimulationOffer<Caller>>;
  readonly builder: BuilderRuns;
  readonly instances: ProjectInstances<Caller>;
  /** Messages of a simulation that an answer shows. */
  readonly messagePage: PageSize;
  /** Tasks of an instance that it shows. */
  readonly firstTasks: PageRange;
}

interface StatusRequest extends NameArguments {
  readonly offset: number;
  readonly limit?: number | undefined;
}

/** The simulations of manifests, and the second entry point to the instances of projects. */
export class SimulationService<Caller> {
  readonly #options: SimulationServiceOptions<Caller>;
  readonly #firstMessages: MessageRange;

  constructor(options: SimulationServiceOptions<Caller>) {
    this.#options = options;
    this.#firstMessages = { offset: 0, limit: options.messagePage.default };
  }

  load(given: LoadArguments, caller: Caller): Promise<ListPage | SimulationRecord> {
    const form = loadForm(given);
    return 'project' in form
      ? this.#options.instances.load(form.project, given.instance, caller)
      : this.#loadManifest(form.manifest);
  }

  async list(): Promise<{ simulations: SimulationRecord[] }> {
    return { simulations: await this.#options.bench.simulations() };
  }

  /** One simulation or instance, or all simulations without a range. What is left out depends on which. */
  status(request: StatusRequest, given: ReadonlySet<string>) {
    const { bench, instances, messagePage, firstTasks } = this.#options;
    const form = nameForm(request);
    if (!form) {
      refuseRange(given);
      return this.list();
    }
    const { offset, limit } = request;
    return 'instance' in form
      ? instances.show(form.instance, { ...firstTasks, offset, limit: limit ?? firstTasks.limit })
      : bench.simulation(form.name, simulatedRange(offset, limit, messagePage));
  }

  start(given: NameArguments, caller: Caller): Promise<ListPage | SimulationRecord> {
    const { bench, instances } = this.#options;
    const form = neededNameForm(given);
    return 'instance' in form
      ? instances.start(form.instance, caller)
      : bench.startSimulation(form.name, this.#firstMessages, caller);
  }

  stop(given: NameArguments): Promise<ListPage | SimulationRecord> {
    const { bench, instances } = this.#options;
    const form = neededNameForm(given);
    return 'instance' in form
      ? instances.stop(form.instance)
      : bench.stopSimulation(form.name, this.#firstMessages);
  }

  unload(given: NameArguments): Promise<ListPage | SimulationRecord> {
    const { bench, instances } = this.#options;
    const form = neededNameForm(given);
    return 'instance' in form
      ? instances.unload(form.instance)
      : bench.unloadSimulation(form.name, this.#firstMessages);
  }

  async #loadManifest(file: string): Promise<SimulationRecord> {
    const { bench, builder } = this.#options;
    const host: InstanceHost<SimulationManifest, string> = {
      reserve: (name) => bench.reserveInstance(name),
      identify: (reservation, name) => bench.nameSimulation(reservation, name ?? ''),
      charge: (reservation, bytes) => bench.chargeInstance(reservation, bytes),
      commit: (reservation, path, manifest) => bench.commitSimulation(reservation, path, manifest),
      release: (reservation) => bench.releaseInstance(reservation),
    };
    const name = await loadInstance({ file, instance: null }, host, (path, steps) =>
      builder.run((remote) => remote.loadManifest(path), steps),
    );
    return bench.simulation(name, this.#firstMessages);
  }
}
