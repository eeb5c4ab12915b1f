import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type Remote, type RpcMethods, RpcPort } from '../../base/threads/rpc-port.ts';
import type { Broker } from '../../broker/broker.ts';
import { Supervisor, type ThreadReport } from './supervisor.ts';
import { linkThreads } from './thread-link.ts';

interface WorkerThreadsOptions<BenchRpc extends RpcMethods> {
  readonly clock: Clock;
  readonly broker: Broker;
  readonly startLoader: () => Worker;
  readonly startClient: (reader: number) => Worker;
  readonly offer: () => BenchRpc;
  readonly onClientOnline: () => void;
  readonly onClientGone: () => void;
  readonly onDeath: (report: ThreadReport) => void;
  readonly onDefect: (thrown: unknown) => void;
}

export class WorkerThreads<
  BenchRpc extends RpcMethods,
  ClientRpc extends RpcMethods,
  LoaderRpc extends RpcMethods,
> {
  readonly #options: WorkerThreadsOptions<BenchRpc>;
  readonly #supervisor: Supervisor;
  readonly #workers: { client?: Worker; loader?: Worker } = {};
  #client: RpcPort<ClientRpc> | undefined;
  #loader: RpcPort<LoaderRpc> | undefined;

  constructor(options: WorkerThreadsOptions<BenchRpc>) {
    this.#options = options;
    const { clock, onDeath } = options;
    this.#supervisor = new Supervisor({ clock, onDeath });
  }

  get reports(): readonly ThreadReport[] {
    return this.#supervisor.reports;
  }

  get client(): Remote<ClientRpc> | undefined {
    return this.#client?.remote;
  }

  get servingClient(): Remote<ClientRpc> {
    if (!this.#client) throw new BusbarError('internal_error');
    return this.#client.remote;
  }

  get loader(): Remote<LoaderRpc> {
    if (!this.#loader) throw new BusbarError('internal_error');
    return this.#loader.remote;
  }

  start(): void {
    this.#supervisor.add('loader', {
      start: () => this.#startLoader(),
      onGone: () => this.#loader?.break(),
    });
    const { broker, onClientGone } = this.#options;
    let reader = broker.claimReader();
    this.#supervisor.add('client', {
      start: () => this.#startClient(reader),
      onGone: () => {
        this.#client?.break();
        onClientGone();
        // Writers must not wake a dead thread.
        broker.releaseReader(reader);
        reader = broker.claimReader();
      },
    });
  }

  settled(): Promise<void> {
    return this.#supervisor.settled();
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  #startLoader(): Worker {
    const { startLoader, onDefect } = this.#options;
    const worker = startLoader();
    this.#loader = new RpcPort<LoaderRpc>(worker, {}, onDefect);
    this.#workers.loader = worker;
    if (this.#workers.client) linkThreads(this.#workers.client, worker);
    return worker;
  }

  #startClient(reader: number): Worker {
    const { startClient, offer, onClientOnline, onDefect } = this.#options;
    const worker = startClient(reader);
    worker.once('online', onClientOnline);
    this.#workers.client = worker;
    if (this.#workers.loader) linkThreads(worker, this.#workers.loader);
    this.#client = new RpcPort<ClientRpc>(worker, offer(), onDefect);
    return worker;
  }
}
