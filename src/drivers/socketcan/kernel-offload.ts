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
  readonly routes: KernelRoutes | undefined;
  readonly source: RouteEnd;
  readonly endOf: (target: RouteTarget) => RouteEnd | undefined;
}

/**
 * Jobs in the kernel, used only on request: their frames look like frames of another program,
 * and the kernel reports little.
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

  /** Kernel routes are asynchronous; see `requestRoute`. */
  startRoute(): undefined {
    return undefined;
  }

  async requestRoute(job: RouteJob): Promise<OffloadedRoute> {
    const { routes, source, endOf } = this.#parts;
    const target = endOf(job.target);
    if (routes && target) return routes.start(job, source, target);
    throw unsupportedByHardware(
      'offload',
      'The kernel can only route frames between its own CAN interfaces',
    );
  }
}
