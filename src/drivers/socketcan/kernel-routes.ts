import type { Clock, Timer } from '../../base/clock/clock.ts';
import { Turns } from '../../base/turns.ts';
import type { OffloadedRoute, RouteJob } from '../can-offload.ts';
import type { NotTaken } from '../send-result.ts';
import type { LinkGateway, WantedRule } from './link-gateway.ts';
import { rawIdFlag } from './raw-frame.ts';

/** The kernel tells its counts only when it is asked. */
const countMs = 1_000;

/** One end of a route: an open channel. */
export interface RouteEnd {
  /** The interface it is on; undefined while that is gone. */
  readonly index: number | undefined;
  readonly hasFd: boolean;
}

const { extended, remote } = rawIdFlag;

/**
 * The rules that make a route. A rule sets the whole word of the identifier and its flags, and moves
 * either classic frames or those of CAN FD, so that there is one for each kind.
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
      // A mask with the bit of error frames would ask for these alone.
      mask: (job.mask | extended | remote) >>> 0,
    },
    setId: job.targetId === undefined ? undefined : (job.targetId | width | flags) >>> 0,
  });
  const classic = [ruleFor(false, 0), ruleFor(false, remote)];
  return source.hasFd && target.hasFd ? [...classic, ruleFor(true, 0)] : classic;
};

/** A route that the kernel does. What it has counted is up to a second old. */
class KernelRoute implements OffloadedRoute {
  sent = 0;
  failed = 0;
  /** There while its rules are none of the kernel's, which did not take them on another interface. */
  lastRefusal: NotTaken | undefined;
  readonly job: RouteJob;
  readonly source: RouteEnd;
  readonly target: RouteEnd;
  /** Its rules are changed by one at a time. */
  readonly turns = new Turns();
  /** Numbers of its rules. */
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

  /** Rules that are made anew count from zero. */
  restart(numbers: readonly number[]): void {
    this.#sentBefore = this.sent;
    this.#failedBefore = this.failed;
    this.numbers = numbers;
  }

  stop(): void {
    this.#routes.end(this);
  }
}

/** Routes that the kernel does for the channels of a driver. */
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
    // At once, so that it ends with a channel that is closed meanwhile.
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

  /** The channel is closed. */
  endAt(end: RouteEnd): void {
    for (const route of [...this.#routes]) {
      if (route.source === end || route.target === end) this.end(route);
    }
  }

  /** The channel is on another interface than before: rules of the old one went with that. */
  async moveTo(end: RouteEnd): Promise<void> {
    const moved = [...this.#routes].filter(
      ({ source, target }) => source === end || target === end,
    );
    await Promise.all(moved.map((route) => this.#move(route)));
  }

  /** What the kernel refuses is tried again, and told until then. */
  async #move(route: KernelRoute): Promise<void> {
    try {
      // Until its other end is back too, there is nothing to set up.
      await route.turns.take(() => this.#setUp(route));
    } catch {
      route.lastRefusal = 'lost';
    }
  }

  /** Makes the rules of a route anew, for where its ends are now. */
  async #setUp(route: KernelRoute): Promise<void> {
    await this.#remove(route.numbers);
    route.restart([]);
    route.restart(await this.#add(route));
    route.lastRefusal = undefined;
  }

  /** None for a route that has ended, or ends meanwhile. */
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
      // Rules that went with their interface took their counts along: those of before hold.
      if (own.length < route.numbers.length) continue;
      const sum = (field: 'handled' | 'dropped') =>
        own.reduce((total, rule) => total + rule[field], 0);
      route.count(sum('handled'), sum('dropped'));
    }
  }
}
