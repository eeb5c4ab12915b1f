import type { Clock } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { nextPeriod } from '../base/schedule/period.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import { suggest } from '../base/suggest.ts';
import type { Broker } from '../broker/broker.ts';
import { Doorbell } from '../broker/doorbell.ts';
import type { DatabaseName } from '../database/database-name.ts';
import type { OpenSettings } from '../drivers/channel-settings.ts';
import { unsupportedByHardware } from '../drivers/refusals.ts';
import type { Attachments } from './attached-names.ts';
import type { Bench } from './bench-record.ts';
import { BenchSink } from './bench-sink.ts';
import { checkRestart } from './bus-off-recovery.ts';
import { type ChangeRequest, checkChange, settingChange } from './change-groups.ts';
import { Channel } from './channel.ts';
import {
  benchDatabases,
  benchPortName,
  dependsOnDevices,
  lookupDetails,
  meaningOf,
  namesOfOpen,
  networkNamed,
  notFindable,
  notFollowable,
  notOpenable,
  notUsable,
  type SelectorMatch,
} from './channel-lookup.ts';
import type { ChannelIdentity, ChannelRecord } from './channel-record.ts';
import { ChannelRegister, portTaken } from './channel-register.ts';
import {
  type ChannelAudience,
  type ChannelEntry,
  ChannelRings,
  RingFollowers,
} from './channel-rings.ts';
import { DeviceList, type Drivers, type KnownDevice } from './device-list.ts';
import { type DeviceRecord, deviceRecord } from './device-record.ts';
import { Listeners } from './listeners.ts';
import { checkName } from './name-rule.ts';
import { type OpenSettingsRequest, openSettings } from './open-settings.ts';
import { samplePeriodUs } from './rate-meter.ts';
import { parseSelector, type SelectorKind, stableSelector } from './selector.ts';
/**
 * Port numbers in files: from 1, in order of discovery. A port keeps its number while the
 * daemon runs.
 */
export class PortNumbers {
  readonly #numbers = new Map<string, number>();

  learn(devices: readonly KnownDevice[]): void {
    for (const { info } of devices) {
      for (const { port } of info.ports) this.numberOf(info.sn, port);
    }
  }

  numberOf(sn: string, port: number): number {
    const key = stableSelector(sn, port);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }
}

class RateSampler {
  readonly #clock: Clock;
  readonly #task: Task;

