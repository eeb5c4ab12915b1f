import type { CanKind } from '../../frame/frm2-layout.ts';
import type { IdPredicate } from '../../frame/id-filter.ts';
import type {
  CanOffload,
  CyclicJob,
  OffloadedCyclic,
  OffloadedRoute,
  RouteJob,
} from '../can-offload.ts';
import type { CanChannel } from '../driver-channel.ts';
import type { RefusedSend, SendResult } from '../send-result.ts';
import { CanBus } from './can-bus.ts';
import { CanCyclicJob } from './can-cyclic-job.ts';
import type { CanDevicePort, CanDeviceRoute, CanDeviceRoutes } from './can-device-routes.ts';
import { restart } from './can-error-reports.ts';
import { CanNode } from './can-node.ts';
import type { CanWireFrame } from './can-wire-frame.ts';
import { VirtualChannel, type VirtualChannelParts } from './virtual-channel.ts';

class VirtualCanOffload implements CanOffload {
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
  readonly lastRefusal: RefusedSend | undefined;
}

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

  get lastRefusal(): RefusedSend | undefined {
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

export interface VirtualCanParts extends VirtualChannelParts {
  readonly shared: CanBus;
  readonly filters: readonly IdPredicate[];
  readonly routes: CanDeviceRoutes;
}

export class VirtualCanChannel extends VirtualChannel implements CanChannel, CanDevicePort {
  readonly bus: CanKind;
  readonly node: CanNode;
  readonly offload: CanOffload;
  readonly #shared: CanBus;
  readonly #routes: CanDeviceRoutes;
  #on: CanBus;

  constructor(parts: VirtualCanParts) {
    super(parts);
    this.bus = parts.settings.bus === 'canfd' ? 'canfd' : 'can';
    this.#shared = parts.shared;
    this.#on = parts.shared;
    this.#routes = parts.routes;
    this.node = new CanNode(parts.reporter, parts.filters);
    this.offload = new VirtualCanOffload(this, parts.routes);
    this.putOnBus();
  }

  send(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    deadlineUs?: number,
  ): SendResult {
    if (!this.present) return 'lost';
    const atUs = this.#on.reportingUs ?? this.time.catchUp(this.#on);
    // A listener may have closed the channel or changed its settings.
    if (!this.present) return 'lost';
    const result = this.node.take(id, flags, dlc, data, offset, length, atUs, deadlineUs);
    if (result === 'accepted') this.time.attend(this.#on);
    return result;
  }

  check(flags: number): SendResult {
    return this.present ? this.node.check(flags) : 'lost';
  }

  forward(
    { flags, dlc, data, offset, length }: CanWireFrame,
    id: number,
    atUs: number,
  ): SendResult {
    if (!this.present) return 'lost';
    const takenUs = this.#on.comeTo(atUs);
    if (!this.present) return 'lost';
    const result = this.node.takeOwn(id, flags, dlc, data, offset, length, takenUs);
    if (result === 'accepted') this.time.attend(this.#on);
    return result;
  }

  settle(): number {
    if (this.present) return this.time.catchUp(this.#on);
    const { nowUs } = this.time;
    this.node.jobs.refuse(nowUs, 'lost');
    return nowUs;
  }

  attend(): void {
    if (this.present) this.time.attend(this.#on);
  }

  async recover(): Promise<void> {
    if (!this.present) return;
    const nowUs = this.time.catchUp(this.#on);
    this.#on.recover(this.node, nowUs);
    this.time.attend(this.#on);
  }

  override comeBack(): void {
    this.settle();
    super.comeBack();
  }

  override close(): Promise<void> {
    const closed = super.close();
    this.node.jobs.clear();
    this.#routes.stopAt(this);
    return closed;
  }

  protected get segment(): CanBus {
    return this.#on;
  }

  get pending(): number {
    if (this.present) this.time.catchUp(this.#on);
    const { size, ownFrames } = this.node.queue;
    return size - ownFrames;
  }

  protected get queued(): number {
    return this.node.queue.size;
  }

  protected get severity(): number {
    return this.node.severity;
  }

  protected get txErrorCount(): number {
    return this.node.counters.transmit;
  }

  protected get rxErrorCount(): number {
    return this.node.counters.receive;
  }

  protected takeOffBus(nowUs: number): void {
    this.#on.leave(this.node, nowUs);
    this.reporter.flushRepeats();
    if (this.#on !== this.#shared) this.time.remove(this.#on);
    this.node.failQueue(nowUs);
  }

  protected putOnBus(): void {
    this.node.start(this.settings);
    this.#on = this.#shared;
    if (this.settings.mode === 'loopback') {
      this.#on = new CanBus({ loopback: true });
      this.time.add(this.#on);
    }
    this.#on.join(this.node);
  }

  protected override reportRestart(): void {
    restart(this.node, this.time.nowUs);
  }

  /** Wiring makes no difference here. */
  protected applyQuietly(): void {}
}
