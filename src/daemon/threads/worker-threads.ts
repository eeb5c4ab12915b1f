import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { CallPort, type Offer, type Remote } from '../../base/threads/call-port.ts';
import type { Broker } from '../../broker/broker.ts';
import { Supervisor, type ThreadReport } from './supervisor.ts';
import { linkThreads } from './thread-link.ts';

interface WorkerThreadsOptions<BenchOffer extends Offer> {
  readonly clock: Clock;
  readonly broker: Broker;
  readonly startLoader: () => Worker;
  /** `reader` is the number of the client thread among the readers of the broker. */
  readonly startClient: (reader: number) => Worker;
  /** What the bench thread does for the client thread. */
  readonly offer: () => BenchOffer;
  readonly onClientOnline: () => void;
  /** The client thread died, and its calls have no caller any longer. */
  readonly onClientGone: () => void;
  readonly onDeath: (report: ThreadReport) => void;
  readonly onDefect: (thrown: unknown) => void;
}

/** The loader and the client thread, kept alive, with their ways to the bench thread and to each other. */
export class WorkerThreads<
  BenchOffer extends Offer,
  ClientOffer extends Offer,
  LoaderOffer extends Offer,
> {
  readonly #options: WorkerThreadsOptions<BenchOffer>;
  readonly #supervisor: Supervisor;
  readonly #workers: { client?: Worker; loader?: Worker } = {};
  #client: CallPort<ClientOffer> | undefined;
  #loader: CallPort<LoaderOffer> | undefined;

  constructor(options: WorkerThreadsOptions<BenchOffer>) {
    this.#options = options;
    const { clock, onDeath } = options;
    this.#supervisor = new Supervisor({ clock, onDeath });
  }

  get reports(): readonly ThreadReport[] {
    return this.#supervisor.reports;
  }

  /** Undefined before the first one was started. */
  get client(): Remote<ClientOffer> | undefined {
    return this.#client?.remote;
  }

  /** The client thread, for what a client has asked for. */
  get servingClient(): Remote<ClientOffer> {
    if (!this.#client) throw new BusbarError('internal_error');
    return this.#client.remote;
  }

  /** The loader is there from the start, and again soon after it died. */
  get loader(): Remote<LoaderOffer> {
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
        // Writers must not ring for a thread that no longer listens.
        broker.releaseReader(reader);
        reader = broker.claimReader();
      },
    });
  }

  /** Resolves once both have come up, or ended before that. */
  settled(): Promise<void> {
    return this.#supervisor.settled();
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  #startLoader(): Worker {
    const { startLoader, onDefect } = this.#options;
    const worker = startLoader();
    this.#loader = new CallPort<LoaderOffer>(worker, {}, onDefect);
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
    this.#client = new CallPort<ClientOffer>(worker, offer(), onDefect);
    return worker;
  }
}
