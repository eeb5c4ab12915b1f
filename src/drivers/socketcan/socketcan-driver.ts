import { BusbarError } from '../../base/errors/busbar-error.ts';
import { compileIdFilters } from '../../frame/id-filter.ts';
import type { OpenSettings } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import type { CreateDriver, DeviceInfo, Driver, DriverContext } from '../driver.ts';
import type { DriverChannel } from '../driver-channel.ts';
import { PortReporter } from '../port-reporter.ts';
import { deviceLost, noSuchPort, portInUse } from '../refusals.ts';
import { BcmJobs } from './bcm-jobs.ts';
import { type CanCalls, loadCanCalls } from './can-calls.ts';
import type { CanInterface, CanInterfaces } from './can-interfaces.ts';
import { CanPort, txQueueLength } from './can-port.ts';
import { KernelRoutes } from './kernel-routes.ts';
import { LinkControl, openLinks as openLinkControl } from './link-control.ts';
import { LinkGateway } from './link-gateway.ts';
import { runningSettings, wantedSettings } from './port-settings.ts';
import { defaultReceiveBuffer } from './raw-socket.ts';
import { SocketCanChannel } from './socketcan-channel.ts';

/**
 * Identifies the interface of an open channel: by index while present, afterwards by serial
 * number, or by location if copies share the number. The channel keeps its original serial
 * number, even if another adapter changes the interface's name.
 */
export class LinkFollower {
  readonly sn: string;
  readonly #serial: string;
  #index: number;
  #place: string;
  #hasCopies: boolean;

  constructor({ sn, serial, index, place }: CanInterface) {
    this.sn = sn;
    this.#serial = serial;
    this.#index = index;
    this.#place = place;
    this.#hasCopies = sn === place;
  }

  isOn({ index }: CanInterface): boolean {
    return index === this.#index;
  }

