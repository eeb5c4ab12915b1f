import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { RoundRobin, type Sink, type SubscriptionHandle } from '../../base/subscription.ts';
import { ChangeTracker } from '../image/change-tracker.ts';
import type { SelectorOfSlot } from '../image/fault-events.ts';
import { instanceStatus } from '../instances/instance-pages.ts';
import type { GatewayInstance } from '../instances/instance-record.ts';
import type { SharedInstance } from '../instances/instance-registry.ts';
import { InstanceView } from '../instances/instance-view.ts';
import { isUnresponsive } from '../plugins/plugin-guard.ts';
import { WatchCursor, type WatchItem } from './watch-cursor.ts';
import { openParts } from './watch-parts.ts';
import {
  type WatchEndReason,
  type WatchEvent,
  type WatchPart,
  watchParts,
} from './watch-record.ts';

const lookMs = 50;
const looksPerStatus = 20;
/** Items per time slice of a client. Other clients wait meanwhile. */
const sliceItems = 2048;

export type WatchSink = Sink<WatchItem, WatchEvent>;

export interface WatchHost {
  instance(name: string): Promise<SharedInstance>;
}

interface WatchOptions {
  readonly clock: Clock;
  readonly host: WatchHost;
  readonly selectorOf: SelectorOfSlot;
  readonly onDefect: (thrown: unknown) => void;
}

class InstanceWatch {
  readonly #options: WatchOptions;
  readonly #instance: SharedInstance;
  readonly #view: InstanceView;
  readonly #tracker: ChangeTracker;
  readonly #parts: ReturnType<typeof openParts>;
  readonly #robin: RoundRobin<WatchItem, WatchEvent, WatchCursor>;
  #timer: Timer;
  #looks = 0;
  #isAsking = false;
  #latest: InstanceView;

  constructor(options: WatchOptions, instance: SharedInstance, onEmpty: () => void) {
    this.#options = options;
    this.#instance = instance;
    this.#view = new InstanceView(instance);
    this.#tracker = new ChangeTracker(instance.image, this.#view.reader);
    this.#latest = this.#view;
    this.#parts = openParts(instance, () => this.#latest, options.selectorOf);
    this.#robin = new RoundRobin({
      slice: sliceItems,
      perPass: sliceItems,
      onResume: (subscription) => this.#robin.drain(subscription),
      onRemoved: () => {
        if (this.#robin.subscriptions.length > 0) return;
        this.#timer.cancel();
        onEmpty();
      },
      onDefect: options.onDefect,
    });
    this.#timer = this.#wait();
  }

  add(parts: readonly WatchPart[], sink: WatchSink, status: GatewayInstance): SubscriptionHandle {
    const cursor = new WatchCursor({
      tracker: this.#tracker,
      view: this.#view,
      status,
      parts,
      changes: this.#parts,
    });
    for (const part of parts) this.#parts[part].begin();
    return this.#robin.subscribe({ cursor, sink });
  }

  end(reason: WatchEndReason): void {
    this.#robin.endAll(reason);
  }

  #wait(): Timer {
    return this.#options.clock.after(lookMs, () => {
      this.#timer = this.#wait();
      this.#look();
    });
  }

  #look(): void {
    // Changes are found after the plugin call returns.
    if (this.#tracker.isBlocked) return;
    try {
      this.#tracker.scan();
      this.#scanParts();
    } catch (thrown) {
      if (!isUnresponsive(thrown)) this.#options.onDefect(thrown);
      return;
    }
    for (const subscription of this.#robin.subscriptions) {
      subscription.cursor.nextPass();
      this.#robin.drain(subscription);
    }
    this.#looks += 1;
    if (this.#looks % looksPerStatus === 0) void this.#askStatus();
  }

  /**
   * Runs once a second, a few records at a time: some need statistics, and all are formatted as
   * text.
   */
  #scanParts(): void {
    for (const part of watchParts) {
      if (!this.#robin.subscriptions.some(({ cursor }) => cursor.follows(part))) continue;
      if (this.#looks % looksPerStatus === 0) this.#parts[part].begin();
      this.#parts[part].goOn();
    }
  }

  async #askStatus(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const { host } = this.#options;
      const instance = await host.instance(this.#instance.name);
      if (instance.serial !== this.#instance.serial) return this.end('unloaded');
      const status = instanceStatus(instance);
      this.#latest = new InstanceView(instance);
      for (const subscription of this.#robin.subscriptions) {
        subscription.cursor.status = status;
        this.#robin.drain(subscription);
      }
    } catch (thrown) {
      if (BusbarError.from(thrown).code === 'instance_not_found') this.end('unloaded');
      else if (!isUnresponsive(thrown)) this.#options.onDefect(thrown);
    } finally {
      this.#isAsking = false;
    }
  }
}

/** Watched instances. Clients of one instance share a copy of its state. */
export class InstanceWatches {
  readonly #options: WatchOptions;
  readonly #watches = new Map<number, InstanceWatch>();
  #isClosed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /**
   * Follows an instance. Rejects if it does not exist. Nothing is sent before the first `resume`.
   */
  async watch(
    name: string,
    parts: readonly WatchPart[],
    sink: WatchSink,
  ): Promise<SubscriptionHandle> {
    const { host } = this.#options;
    const instance = await host.instance(name);
    const status = instanceStatus(instance);
    const subscription = this.#watchOf(instance).add(parts, sink, status);
    if (this.#isClosed) this.close();
    return subscription;
  }

  unloaded(serial: number): void {
    this.#watches.get(serial)?.end('unloaded');
  }

  close(): void {
    this.#isClosed = true;
    for (const watch of [...this.#watches.values()]) watch.end('shut_down');
  }

  #watchOf(instance: SharedInstance): InstanceWatch {
    const { serial } = instance;
    const known = this.#watches.get(serial);
    if (known) return known;
    const watch = new InstanceWatch(this.#options, instance, () => this.#watches.delete(serial));
    this.#watches.set(serial, watch);
    return watch;
  }
}
