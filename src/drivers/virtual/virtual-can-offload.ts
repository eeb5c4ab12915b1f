import type {
  CanOffload,
  CyclicJob,
  OffloadedCyclic,
  OffloadedRoute,
  RouteJob,
} from '../can-offload.ts';
import type { NotTaken } from '../send-result.ts';
import { CanCyclicJob } from './can-cyclic-job.ts';
import type { CanDevicePort } from './can-device-port.ts';
import type { CanDeviceRoute } from './can-device-route.ts';
import type { CanDeviceRoutes } from './can-device-routes.ts';

/** What the simulated device sends by itself from one of its ports. */
export class VirtualCanOffload implements CanOffload {
  readonly #port: CanDevicePort;
  readonly #routes: CanDeviceRoutes;

  constructor(port: CanDevicePort, routes: CanDeviceRoutes) {
    this.#port = port;
    this.#routes = routes;
  }

  startCyclic(wanted: CyclicJob): OffloadedCyclic | undefined {
    const port = this.#port;
    const nowUs = port.settle();
    const { jobs } = port.node;
    if (jobs.isFull) return undefined;
    const job = new CanCyclicJob(wanted, nowUs);
    jobs.add(job);
    port.node.measureJobs();
    port.attend();
    return new RunningCyclic(port, job);
  }

  startRoute(wanted: RouteJob): OffloadedRoute | undefined {
    this.#port.settle();
    const route = this.#routes.start(this.#port, wanted);
    return route && new RunningRoute(this.#routes, route);
  }
}

interface Counts {
  readonly sent: number;
  readonly failed: number;
  readonly lastRefusal: NotTaken | undefined;
}

/** Counts are asked for now and then; the caller gets those of now. */
abstract class Running<Work extends Counts> {
  protected readonly port: CanDevicePort;
  readonly #work: Work;

  constructor(port: CanDevicePort, work: Work) {
    this.port = port;
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
    this.port.settle();
    return this.#work;
  }
}

class RunningCyclic extends Running<CanCyclicJob> implements OffloadedCyclic {
  get isFinished(): boolean {
    return this.settled.isFinished;
  }

  stop(): void {
    this.port.node.jobs.remove(this.settled);
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
