import type {
  CanOffload,
  CyclicJob,
  NotTaken,
  OffloadedCyclic,
  OffloadedRoute,
  RouteJob,
} from '../can-offload.ts';
import { CanCyclicJob } from './can-cyclic-job.ts';
import type { CanDeviceRoute } from './can-device-route.ts';
import type { CanDeviceRoutes } from './can-device-routes.ts';
import type { VirtualCanChannel } from './virtual-can-channel.ts';

/** What the simulated device sends by itself from one of its ports. */
export class VirtualCanOffload implements CanOffload {
  readonly #channel: VirtualCanChannel;
  readonly #routes: CanDeviceRoutes;

  constructor(channel: VirtualCanChannel, routes: CanDeviceRoutes) {
    this.#channel = channel;
    this.#routes = routes;
  }

  startCyclic(wanted: CyclicJob): OffloadedCyclic | undefined {
    const channel = this.#channel;
    const nowUs = channel.settle();
    const { jobs } = channel.node;
    if (jobs.isFull) return undefined;
    const job = new CanCyclicJob(wanted, nowUs);
    jobs.add(job);
    jobs.measure(channel.node);
    channel.attend();
    return new RunningCyclic(channel, job);
  }

  startRoute(wanted: RouteJob): OffloadedRoute | undefined {
    this.#channel.settle();
    const route = this.#routes.start(this.#channel, wanted);
    return route && new RunningRoute(this.#routes, route);
  }
}

interface Counts {
  readonly sent: number;
  readonly failed: number;
  readonly lastRefusal: NotTaken | undefined;
}

/** Counts are asked for now and then; whoever asks gets those of now. */
abstract class Running<Work extends Counts> {
  protected readonly channel: VirtualCanChannel;
  readonly #work: Work;

  constructor(channel: VirtualCanChannel, work: Work) {
    this.channel = channel;
    this.#work = work;
  }

  get sent(): number {
    return this.settled.sent;
  }

  get failed(): number {
    return this.settled.failed;
  }

  get lastRefusal(): NotTaken | undefined {
    return this.settled.lastRefusal;
  }

  protected get settled(): Work {
    this.channel.settle();
    return this.#work;
  }
}

class RunningCyclic extends Running<CanCyclicJob> implements OffloadedCyclic {
  get isFinished(): boolean {
    return this.settled.isFinished;
  }

  stop(): void {
    this.channel.node.jobs.remove(this.settled);
  }
}

class RunningRoute extends Running<CanDeviceRoute> implements OffloadedRoute {
  readonly #routes: CanDeviceRoutes;

  constructor(routes: CanDeviceRoutes, route: CanDeviceRoute) {
    super(route.source, route);
    this.#routes = routes;
  }

  get matched(): number {
    return this.settled.matched;
  }

  stop(): void {
    this.#routes.stop(this.settled);
  }
}