  constructor(clock: Clock, scheduler: Scheduler, channels: () => Iterable<Channel>) {
    this.#clock = clock;
    this.#task = scheduler.createTask('channel rates', (nowUs, dueUs) => {
      for (const channel of channels()) if (channel.state !== 'closing') channel.sampleRates();
      return nextPeriod(dueUs, samplePeriodUs, nowUs);
    });
  }

  start(): void {
    if (Number.isFinite(this.#task.dueUs)) return;
    this.#task.scheduleAt(this.#clock.monotonicUs() + samplePeriodUs);
  }

  stop(): void {
    this.#task.cancel();
  }
}

export type { ChannelAudience, ChannelEntry } from './channel-rings.ts';

export type BenchSource = () => Promise<Bench>;

export interface OpenRequest extends OpenSettingsRequest {
  readonly channel: string;
  readonly name?: string | undefined;
}

export interface FoundChannel {
  readonly channel: Channel;
  readonly text: string;
  readonly kind: SelectorKind;
  readonly resolved: string | null;
}

/** A channel that the bench names database files for. */
export interface ChannelFiles {
  readonly slot: number;
  readonly selector: string;
  readonly bus: 'can' | 'lin';
}

export interface OpenOptions {
  /** Database files are inside the project of the daemon, so other benches name none. */
  readonly isOwnBench?: boolean;
}

export interface ChannelTableOptions {
  readonly broker: Broker;
  readonly drivers: Drivers;
  readonly audience: ChannelAudience;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Loads the database files that the bench names for a channel. */
  readonly attachFiles?: (channel: ChannelFiles, files: readonly string[]) => Promise<Attachments>;
  readonly beforeLook?: () => Promise<void>;
  readonly onDefect: (thrown: unknown) => void;
}

type Refuse = (text: string, meaning: SelectorMatch) => Error;

/** Open channels of a daemon. All opening, lookup, changes and closing pass through this class. */
export class ChannelTable {
  readonly #options: ChannelTableOptions;
  readonly #register = new ChannelRegister();
  readonly #rings: ChannelRings;
  readonly #devices: DeviceList;
  readonly #numbers = new PortNumbers();
  readonly #sampler: RateSampler;
  readonly #openings = new Set<Promise<unknown>>();
  readonly #closings = new Map<number, Promise<ChannelRecord>>();
  readonly #stopFollowing = new Map<number, () => void>();
  readonly #opened: Listeners<Channel>;
  #ringFollowers: RingFollowers | undefined;

  constructor(options: ChannelTableOptions) {
    const { clock, scheduler, drivers, onDefect } = options;
    this.#options = options;
    this.#opened = new Listeners(onDefect);
    this.#rings = new ChannelRings(options);
    this.#devices = new DeviceList({
      drivers,
      isInUse: (sn) => this.#register.isInUse(sn),
      beforeLook: options.beforeLook,
      onDefect,
    });
    this.#sampler = new RateSampler(clock, scheduler, () => this.#register.channels);
  }

  get channels(): readonly Channel[] {
    return this.#register.channels;
  }

  get entries(): readonly ChannelEntry[] {
    return this.#rings.entries;
  }

  async devices(): Promise<DeviceRecord[]> {
    const devices = await this.#devices.look();
    const slotOf = (sn: string, port: number) => this.#register.channelAt(sn, port)?.slot;
    return devices.map((device) => deviceRecord(device, slotOf));
  }

  /** Opens a port. If two callers open the same port, exactly one succeeds. */
  async open(
    request: OpenRequest,
    bench: BenchSource,
    { isOwnBench = false }: OpenOptions = {},
  ): Promise<ChannelRecord> {
    const { channel: text, name } = request;
    if (name !== undefined) checkName(name);
    const settings = openSettings(request);
    const meaning = await this.#lookUp(text, bench);
    const details = lookupDetails(text, meaning);
    // Opening assigns the slot, so a slot cannot select a port to open.
    if (meaning.is === 'open' && meaning.kind !== 'slot') throw portTaken(meaning.channel, details);
    if (meaning.is !== 'port') throw notOpenable(text, meaning);
    const { device, port } = meaning;
    const restartMs = await this.#restartOf(request, meaning, bench);
    const usual = name === undefined ? await this.#usualName(device, port, bench) : null;
    const spare = usual !== null && this.#register.isNameFree(usual) ? usual : null;
    const files = isOwnBench ? await this.#databaseFiles(device, port, bench) : [];
    const { driver, driverSn, info } = device;
    this.#numbers.learn(this.#devices.known);
    const number = this.#numbers.numberOf(info.sn, port);
    const identity = this.#register.reserve(
      { name: name ?? spare, driver, sn: info.sn, uid: info.uid, port, number },
      details,
    );
    const opening = this.#openReserved(identity, driverSn, settings, restartMs, files);
    this.#openings.add(opening);
    return opening.finally(() => this.#openings.delete(opening));
  }

  async find(text: string, bench: BenchSource): Promise<FoundChannel> {
    const meaning = await this.#lookUp(text, bench, 'selector');
    return found(text, meaning, notFindable);
  }

  use(text: string, bench: BenchSource): Promise<FoundChannel> {
    return this.#findInService(text, bench, notUsable);
  }

  /** Finds the channel of a bench network. Channel names and ports do not match. */
  async useNetwork(network: string, bench: BenchSource): Promise<FoundChannel> {
    const known = { ...this.#places, bench: await bench() };
    let meaning = networkNamed(network, { ...known, devices: this.#devices.known });
    if (meaning.is === 'absent') {
      meaning = networkNamed(network, { ...known, devices: await this.#devices.look() });
    }
    return inService(network, meaning, notUsable);
  }

  onOpened(listener: (channel: Channel) => void): () => void {
    return this.#opened.add(listener);
  }

  follow(text: string, bench: BenchSource): Promise<FoundChannel> {
    return this.#findInService(text, bench, notFollowable);
  }

  /** Changes one group of settings. Changes to the same channel are serialized. */
  async configure(
    text: string,
    request: ChangeRequest,
    bench: BenchSource,
  ): Promise<ChannelRecord> {
    checkChange(request);
    const meaning = await this.#lookUp(text, bench, 'selector');
    const { channel } = inService(text, meaning, notFindable);
    const { restart_ms: restartMs } = request;
    if (restartMs !== undefined) {
      checkRestart(channel.selector, [channel.hardware.bus], 'restart_ms');
      if (channel.recovery) channel.recovery.restartMs = restartMs;
      return channel.record();
    }
    const isDone = await channel.configure((settings) => settingChange(request, settings));
    if (!isDone) throw notFindable(text, meaning);
    return channel.record();
  }

  async recover(text: string, bench: BenchSource): Promise<ChannelRecord> {
    const meaning = await this.#lookUp(text, bench, 'selector');
    const { channel } = inService(text, meaning, notFindable);
    if (!channel.recovery) {
      throw unsupportedByHardware('bus', 'Only CAN controllers go bus off', { channel: text });
    }
    await channel.recovery.recover();
    return channel.record();
  }

  async attachDatabase(
    text: string,
    database: DatabaseName,
    bench: BenchSource,
  ): Promise<ChannelRecord> {
    const meaning = await this.#lookUp(text, bench, 'selector');
    const { channel } = inService(text, meaning, notFindable);
    channel.databases.attach(database);
    return channel.record();
  }

  async detachDatabase(text: string, name: string, bench: BenchSource): Promise<ChannelRecord> {
    const meaning = await this.#lookUp(text, bench, 'selector');
    const { channel } = inService(text, meaning, notFindable);
    channel.databases.detach(name);
    return channel.record();
  }

  /** Replaces what an attached database says about its network. */
  describeDatabase(database: DatabaseName): void {
    for (const channel of this.channels) channel.databases.describe(database);
  }

  /** Detaches an unloaded database from every channel. */
  forgetDatabase(name: string): void {
    for (const { databases } of this.channels) databases.forget(name);
  }

  async close(text: string, bench: BenchSource): Promise<ChannelRecord> {
    const meaning = await this.#lookUp(text, bench, 'selector');
    return this.#close(inService(text, meaning, notFindable).channel);
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled(this.#openings);
    await Promise.all(this.channels.map((channel) => this.#close(channel)));
  }

  growHistory(capacity: number): Promise<void> {
    return this.#rings.grow(capacity);
  }

  async #findInService(text: string, bench: BenchSource, refuse: Refuse): Promise<FoundChannel> {
    return inService(text, await this.#lookUp(text, bench), refuse);
  }

  async #lookUp(text: string, bench: BenchSource, field = 'channel'): Promise<SelectorMatch> {
    const selector = parseSelector(text, field);
    const isWord = selector.form === 'word';
    const channel = isWord ? this.#register.channelNamed(selector.word) : undefined;
    if (channel) return { is: 'open', kind: 'name', resolved: null, channel };
    const known = { ...this.#places, bench: isWord ? await bench() : null };
    let directory = { ...known, devices: this.#devices.known };
    let meaning = meaningOf(selector, directory);
    if (dependsOnDevices(selector, meaning)) {
      directory = { ...known, devices: await this.#devices.look() };
      meaning = meaningOf(selector, directory);
    }
    if (meaning.is !== 'nothing' || selector.form === 'slot') return meaning;
    const near = suggest(text, namesOfOpen(this.channels, directory));
    return near === null ? meaning : { ...meaning, near };
  }

  get #places() {
    const register = this.#register;
    return {
      channelIn: (slot: number) => register.channelIn(slot),
      channelAt: (sn: string, port: number) => register.channelAt(sn, port),
    };
  }

  async #restartOf(
    { channel: text, restart_ms: asked }: OpenRequest,
    { kind, device, port }: Extract<SelectorMatch, { is: 'port' }>,
    bench: BenchSource,
  ): Promise<number> {
    const network = kind === 'network' ? (await bench()).networks[text] : undefined;
    const usual = network && 'channel' in network ? network.restart_ms : undefined;
    const restartMs = asked ?? usual;
    if (restartMs === undefined) return 0;
    const buses = device.info.ports.find((info) => info.port === port)?.buses ?? [];
    const field = asked === undefined ? `networks.${text}.restart_ms` : 'restart_ms';
    checkRestart(stableSelector(device.info.sn, port), buses, field);
    return restartMs;
  }

  /** A port can be opened with an invalid bench file; it then has no name. */
  async #usualName(device: KnownDevice, port: number, bench: BenchSource): Promise<string | null> {
    try {
      return benchPortName(await bench(), device, port);
    } catch {
      return null;
    }
  }

  async #databaseFiles(device: KnownDevice, port: number, bench: BenchSource): Promise<string[]> {
    try {
      return benchDatabases(await bench(), device, port);
    } catch {
      return [];
    }
  }

  /** A channel without its databases is of more use than none: its record has the reason. */
  async #attachFiles(channel: Channel, files: readonly string[]): Promise<void> {
    const { attachFiles, onDefect } = this.#options;
    if (files.length === 0 || !attachFiles) return;
    const { slot, selector, hardware } = channel;
    const bus = hardware.bus === 'lin' ? 'lin' : 'can';
    try {
      channel.databases.restore(await attachFiles({ slot, selector, bus }, files));
    } catch (thrown) {
      onDefect(thrown);
      const { message } = BusbarError.from(thrown);
      const code = 'database_not_attached' as const;
      channel.databases.restore({ databases: [], warnings: [{ code, message }] });
    }
  }

  async #openReserved(
    identity: ChannelIdentity,
    sn: string,
    settings: OpenSettings,
    restartMs: number,
    files: readonly string[],
  ): Promise<ChannelRecord> {
    const { drivers, clock, scheduler, onDefect } = this.#options;
    const { slot, port } = identity;
    try {
      const driver = await drivers.get(identity.driver);
      const ring = await this.#rings.open(identity, driver.writerOf?.(sn));
      const sink = new BenchSink(ring, onDefect);
      if (!ring.writer) this.#stopFollowing.set(slot, this.#followers.follow(sink));
      const hardware = await driver.open(sn, port, settings, sink);
      const channel = new Channel({
        identity,
        hardware,
        sink,
        restartMs,
        clock,
        scheduler,
        onDefect,
      });
      this.#register.list(channel);
      this.#sampler.start();
      this.#opened.report(channel);
      await this.#attachFiles(channel, files);
      return channel.record();
    } catch (thrown) {
      const isUnseen = this.#rings.published(slot) === 0;
      this.#unfollow(slot);
      await this.#rings.close(slot);
      if (isUnseen) this.#register.abandon(slot);
      else this.#register.release(slot);
      throw thrown;
    }
  }

  get #followers(): RingFollowers {
    if (!this.#ringFollowers) {
      const { broker } = this.#options;
      const bell = new Doorbell(broker.memory, broker.claimReader());
      this.#ringFollowers = new RingFollowers(broker.memory, bell);
    }
    return this.#ringFollowers;
  }

  #unfollow(slot: number): void {
    this.#stopFollowing.get(slot)?.();
    this.#stopFollowing.delete(slot);
  }

  #close(channel: Channel): Promise<ChannelRecord> {
    const { slot } = channel;
    const closing = this.#closings.get(slot) ?? this.#tearDown(channel);
    this.#closings.set(slot, closing);
    return closing;
  }

  async #tearDown(channel: Channel): Promise<ChannelRecord> {
    const { slot } = channel;
    const record = await channel.close().catch((thrown) => {
      this.#options.onDefect(thrown);
      return channel.record();
    });
    this.#unfollow(slot);
    await this.#rings.close(slot);
    this.#register.release(slot);
    this.#closings.delete(slot);
    if (this.#register.channels.length === 0) this.#sampler.stop();
    return record;
  }
}

const found = (text: string, meaning: SelectorMatch, refuse: Refuse): FoundChannel => {
  if (meaning.is !== 'open') throw refuse(text, meaning);
  const { channel, kind, resolved } = meaning;
  return { channel, text, kind, resolved };
};

const inService = (text: string, meaning: SelectorMatch, refuse: Refuse): FoundChannel => {
  const result = found(text, meaning, refuse);
  if (result.channel.state === 'closing') throw refuse(text, meaning);
  return result;
};
