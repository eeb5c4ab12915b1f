import type { Clock, Timer } from '../../base/clock/clock.ts';
import { Mutex } from '../../base/mutex.ts';
import type {
  CanOffload,
  CyclicJob,
  OffloadedCyclic,
  OffloadedRoute,
  RouteJob,
  RouteTarget,
} from '../can-offload.ts';
import { unsupportedByHardware } from '../refusals.ts';
import type { RefusedSend } from '../send-result.ts';
import type { BcmJobs } from './bcm-jobs.ts';
import type { LinkGateway, WantedRule } from './link-gateway.ts';
import { rawIdFlag } from './raw-frame.ts';

interface KernelOffloadParts {
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

const countMs = 1_000;

export interface RouteEnd {
  readonly index: number | undefined;
  readonly hasFd: boolean;
}

const { extended, remote } = rawIdFlag;

/**
 * Kernel rules of a route. A rule matches either classic or FD frames, so each kind has its own
 * rule.
 */
export const rulesOf = (job: RouteJob, source: RouteEnd, target: RouteEnd): WantedRule[] => {
  if (source.index === undefined || target.index === undefined) return [];
  const width = job.extended ? extended : 0;
  const between = { source: source.index, target: target.index };
  const ruleFor = (fd: boolean, flags: number): WantedRule => ({
    ...between,
    fd,
    filter: {
      id: ((job.id & job.mask) | width | flags) >>> 0,
      // The error bit in a mask would select only error frames.
      mask: (job.mask | extended | remote) >>> 0,
    },
    setId: job.targetId === undefined ? undefined : (job.targetId | width | flags) >>> 0,
  });
  const classic = [ruleFor(false, 0), ruleFor(false, remote)];
  return source.hasFd && target.hasFd ? [...classic, ruleFor(true, 0)] : classic;
};

class KernelRoute implements OffloadedRoute {
  sent = 0;
  failed = 0;
  lastRefusal: RefusedSend | undefined;
  readonly job: RouteJob;
  readonly source: RouteEnd;
  readonly target: RouteEnd;
  /** Serializes changes of its rules. */
  readonly turns = new Mutex();
  numbers: readonly number[] = [];
  readonly #routes: KernelRoutes;
  #sentBefore = 0;
  #failedBefore = 0;

  constructor(routes: KernelRoutes, job: RouteJob, source: RouteEnd, target: RouteEnd) {
    this.#routes = routes;
    this.job = job;
    this.source = source;
    this.target = target;
  }

  get matched(): number {
    return this.sent + this.failed;
  }

  count(handled: number, dropped: number): void {
    this.sent = this.#sentBefore + handled;
    this.failed = this.#failedBefore + dropped;
  }

  /** New rules count from zero. */
  restart(numbers: readonly number[]): void {
    this.#sentBefore = this.sent;
    this.#failedBefore = this.failed;
    this.numbers = numbers;
  }

  stop(): void {
    this.#routes.end(this);
  }
}

export class KernelRoutes {
  readonly #gateway: LinkGateway;
  readonly #clock: Clock;
  readonly #routes = new Set<KernelRoute>();
  #timer: Timer | undefined;

  constructor(gateway: LinkGateway, clock: Clock) {
    this.#gateway = gateway;
    this.#clock = clock;
  }

  async start(job: RouteJob, source: RouteEnd, target: RouteEnd): Promise<OffloadedRoute> {
    const route = new KernelRoute(this, job, source, target);
    // Immediately, so that closing the channel also stops the route.
    this.#routes.add(route);
    try {
      await route.turns.take(() => this.#setUp(route));
    } catch (thrown) {
      this.#routes.delete(route);
      throw thrown;
    }
    this.#schedule();
    return route;
  }

  end(route: KernelRoute): void {
    if (!this.#routes.delete(route)) return;
    void route.turns.take(() => this.#remove(route.numbers));
    if (this.#routes.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  endAt(end: RouteEnd): void {
    for (const route of [...this.#routes]) {
      if (route.source === end || route.target === end) this.end(route);
    }
  }

  /** The channel moved to another interface, which dropped its rules. */
  async moveTo(end: RouteEnd): Promise<void> {
    const moved = [...this.#routes].filter(
      ({ source, target }) => source === end || target === end,
    );
    await Promise.all(moved.map((route) => this.#move(route)));
  }

  async #move(route: KernelRoute): Promise<void> {
    try {
      // Waits for its other end.
      await route.turns.take(() => this.#setUp(route));
    } catch {
      route.lastRefusal = 'lost';
    }
  }

  async #setUp(route: KernelRoute): Promise<void> {
    await this.#remove(route.numbers);
    route.restart([]);
    route.restart(await this.#add(route));
    route.lastRefusal = undefined;
  }

  async #add(route: KernelRoute): Promise<readonly number[]> {
    const { job, source, target } = route;
    const numbers: number[] = [];
    try {
      for (const rule of rulesOf(job, source, target)) {
        if (!this.#routes.has(route)) break;
        numbers.push(await this.#gateway.add(rule));
      }
    } catch (thrown) {
      await this.#remove(numbers);
      throw thrown;
    }
    if (this.#routes.has(route)) return numbers;
    await this.#remove(numbers);
    return [];
  }

  async #remove(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) await this.#gateway.remove(number).catch(() => undefined);
  }

  #schedule(): void {
    if (this.#timer || this.#routes.size === 0) return;
    this.#timer = this.#clock.after(countMs, async () => {
      for (const route of this.#routes) if (route.lastRefusal) await this.#move(route);
      await this.#count().catch(() => undefined);
      this.#timer = undefined;
      this.#schedule();
    });
  }

  async #count(): Promise<void> {
    const counts = await this.#gateway.counts();
    for (const route of this.#routes) {
      const own = route.numbers.flatMap((number) => counts.get(number) ?? []);
      // Removed rules took their counts with them.
      if (own.length < route.numbers.length) continue;
      const sum = (field: 'handled' | 'dropped') =>
        own.reduce((total, rule) => total + rule[field], 0);
      route.count(sum('handled'), sum('dropped'));
    }
  }
}
