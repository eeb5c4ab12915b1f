import type { RouteJob, RouteTarget } from '../can-offload.ts';
import type { CanDevicePort } from './can-device-port.ts';
import { CanDeviceRoute } from './can-device-route.ts';

export const routeSlots = 16;

export class CanDeviceRoutes {
  readonly #ownPort: (target: RouteTarget) => CanDevicePort | undefined;
  readonly #routes = new Set<CanDeviceRoute>();

  constructor(ownPort: (target: RouteTarget) => CanDevicePort | undefined) {
    this.#ownPort = ownPort;
  }

  start(source: CanDevicePort, job: RouteJob): CanDeviceRoute | undefined {
    const target = this.#ownPort(job.target);
    if (!target || this.#routes.size >= routeSlots) return undefined;
    const route = new CanDeviceRoute(source, target, job);
    this.#routes.add(route);
    source.node.routes = [...source.node.routes, route];
    return route;
  }

  stop(route: CanDeviceRoute): void {
    if (!this.#routes.delete(route)) return;
    const { node } = route.source;
    node.routes = node.routes.filter((other) => other !== route);
  }

  stopAt(port: CanDevicePort): void {
    for (const route of this.#routes) {
      if (route.source === port || route.target === port) this.stop(route);
    }
  }
}
