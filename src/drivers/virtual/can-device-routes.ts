import { frameFlag } from '../../frame/frm2-layout.ts';
import type { RouteJob, RouteTarget } from '../can-offload.ts';
import type { RefusedSend, SendResult } from '../send-result.ts';
import type { CanNode } from './can-node.ts';
import type { CanWireFrame } from './can-wire-frame.ts';

export interface CanDevicePort {
  readonly node: CanNode;
  forward(frame: CanWireFrame, id: number, atUs: number): SendResult;
  settle(): number;
  attend(): void;
}

export class CanDeviceRoute {
  matched = 0;
  sent = 0;
  failed = 0;
  lastRefusal: RefusedSend | undefined;
  readonly source: CanDevicePort;
  readonly target: CanDevicePort;
  readonly #mask: number;
  readonly #bits: number;
  readonly #extended: number;
  readonly #targetId: number | undefined;

  constructor(source: CanDevicePort, target: CanDevicePort, job: RouteJob) {
    this.source = source;
    this.target = target;
    this.#mask = job.mask;
    this.#bits = job.id & job.mask;
    this.#extended = job.extended ? frameFlag.extended : 0;
    this.#targetId = job.targetId;
  }

  offer(frame: CanWireFrame, atUs: number): void {
    const { id, flags } = frame;
    if ((id & this.#mask) !== this.#bits) return;
    if ((flags & frameFlag.extended) !== this.#extended) return;
    this.matched += 1;
    const result = this.target.forward(frame, this.#targetId ?? id, atUs);
    if (result === 'accepted') {
      this.sent += 1;
    } else {
      this.failed += 1;
      this.lastRefusal = result;
    }
  }
}

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