  find(links: readonly CanInterface[]): CanInterface | undefined {
    const alike = links.filter(({ serial }) => serial === this.#serial);
    const own = links.find((link) => this.isOn(link));
    // Seen together, so that the other adapter is not mistaken for it.
    if (own && alike.some((link) => !this.isOn(link))) this.#hasCopies = true;
    const found = own ?? alike.find(({ place }) => place === this.#place || !this.#hasCopies);
    if (!found) return undefined;
    this.#index = found.index;
    this.#place = found.place;
    return { ...found, sn: this.sn };
  }
}

const needsOf = (link: CanInterface, links: CanInterfaces): string | undefined => {
  try {
    return links.preparation(link, wantedSettings(link, {}));
  } catch (thrown) {
    if (thrown instanceof BusbarError) return undefined;
    throw thrown;
  }
};

const deviceOf = (link: CanInterface, links: CanInterfaces): DeviceInfo => {
  const { sn, uid, label, firmwareVersion, port } = link;
  const needs = needsOf(link, links);
  return {
    sn,
    uid,
    name: label,
    firmwareVersion,
    ...(needs !== undefined && { needs }),
    ports: [port],
  };
};

interface DriverParts {
  readonly calls: CanCalls;
  readonly links: CanInterfaces;
  readonly gateway: LinkGateway | undefined;
  readonly routes: KernelRoutes | undefined;
}

const thisDaemon = (): string => `${process.getuid?.() ?? ''} ${process.env.BUSBAR_HOME ?? ''}`;

export type OpenCanInterfaces = () => Promise<CanInterfaces>;

/**
 * CAN interfaces of the Linux kernel. Each is a device with one port. From the outside in:
 *
 *     SocketCanDriver
 *       SocketCanChannel              an open interface: its lifetime and settings
 *         CanInterfaces               interfaces, read and configured through rtnetlink
 *         CanPort                     frames in both directions, outcomes, errors, losses
 *           RawSocket, MessageBatch   system calls, and the memory that the kernel fills
 *           TxRing                    accepted frames without an outcome
 *           PortReporter              counts, and writes records into the sink
 */
export class SocketCanDriver implements Driver {
  readonly kind = 'socketcan';
  readonly #context: DriverContext;
  readonly #openLinks: OpenCanInterfaces;
  readonly #receiveBuffer: number;
  readonly #owner = thisDaemon();
  readonly #loadCalls: () => Promise<CanCalls>;
  readonly #channels = new Map<string, SocketCanChannel>();
  readonly #followers = new Map<SocketCanChannel, LinkFollower>();
  readonly #seen = new Set<string>();
  #parts: Promise<DriverParts> | undefined;

  constructor(
    context: DriverContext,
    openLinks: OpenCanInterfaces = () => openLinkControl(context.clock, txQueueLength),
    receiveBuffer = defaultReceiveBuffer,
    loadCalls: () => Promise<CanCalls> = loadCanCalls,
  ) {
    this.#context = context;
    this.#openLinks = openLinks;
    this.#receiveBuffer = receiveBuffer;
    this.#loadCalls = loadCalls;
  }

  async devices(): Promise<readonly DeviceInfo[]> {
    // Without netlink no interfaces are available.
    const loaded = await this.#load().catch(() => undefined);
    if (!loaded) return [];
    return (await this.#list()).map((link) => deviceOf(link, loaded.links));
  }

  async open(
    sn: string,
    port: number,
    asked: OpenSettings,
    sink: ChannelSink,
  ): Promise<DriverChannel> {
    const link = (await this.#list()).find((candidate) => candidate.sn === sn);
    if (!link && this.#seen.has(sn)) throw deviceLost(sn);
    if (!link || link.port.port !== port) throw noSuchPort(sn, port);
    if (this.#channels.has(sn)) throw portInUse(sn, port);
    const { filters = [] } = asked;
    compileIdFilters(filters);
    const wanted = wantedSettings(link, asked);
    const { calls, links, routes } = await this.#load();
    const running = await links.run(link, wanted);
    if (this.#channels.has(sn)) throw portInUse(sn, port);
    const follower = new LinkFollower({ ...running, sn });
    const { clock, scheduler } = this.#context;
    const reporter = new PortReporter(sink, 0);
    try {
      const channel = new SocketCanChannel({
        link: running,
        links,
        clock,
        settings: runningSettings(wanted, running),
        filters,
        reporter,
        createPort: (onDown) =>
          new CanPort({
            calls,
            clock,
            scheduler,
            reporter,
            filters: filters.map((filter) => compileIdFilters([filter])),
            receiveBuffer: this.#receiveBuffer,
            onDown,
          }),
        jobs: new BcmJobs(calls),
        routes,
        endOf: (target) => {
          const own = this.#channels.get(target.sn);
          return own === target ? own : undefined;
        },
        onClose: () => {
          this.#channels.delete(sn);
          this.#followers.delete(channel);
        },
      });
      this.#channels.set(sn, channel);
      this.#followers.set(channel, follower);
      return channel;
    } catch (thrown) {
      await links.release(running);
      throw thrown;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => channel.close()));
    const parts = await this.#parts?.catch(() => undefined);
    await parts?.gateway?.close();
    parts?.links.close();
    this.#parts = undefined;
  }

  async #list(): Promise<readonly CanInterface[]> {
    const { links } = await this.#load();
    return this.#see(await links.list());
  }

  #see(links: readonly CanInterface[]): readonly CanInterface[] {
    const followers = [...this.#followers.values()];
    const all = links.map((link) => ({
      ...link,
      sn: followers.find((follower) => follower.isOn(link))?.sn ?? link.sn,
    }));
    for (const { sn } of all) this.#seen.add(sn);
    return all;
  }

  #load(): Promise<DriverParts> {
    this.#parts ??= this.#start();
    this.#parts.catch(() => {
      this.#parts = undefined;
    });
    return this.#parts;
  }

  async #start(): Promise<DriverParts> {
    const [calls, links] = await Promise.all([this.#loadCalls(), this.#openLinks()]);
    links.watch((all) => {
      for (const [channel, follower] of this.#followers) channel.follow(follower.find(all));
      this.#see(all);
    });
    if (!(links instanceof LinkControl))
      return { calls, links, gateway: undefined, routes: undefined };
    const gateway = new LinkGateway(links.socket, this.#owner);
    // Without the kernel gateway nothing is stale.
    gateway.removeStale().catch(() => undefined);
    return { calls, links, gateway, routes: new KernelRoutes(gateway, this.#context.clock) };
  }
}

export const createSocketCanDriver: CreateDriver = (context) => new SocketCanDriver(context);
