import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ChangeTracker } from '../image/change-tracker.ts';
import type { SelectorOfSlot } from '../image/fault-events.ts';
import { instanceStatus } from '../instances/instance-pages.ts';
import type { GatewayInstance } from '../instances/instance-record.ts';
import type { SharedInstance } from '../instances/instance-registry.ts';
import { InstanceView } from '../instances/instance-view.ts';
import { isUnresponsive } from '../plugins/plugin-guard.ts';
import { WatchClient } from './watch-client.ts';
import type { WatchOutlet, WatchSubscription } from './watch-outlet.ts';
import { openParts } from './watch-parts.ts';
import { type WatchEndReason, watchParts } from './watch-record.ts';

/** Twenty times a second at most. */
const lookMs = 50;
const looksPerStatus = 20;

/** Where instances are registered. */
export interface WatchHost {
  instance(name: string): Promise<SharedInstance>;
  instanceBytes(): Promise<number>;
}

interface WatchOptions {
  readonly clock: Clock;
  readonly host: WatchHost;
  readonly selectorOf: SelectorOfSlot;
  readonly onDefect: (thrown: unknown) => void;
}

/** One instance and the clients that follow it. */
class InstanceWatch {
  readonly #options: WatchOptions;
  readonly #instance: SharedInstance;
  readonly #view: InstanceView;
  readonly #tracker: ChangeTracker;
  readonly #parts: ReturnType<typeof openParts>;
  readonly #clients = new Set<WatchClient>();
  readonly #onEmpty: () => void;
  #timer: Timer;
  #looks = 0;
  #isAsking = false;
  /** How the instance was when it was last asked for. */
  #latest: InstanceView;

  constructor(options: WatchOptions, instance: SharedInstance, onEmpty: () => void) {
    this.#options = options;
    this.#instance = instance;
    this.#view = new InstanceView(instance);
    this.#tracker = new ChangeTracker(instance.image, this.#view.reader);
    this.#latest = this.#view;
    this.#parts = openParts(instance, () => this.#latest, options.selectorOf);
    this.#onEmpty = onEmpty;
    this.#timer = this.#wait();
  }

  add(outlet: WatchOutlet, status: GatewayInstance): WatchSubscription {
    const client = new WatchClient(outlet, this.#tracker, this.#view, status, this.#parts);
    this.#clients.add(client);
    for (const part of outlet.parts) this.#parts[part].begin();
    return { resume: () => this.#goOn(client), close: () => this.#remove(client) };
  }

  end(reason: WatchEndReason): void {
    for (const client of [...this.#clients]) {
      this.#remove(client);
      client.outlet.end(reason);
    }
  }

  #wait(): Timer {
    return this.#options.clock.after(lookMs, () => {
      this.#timer = this.#wait();
      this.#look();
    });
  }

  #look(): void {
    // What changes meanwhile is found when it is over.
    if (this.#tracker.isBlocked) return;
    try {
      this.#tracker.scan();
      this.#scanParts();
    } catch (thrown) {
      if (!isUnresponsive(thrown)) this.#options.onDefect(thrown);
      return;
    }
    for (const client of [...this.#clients]) {
      client.nextPass();
      this.#goOn(client);
    }
    this.#looks += 1;
    if (this.#looks % looksPerStatus === 0) void this.#askStatus();
  }

  /** Once a second from the beginning, a few records at a time: some need statistics, and all need text. */
  #scanParts(): void {
    for (const part of watchParts) {
      const isWanted = [...this.#clients].some(({ outlet }) => outlet.parts.includes(part));
      if (!isWanted) continue;
      if (this.#looks % looksPerStatus === 0) this.#parts[part].begin();
      this.#parts[part].goOn();
    }
  }

  #goOn(client: WatchClient): void {
    try {
      client.goOn();
      client.tellRecords();
    } catch (thrown) {
      if (isUnresponsive(thrown)) return;
      this.#options.onDefect(thrown);
      this.#remove(client);
      client.outlet.end('shut_down');
    }
  }

  #remove(client: WatchClient): void {
    client.close();
    if (!this.#clients.delete(client) || this.#clients.size > 0) return;
    this.#timer.cancel();
    this.#onEmpty();
  }

  async #askStatus(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const { host } = this.#options;
      const instance = await host.instance(this.#instance.name);
      if (instance.serial !== this.#instance.serial) return this.end('unloaded');
      const status = instanceStatus(instance, await host.instanceBytes());
      this.#latest = new InstanceView(instance);
      for (const client of [...this.#clients]) client.tell(status);
    } catch (thrown) {
      if (BusbarError.from(thrown).code === 'instance_not_found') this.end('unloaded');
      else if (!isUnresponsive(thrown)) this.#options.onDefect(thrown);
    } finally {
      this.#isAsking = false;
    }
  }
}

/** The instances that clients follow. Clients of one instance share a copy of its state. */
export class InstanceWatches {
  readonly #options: WatchOptions;
  readonly #watches = new Map<number, InstanceWatch>();
  #isClosed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Follows an instance; refuses one that is not there. Nothing is sent before the first `resume`. */
  async watch(name: string, outlet: WatchOutlet): Promise<WatchSubscription> {
    const { host } = this.#options;
    const instance = await host.instance(name);
    const status = instanceStatus(instance, await host.instanceBytes());
    const subscription = this.#watchOf(instance).add(outlet, status);
    if (this.#isClosed) this.close();
    return subscription;
  }

  /** An instance is gone: ends what follows it. */
  unloaded(serial: number): void {
    this.#watches.get(serial)?.end('unloaded');
  }

  /** Ends all that follow, and whatever comes from now on. */
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
