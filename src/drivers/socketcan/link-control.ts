import { readFileSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, type ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import { busStates } from '../channel-stats.ts';
import { deviceLost, unsupportedByHardware } from '../refusals.ts';
import type { CanInterface, CanInterfaces } from './can-interfaces.ts';
import { linkPort } from './link-capabilities.ts';
import { distinctSerials, type LinkIdentity, linkIdentity } from './link-identity.ts';
import { LinkMonitor } from './link-monitor.ts';
import {
  checkOutcome,
  currentSettings,
  hasFd,
  type LinkUpdate,
  linkUpdate,
  restoringChange,
} from './link-settings.ts';
import { type CanLinkChange, canMode, type WantedTiming } from './netlink/can-link-data.ts';
import { type CanLink, changedLink, type LinkChange } from './netlink/links.ts';
import { messageType } from './netlink/messages.ts';
import { loadNetlinkCalls, type NetlinkCalls } from './netlink/netlink-calls.ts';
import { NetlinkSocket } from './netlink/netlink-socket.ts';
import { KernelRefusal } from './netlink/refusal.ts';

interface RefusedChange {
  readonly name: string;
  readonly change: LinkChange;
  readonly commands: readonly string[];
}

const said = (refusal: KernelRefusal): ErrorDetails => ({
  errno: refusal.errno,
  ...(refusal.text !== undefined && { kernel: refusal.text }),
});

const hardwareError = (reason: string, message: string, details: ErrorDetails): BusbarError =>
  new BusbarError('hardware_error', { message, details: { reason, ...details } });

const fieldOf = ({ change: { controller = {} } }: RefusedChange): string => {
  const { bitTiming, dataBitTiming, modes, termination } = controller;
  if (dataBitTiming) return 'quantum' in dataBitTiming ? 'timing.data' : 'data_bitrate';
  if (bitTiming) return 'quantum' in bitTiming ? 'timing.nominal' : 'bitrate';
  if (modes) return 'mode';
  return termination === undefined ? 'channel' : 'termination';
};

export const changeRefused = (thrown: unknown, refused: RefusedChange): BusbarError => {
  if (!(thrown instanceof KernelRefusal)) return BusbarError.from(thrown);
  const { name, commands } = refused;
  const details = { device: name, ...said(thrown) };
  switch (thrown.errno) {
    case 'EPERM':
    case 'EACCES':
      return new BusbarError('hardware_error', {
        message: `Only root may configure the interface ${name}; run once: ${commands.join(' && ')}`,
        details: { reason: 'permission', ...details, commands },
        hint: `Run ${commands.map((command) => `sudo ${command}`).join(' && ')}`,
        retryable: false,
      });
    case 'ENODEV':
      return hardwareError('device_lost', `The interface ${name} was removed`, details);
    case 'EBUSY':
      return new BusbarError('busy', {
        message: `The interface ${name} was brought up by another program`,
        details: { reason: 'interface_up', ...details },
      });
    case 'ETIMEDOUT':
      return hardwareError('timeout', `The adapter of ${name} does not respond`, details);
    case 'EDOM':
    case 'EINVAL':
    case 'ENOTSUP':
    case 'EOPNOTSUPP':
    case 'ERANGE': {
      const field = fieldOf(refused);
      return unsupportedByHardware(
        field,
        `The kernel rejected ${field} for the interface ${name}`,
        details,
      );
    }
    default:
      return hardwareError('refused', `The kernel rejected the settings of ${name}`, details);
  }
};

const modeWords = [
  ['fd', canMode.fd],
  ['listen-only', canMode.listenOnly],
  ['loopback', canMode.loopback],
  ['berr-reporting', canMode.busErrorReporting],
  ['cc-len8-dlc', canMode.classicDlc],
  ['triple-sampling', canMode.tripleSampling],
  ['one-shot', canMode.oneShot],
  ['fd-non-iso', canMode.fdNonIso],
  ['presume-ack', canMode.presumeAck],
] as const;

const timingWords = (timing: WantedTiming, prefix: '' | 'd'): readonly string[] => {
  if ('bitrate' in timing) {
    const { bitrate, samplePoint } = timing;
    const point = samplePoint ? [`${prefix}sample-point`, String(samplePoint / 1000)] : [];
    return [`${prefix}bitrate`, String(bitrate), ...point];
  }
  const { quantum, propagation, phase1, phase2, sjw } = timing;
  return [
    ...[`${prefix}tq`, String(quantum), `${prefix}prop-seg`, String(propagation)],
    ...[`${prefix}phase-seg1`, String(phase1), `${prefix}phase-seg2`, String(phase2)],
    ...[`${prefix}sjw`, String(sjw)],
  ];
};

const controllerWords = (change: CanLinkChange): readonly string[] => {
  const { bitTiming, dataBitTiming, modes, restartMs, restart, termination } = change;
  const { mask = 0, flags = 0 } = modes ?? {};
  return [
    ...(bitTiming ? timingWords(bitTiming, '') : []),
    ...(dataBitTiming ? timingWords(dataBitTiming, 'd') : []),
    ...modeWords
      .filter(([, bit]) => (mask & bit) !== 0)
      .flatMap(([word, bit]) => [word, (flags & bit) !== 0 ? 'on' : 'off']),
    ...(restartMs === undefined ? [] : ['restart-ms', String(restartMs)]),
    ...(restart ? ['restart'] : []),
    ...(termination === undefined ? [] : ['termination', String(termination)]),
  ];
};

export const ipCommands = (
  name: string,
  change: LinkChange,
  needsDown: boolean,
): readonly string[] => {
  const { isUp, mtu, txQueueLength, controller } = change;
  const words = controller ? controllerWords(controller) : [];
  const line = [
    `ip link set ${name}`,
    ...(mtu === undefined ? [] : [`mtu ${mtu}`]),
    ...(txQueueLength === undefined ? [] : [`txqueuelen ${txQueueLength}`]),
    ...(isUp === undefined ? [] : [isUp ? 'up' : 'down']),
    ...(words.length > 0 ? [`type can ${words.join(' ')}`] : []),
  ].join(' ');
  return needsDown ? [`ip link set ${name} down`, line] : [line];
};

export interface LinkControlOptions {
  readonly clock: Clock;
  readonly txQueue: number;
  readonly calls: NetlinkCalls;
  readonly mayChange: boolean;
  readonly sysfs?: string;
}

/**
 * Kernel CAN interfaces, read and configured through rtnetlink. A channel restores its
 * interface on release: down again if it was down, otherwise up with its previous settings.
 */
export class LinkControl implements CanInterfaces {
  readonly #options: LinkControlOptions;
  readonly #socket: NetlinkSocket;
  readonly #monitor: LinkMonitor;
  readonly #identities = new Map<number, { readonly of: string; readonly is: LinkIdentity }>();
  readonly #found = new Map<number, CanLink>();
  readonly #watchers = new Set<(links: readonly CanInterface[]) => void>();

  constructor(options: LinkControlOptions) {
    this.#options = options;
    this.#socket = new NetlinkSocket(options.calls);
    this.#monitor = new LinkMonitor({ ...options, socket: this.#socket });
    const report = (): void => {
      const all = this.#interfaces(this.#monitor.links);
      for (const watcher of [...this.#watchers]) watcher(all);
    };
    this.#monitor.listen({
      onAppeared: report,
      onChanged: report,
      onVanished: (link) => {
        this.#identities.delete(link.index);
        this.#found.delete(link.index);
        report();
      },
    });
  }

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
    const update = linkUpdate(link, wanted);
    const running = update ? await this.#apply(link, update, wanted, onDown) : link;
    this.#monitor.hold(index);
    return this.#one(running);
  }

  preparation({ index }: CanInterface, wanted: ChannelSettings): string | undefined {
    const link = this.#monitor.links.find((candidate) => candidate.index === index);
    if (this.#options.mayChange || !link) return undefined;
    const update = linkUpdate(link, wanted);
    return update && ipCommands(link.name, update.change, update.needsDown).join(' && ');
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
      // Removed, or no longer permitted.
    }
  }

  async restart({ index, sn }: CanInterface, onDown?: () => void): Promise<void> {
    const link = await this.#read(index, sn);
    const update = { needsDown: true, change: { isUp: true } };
    try {
      await this.#perform(link, update, onDown);
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
    update: LinkUpdate,
    wanted: ChannelSettings,
    onDown?: () => void,
  ): Promise<CanLink> {
    const { index, name } = link;
    const isFirst = !this.#found.has(index);
    if (isFirst) this.#found.set(index, link);
    try {
      await this.#perform(link, update, onDown);
      const running = await this.#read(index, name);
      checkOutcome(running, wanted);
      return running;
    } catch (thrown) {
      const isBack = await this.#undo(link);
      // Changes that could not be undone are restored on release.
      if (isFirst && isBack) this.#found.delete(index);
      throw thrown;
    }
  }

  async #undo(before: CanLink): Promise<boolean> {
    try {
      const now = await this.#monitor.read(before.index);
      if (now) await this.#putBack(before, now);
      return true;
    } catch {
      return false;
    }
  }

  async #perform(
    { index, name }: CanLink,
    { needsDown, change }: LinkUpdate,
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

const mayChangeLinks = (): boolean => {
  try {
    const status = readFileSync('/proc/thread-self/status', 'utf8');
    const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
    return ((effective >> netAdmin) & 1n) === 1n;
  } catch {
    return false;
  }
};

export const openLinks = async (clock: Clock, txQueue: number): Promise<LinkControl> =>
  new LinkControl({ clock, txQueue, calls: await loadNetlinkCalls(), mayChange: mayChangeLinks() });
