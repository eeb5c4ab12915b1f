import { compileIdFilters } from '../../frame/id-filter.ts';
import type { OpenSettings } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import type { CreateDriver, DeviceInfo, Driver, DriverContext } from '../driver.ts';
import type { DriverChannel } from '../driver-channel.ts';
import { PortReporter } from '../port-reporter.ts';
import { deviceLost, noSuchPort, portInUse } from '../refusals.ts';
import { type CanCalls, loadCanCalls } from './can-calls.ts';
import type { CanInterface, CanInterfaces } from './can-interfaces.ts';
import { CanPort, txQueueLength } from './can-port.ts';
import { openLinks as openLinkControl } from './link-control.ts';
import { runningSettings, wantedSettings } from './port-settings.ts';
import { defaultReceiveBuffer } from './raw-socket.ts';
import { SocketCanChannel } from './socketcan-channel.ts';

const deviceOf = ({ sn, uid, label, firmwareVersion, port }: CanInterface): DeviceInfo => ({
  sn,
  uid,
  name: label,
  firmwareVersion,
  ports: [port],
});

export type OpenCanInterfaces = () => Promise<CanInterfaces>;

/**
 * The CAN interfaces of the Linux kernel. Each is a device with one port. A line knows those that are
 * further in than itself:
 *
 *     SocketCanDriver
 *       SocketCanChannel              an open interface: its life and settings
 *         CanInterfaces                    interfaces seen and set up through rtnetlink
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
  readonly #channels = new Map<string, SocketCanChannel>();
  /** Serial numbers of all that were ever seen. */
  readonly #seen = new Set<string>();
  #parts: Promise<{ readonly calls: CanCalls; readonly links: CanInterfaces }> | undefined;

  constructor(
    context: DriverContext,
    openLinks: OpenCanInterfaces = () => openLinkControl(context.clock, txQueueLength),
    receiveBuffer = defaultReceiveBuffer,
  ) {
    this.#context = context;
    this.#openLinks = openLinks;
    this.#receiveBuffer = receiveBuffer;
  }

  async devices(): Promise<readonly DeviceInfo[]> {
    // A machine that cannot be asked for CAN interfaces has none.
    const loaded = await this.#load().catch(() => undefined);
    return loaded ? (await this.#list()).map(deviceOf) : [];
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
    const { calls, links } = await this.#load();
    const running = await links.run(link, wanted);
    if (this.#channels.has(sn)) throw portInUse(sn, port);
    const { clock, scheduler } = this.#context;
    const reporter = new PortReporter(sink, 0);
    try {
      const channel = new SocketCanChannel({
        link: running,
        links,
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
        onClose: () => void this.#channels.delete(sn),
      });
      this.#channels.set(sn, channel);
      return channel;
    } catch (thrown) {
      await links.release(running);
      throw thrown;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => channel.close()));
    const parts = await this.#parts?.catch(() => undefined);
    parts?.links.close();
    this.#parts = undefined;
  }

  async #list(): Promise<readonly CanInterface[]> {
    const { links } = await this.#load();
    const all = await links.list();
    for (const { sn } of all) this.#seen.add(sn);
    return all;
  }

  #load(): Promise<{ readonly calls: CanCalls; readonly links: CanInterfaces }> {
    this.#parts ??= this.#start();
    this.#parts.catch(() => {
      this.#parts = undefined;
    });
    return this.#parts;
  }

  async #start(): Promise<{ readonly calls: CanCalls; readonly links: CanInterfaces }> {
    const [calls, links] = await Promise.all([loadCanCalls(), this.#openLinks()]);
    links.watch((all) => {
      for (const { sn } of all) this.#seen.add(sn);
      for (const [sn, channel] of this.#channels) {
        channel.follow(all.find((link) => link.sn === sn));
      }
    });
    return { calls, links };
  }
}

export const createSocketCanDriver: CreateDriver = (context) => new SocketCanDriver(context);
