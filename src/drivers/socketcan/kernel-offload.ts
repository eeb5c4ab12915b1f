import type {
  CanOffload,
  CyclicJob,
  OffloadedCyclic,
  OffloadedRoute,
  RouteJob,
  RouteTarget,
} from '../can-offload.ts';
import { unsupportedByHardware } from '../refusals.ts';
import type { BcmJobs } from './bcm-jobs.ts';
import type { KernelRoutes, RouteEnd } from './kernel-routes.ts';

export interface KernelOffloadParts {
  readonly jobs: BcmJobs;
  /** Undefined where the kernel cannot be asked for routes. */
  readonly routes: KernelRoutes | undefined;
  readonly source: RouteEnd;
  /** The open channel of the same driver, if it is one. */
  readonly endOf: (target: RouteTarget) => RouteEnd | undefined;
}

/**
 * What the kernel does for a channel without us. It goes there only if a caller says so: the frames of
 * such a job look to the channel like those of any other program, and the kernel does not say how late they were.
 */
export class KernelOffload implements CanOffload {
  readonly isOnRequest = true;
  readonly #parts: KernelOffloadParts;

  constructor(parts: KernelOffloadParts) {
    this.#parts = parts;
  }

  startCyclic(job: CyclicJob): OffloadedCyclic | undefined {
    return this.#parts.jobs.start(job);
  }

  /** It takes a moment. */
  startRoute(): undefined {
    return undefined;
  }

  async requestRoute(job: RouteJob): Promise<OffloadedRoute> {
    const { routes, source, endOf } = this.#parts;
    const target = endOf(job.target);
    if (routes && target) return routes.start(job, source, target);
    throw unsupportedByHardware(
      'offload',
      'The kernel passes frames on between its own CAN interfaces only',
    );
  }
}
