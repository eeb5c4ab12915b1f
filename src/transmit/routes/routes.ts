import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument, withField } from '../../base/errors/busbar-error.ts';
import type { BenchSource, ChannelTable, FoundChannel } from '../../bench/channel-table.ts';
import type { OffloadedRoute } from '../../drivers/can-offload.ts';
import { cannotOffload, mayOffload } from '../offload-request.ts';
import { checkInService } from '../selected-channel.ts';
import { sendFailure } from '../send-failures.ts';
import { Route, type RouteEnd } from './route.ts';
import type { RouteRecord } from './route-record.ts';
import {
  type RouteOptions,
  type RouteRequest,
  type RouteRule,
  routeRequest,
  routeRule,
} from './route-request.ts';

export interface RoutesOptions {
  readonly clock: Clock;
  readonly channels: Pick<ChannelTable, 'use'>;
  readonly capacity: number;
}

type End = 'source' | 'target';

const failureAt = (end: End, thrown: unknown, of: FoundChannel | string): BusbarError =>
  withField(`${end}.channel`, sendFailure(thrown, of));

const canEnd = (end: End, found: FoundChannel): RouteEnd => {
  const { channel, text } = found;
  const { hardware } = channel;
  checkInService(found, `${end}.channel`);
  if (hardware.bus === 'lin') {
    throw invalidArgument(`${end}.channel`, `${text} is a LIN channel; routes support CAN only`, {
      reason: 'not_on_bus',
      bus: 'lin',
    });
  }
  return { found, channel, hardware };
};

/** Offloads to the device if possible. A request that requires it is rejected otherwise. */
const offloadedRoute = async (
  asked: boolean | undefined,
  { hardware }: RouteEnd,
  target: RouteEnd,
  rule: RouteRule,
): Promise<OffloadedRoute | undefined> => {
  const { offload } = hardware;
  if (!mayOffload(asked, offload)) return undefined;
  const job = { ...rule, target: target.hardware };
  const route = offload?.startRoute(job) ?? (await offload?.requestRoute?.(job));
  if (!route && asked) throw cannotOffload('route these frames');
  return route;
};

export class Routes {
  readonly #options: RoutesOptions;
  readonly #routes = new Map<string, Route>();
  #added = 0;

  constructor(options: RoutesOptions) {
    this.#options = options;
  }

  /** Starts immediately. A rejected route has no effect. */
  async add(options: RouteOptions, bench: BenchSource): Promise<RouteRecord> {
    const request = routeRequest(options);
    const source = await this.#find('source', request.source.channel, bench);
    const target = await this.#find('target', request.target.channel, bench);
    try {
      return (await this.#start(source, target, request)).record();
    } catch (thrown) {
      const { field } = BusbarError.from(thrown).details;
      throw sendFailure(thrown, String(field).startsWith('target.') ? target : source);
    }
  }

  list(): RouteRecord[] {
    return [...this.#routes.values()].map((route) => route.record());
  }

  remove(routeId: string): RouteRecord {
    const route = this.#routes.get(routeId);
    if (!route) {
      throw new BusbarError('route_not_found', {
        message: `No such route: ${routeId}`,
        details: { route_id: routeId },
      });
    }
    this.#end(route);
    return route.record();
  }

  async #find(end: End, text: string, bench: BenchSource): Promise<FoundChannel> {
    try {
      return await this.#options.channels.use(text, bench);
    } catch (thrown) {
      throw failureAt(end, thrown, text);
    }
  }

  async #start(from: FoundChannel, to: FoundChannel, request: RouteRequest): Promise<Route> {
    const rule = routeRule(request);
    const source = canEnd('source', from);
    const target = canEnd('target', to);
    if (source.channel === target.channel) {
      throw invalidArgument('target.channel', 'Source and target must be different channels', {
        reason: 'same_channel',
      });
    }
    this.#checkCapacity();
    const offloaded = await offloadedRoute(request.offload, source, target, rule);
    try {
      // The channel can have closed while a device responded.
      checkInService(from, 'source.channel');
      checkInService(to, 'target.channel');
      this.#checkCapacity();
    } catch (thrown) {
      offloaded?.stop();
      throw thrown;
    }
    const id = `route-${++this.#added}`;
    const createdAtUs = this.#options.clock.unixUs();
    const parts = { id, source, target, rule, createdAtUs };
    const route = new Route(parts, offloaded, (closed) => this.#end(closed));
    this.#routes.set(id, route);
    return route;
  }

  #end(route: Route): void {
    this.#routes.delete(route.id);
    route.stop();
  }

  #checkCapacity(): void {
    const { capacity } = this.#options;
    if (this.#routes.size < capacity) return;
    throw new BusbarError('capacity_exceeded', {
      message: `At most ${capacity} routes can exist`,
      details: { limit: capacity },
    });
  }
}
