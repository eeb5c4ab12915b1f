import { readFileSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import { busStates } from '../channel-stats.ts';
import { deviceLost } from '../refusals.ts';
import type { CanInterface, CanInterfaces } from './can-interfaces.ts';
import { linkPort } from './link-capabilities.ts';
import { ipCommands } from './link-command.ts';
import { distinctSerials, type LinkIdentity, linkIdentity } from './link-identity.ts';
import { LinkMonitor } from './link-monitor.ts';
import { changeRefused } from './link-refusals.ts';
import {
  checkOutcome,
  currentSettings,
  hasFd,
  type LinkPlan,
  linkPlan,
  restoringChange,
} from './link-settings.ts';
import { canMode } from './netlink/can-link-data.ts';
import { type CanLink, changedLink, type LinkChange } from './netlink/links.ts';
import { messageType } from './netlink/messages.ts';
import { loadNetlinkCalls, type NetlinkCalls } from './netlink/netlink-calls.ts';
import { NetlinkSocket } from './netlink/netlink-socket.ts';

export interface LinkControlOptions {
  readonly clock: Clock;
  /** Frames that a port has room for. */
  readonly txQueue: number;
  readonly calls: NetlinkCalls;
  /** Whether this process may set up interfaces. */
  readonly mayChange: boolean;
  /** The machine's files about devices. */
  readonly sysfs?: string;
}

/**
 * Interfaces of the kernel, seen and set up through rtnetlink.
 *
 * A channel leaves its interface as it was found: one that was down is taken down again, and one that was
 * up stays up, with the settings it had.
 */
export class LinkControl implements CanInterfaces {
  readonly #options: LinkControlOptions;
  readonly #socket: NetlinkSocket;
  readonly #monitor: LinkMonitor;
  readonly #identities = new Map<number, { readonly of: string; readonly is: LinkIdentity }>();
  /** How links were when they were first changed here. */
  readonly #found = new Map<number, CanLink>();
  readonly #watchers = new Set<(links: readonly CanInterface[]) => void>();

  constructor(options: LinkControlOptions) {
    this.#options = options;
    this.#socket = new NetlinkSocket(options.calls);
    this.#monitor = new LinkMonitor({ ...options, socket: this.#socket });
    const tell = (): void => {
      const all = this.#interfaces(this.#monitor.links);
      for (const watcher of [...this.#watchers]) watcher(all);
    };
    this.#monitor.listen({
      onAppeared: tell,
      onChanged: tell,
      onVanished: (link) => {
        this.#identities.delete(link.index);
        this.#found.delete(link.index);
        tell();
      },
    });
  }

  /** Requests other than those for links, as the gateway's rules are. */
  get socket(): NetlinkSocket {
    return this.#socket;
  }

  async list(): Promise<readonly CanInterface[]> {
    return this.#interfaces(await this.#monitor.refresh());
  }

  watch(onChange: (links: readonly CanInterface[]) => void): () => void {
    this.#watchers.add(onChange);
    return () => void this.#watchers.delete(onChange);
  }

  async run(
    { index, sn }: CanInterface,
    wanted: ChannelSettings,
    onDown?: () => void,
  ): Promise<CanInterface> {
    const link = await this.#read(index, sn);
    const plan = linkPlan(link, wanted);
    const running = plan ? await this.#apply(link, plan, wanted, onDown) : link;
    this.#monitor.hold(index);
    return this.#one(running);
  }

  preparation({ index }: CanInterface, wanted: ChannelSettings): string | undefined {
    const link = this.#monitor.links.find((candidate) => candidate.index === index);
    if (this.#options.mayChange || !link) return undefined;
    const plan = linkPlan(link, wanted);
    return plan && ipCommands(link.name, plan.change, plan.needsDown).join(' && ');
  }

  async release({ index }: CanInterface): Promise<void> {
    this.#monitor.release(index);
    const found = this.#found.get(index);
    if (!found) return;
    this.#found.delete(index);
    try {
      const now = await this.#monitor.read(index);
      if (now) await this.#putBack(found, now);
    } catch {
      // It is gone, or the right to change it is: nothing of ours is left to do.
    }
  }

  async restart({ index, sn }: CanInterface, onDown?: () => void): Promise<void> {
    const link = await this.#read(index, sn);
    const plan = { needsDown: true, change: { isUp: true } };
    try {
      await this.#perform(link, plan, onDown);
    } finally {
      await this.#monitor.read(index);
    }
  }

  close(): void {
    this.#monitor.close();
    this.#watchers.clear();
    void this.#socket.close();
  }

  async #read(index: number, sn: string): Promise<CanLink> {
    const link = await this.#monitor.read(index);
    if (!link) throw deviceLost(sn);
    return link;
  }

  async #apply(
    link: CanLink,
    plan: LinkPlan,
    wanted: ChannelSettings,
    onDown?: () => void,
  ): Promise<CanLink> {
    const { index, name } = link;
    const isFirst = !this.#found.has(index);
    if (isFirst) this.#found.set(index, link);
    try {
      await this.#perform(link, plan, onDown);
      const running = await this.#read(index, name);
      checkOutcome(running, wanted);
      return running;
    } catch (thrown) {
      const isBack = await this.#undo(link);
      // What could not be undone is still to be put back when the interface is released.
      if (isFirst && isBack) this.#found.delete(index);
      throw thrown;
    }
  }

  /** Whether it is as it was before a change that failed. */
  async #undo(before: CanLink): Promise<boolean> {
    try {
      const now = await this.#monitor.read(before.index);
      if (now) await this.#putBack(before, now);
      return true;
    } catch {
      return false;
    }
  }

  /** Takes it down where it has to be, and then does everything at once. */
  async #perform(
    { index, name }: CanLink,
    { needsDown, change }: LinkPlan,
    onDown?: () => void,
  ): Promise<void> {
    try {
      if (needsDown) await this.#change(index, { isUp: false });
      onDown?.();
      await this.#change(index, change);
    } catch (thrown) {
      const commands = ipCommands(name, change, needsDown);
      throw changeRefused(thrown, { name, change, commands });
    }
  }

  async #putBack(found: CanLink, now: CanLink): Promise<void> {
    const change = restoringChange(found, now);
    const isSame = Object.keys(change).length === 0;
    if (isSame && found.isUp === now.isUp) return;
    if (now.isUp) await this.#change(now.index, { isUp: false });
    if (!isSame || found.isUp) await this.#change(now.index, { ...change, isUp: found.isUp });
  }

  #change(index: number, change: LinkChange): Promise<void> {
    return this.#socket.change(messageType.newLink, changedLink(index, change));
  }

  /** Files about a device are read once for each name that its interface has. */
  #identityOf(link: CanLink): LinkIdentity {
    const known = this.#identities.get(link.index);
    if (known?.of === link.name) return known.is;
    const is = linkIdentity(link, this.#options.sysfs);
    this.#identities.set(link.index, { of: link.name, is });
    return is;
  }

  #one(link: CanLink): CanInterface {
    const others = this.#monitor.links.filter(({ index }) => index !== link.index);
    const [first] = this.#interfaces([link, ...others]);
    if (!first) throw deviceLost(link.name);
    return first;
  }

  #interfaces(links: readonly CanLink[]): readonly CanInterface[] {
    const identities = distinctSerials(links.map((link) => this.#identityOf(link)));
    return links.flatMap((link, index) => {
      const identity = identities[index];
      return identity ? [this.#interfaceOf(link, identity)] : [];
    });
  }

  #interfaceOf(link: CanLink, { sn, place, label, firmwareVersion }: LinkIdentity): CanInterface {
    const { name, index, isUp, controller } = link;
    return {
      sn,
      serial: this.#identityOf(link).sn,
      place,
      uid: name,
      label,
      firmwareVersion,
      name,
      index,
      isUp,
      isBusOff: controller?.state === 'bus_off',
      busState: busStates.find((state) => state === controller?.state),
      errorCounts: controller?.errorCounters,
      hasFd: hasFd(link),
      hasController: controller !== undefined,
      keepsDlc: !controller || (controller.modes & canMode.classicDlc) !== 0,
      port: linkPort(link, this.#options.txQueue),
      rates: { nominal: controller?.bitrates ?? [], data: controller?.dataBitrates ?? [] },
      settings: currentSettings(link),
    };
  }
}

const netAdmin = 12n;

/** CAP_NET_ADMIN, as far as the system tells. */
const mayChangeLinks = (): boolean => {
  try {
    const status = readFileSync('/proc/thread-self/status', 'utf8');
    const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
    return ((effective >> netAdmin) & 1n) === 1n;
  } catch {
    return false;
  }
};

/** The interfaces of this machine's kernel. */
export const openLinks = async (clock: Clock, txQueue: number): Promise<LinkControl> =>
  new LinkControl({
    clock,
    txQueue,
    calls: await loadNetlinkCalls(),
    mayChange: mayChangeLinks(),
  });
