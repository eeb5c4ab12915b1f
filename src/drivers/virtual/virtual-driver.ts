import { compileIdFilters, type IdPredicate } from '../../frame/id-filter.ts';
import { usesEnhancedChecksum } from '../../frame/lin.ts';
import type { OpenSettings } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import type { DeviceInfo, Driver, DriverContext } from '../driver.ts';
import type { DriverChannel, LinChannel, LinReadDone } from '../driver-channel.ts';
import { linAction } from '../lin/lin-tx-queue.ts';
import { PortReporter } from '../port-reporter.ts';
import { deviceLost, noSuchPort, portInUse, unsupportedByHardware } from '../refusals.ts';
import type { SendResult } from '../send-result.ts';
import { CanBus } from './can-bus.ts';
import { CanDeviceRoutes } from './can-device-routes.ts';
import { severity } from './can-error-counters.ts';
import { LinBus } from './lin-bus.ts';
import { LinNode } from './lin-node.ts';
import { SegmentClock } from './segment-clock.ts';
import { VirtualCanChannel } from './virtual-can-channel.ts';
import { VirtualChannel, type VirtualChannelParts } from './virtual-channel.ts';
import { canSegments, virtualDevice } from './virtual-ports.ts';
import { openedSettings } from './virtual-settings.ts';

export class VirtualLinChannel extends VirtualChannel implements LinChannel {
  readonly bus = 'lin';
  readonly node: LinNode;
  readonly #on: LinBus;

  constructor(parts: VirtualChannelParts, on: LinBus) {
    super(parts);
    this.#on = on;
    this.node = new LinNode(parts.reporter);
    this.putOnBus();
  }

  masterWrite(
    id: number,
    flags: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): SendResult {
    const result = this.#queue(linAction.write, id, flags, length);
    if (result === 'accepted') this.node.queue.fillLast(data, offset, length);
    return result;
  }

  masterRead(id: number, flags: number, length: number, done: LinReadDone): SendResult {
    return this.#queue(linAction.read, id, flags, length, done);
  }

  syncBreak(): SendResult {
    return this.#queue(linAction.syncBreak, 0, 0, 0);
  }

  wakeUp(): SendResult {
    return this.#queue(linAction.wakeUp, 0, 0, 0);
  }

  setResponse(id: number, flags: number, data: Uint8Array, offset: number, length: number): void {
    // Earlier headers get the earlier response.
    if (this.present) this.time.catchUp(this.#on);
    this.node.responses.set(id, usesEnhancedChecksum(id, flags), data, offset, length);
  }

  clearResponse(id: number): void {
    if (this.present) this.time.catchUp(this.#on);
    this.node.responses.clear(id);
  }

  check(): SendResult {
    const result = this.#checkPort();
    return result === 'accepted' && !this.node.isMaster ? 'not_master' : result;
  }

  #checkPort(): SendResult {
    if (!this.present) return 'lost';
    if (this.node.listenOnly) return 'listen_only';
    return this.node.powered ? 'accepted' : 'unpowered';
  }

  #queue(
    action: number,
    id: number,
    flags: number,
    length: number,
    done?: LinReadDone,
  ): SendResult {
    const { node } = this;
    const refusal = action === linAction.wakeUp ? this.#checkPort() : this.check();
    if (refusal !== 'accepted') return refusal;
    const atUs = this.#on.reportingUs ?? this.time.catchUp(this.#on);
    if (!this.present) return 'lost';
    if (!node.queue.push(action, id, usesEnhancedChecksum(id, flags), length, atUs, done))
      return 'full';
    this.time.attend(this.#on);
    return 'accepted';
  }

  protected get segment(): LinBus {
    return this.#on;
  }

  get pending(): number {
    if (this.present) this.time.catchUp(this.segment);
    return this.node.queue.size;
  }

  protected get queued(): number {
    return this.node.queue.size;
  }

  protected get severity(): number {
    return severity.active;
  }

  protected get txErrorCount(): number {
    return 0;
  }

  protected get rxErrorCount(): number {
    return 0;
  }

  protected takeOffBus(nowUs: number): void {
    this.#on.leave(this.node, nowUs);
    this.node.abandonQueue(nowUs);
  }

  protected putOnBus(): void {
    this.node.start(this.settings);
    this.#on.join(this.node);
  }

  protected applyQuietly(): void {
    this.node.apply(this.settings);
  }
}

type AnyVirtualChannel = VirtualCanChannel | VirtualLinChannel;

/** One predicate per filter, to report which one matched. */
const compileEach = (asked: OpenSettings, bus: string): IdPredicate[] => {
  const { filters = [] } = asked;
  if (bus === 'lin' && filters.length > 0) {
    throw unsupportedByHardware('filters', 'A LIN port has no filters');
  }
  compileIdFilters(filters);
  return filters.map((filter) => compileIdFilters([filter]));
};

export class VirtualDevice {
  readonly info = virtualDevice;
  readonly #time: SegmentClock;
  readonly #canBuses = canSegments.map((ports) => ({ ports, bus: new CanBus() }));
  readonly #linBus = new LinBus();
  readonly #channels = new Map<number, AnyVirtualChannel>();
  readonly #routes = new CanDeviceRoutes((target) => {
    const own = this.#channels.get(target.port);
    return own === target && own instanceof VirtualCanChannel ? own : undefined;
  });
  #present = true;

  constructor(time: SegmentClock) {
    this.#time = time;
    for (const { bus } of this.#canBuses) time.add(bus);
    time.add(this.#linBus);
  }

  get isPresent(): boolean {
    return this.#present;
  }

  channelAt(port: number): AnyVirtualChannel | undefined {
    return this.#channels.get(port);
  }

  open(port: number, asked: OpenSettings, sink: ChannelSink): AnyVirtualChannel {
    const { sn, ports } = this.info;
    const info = ports.find((candidate) => candidate.port === port);
    if (!info) throw noSuchPort(sn, port);
    if (!this.#present) throw deviceLost(sn);
    if (this.#channels.has(port)) throw portInUse(sn, port);
    const settings = openedSettings(info, asked);
    const filters = compileEach(asked, settings.bus);
    const parts = {
      sn,
      info,
      settings,
      reporter: new PortReporter(sink, this.#time.unixOffsetUs),
      time: this.#time,
      onClose: () => void this.#channels.delete(port),
    };
    // A joining port must not take part in past frames.
    const canBus = this.#canBuses.find((segment) => segment.ports.includes(port))?.bus;
    const segment = canBus ?? this.#linBus;
    this.#time.catchUp(segment);
    const channel = canBus
      ? new VirtualCanChannel({ ...parts, shared: canBus, filters, routes: this.#routes })
      : new VirtualLinChannel(parts, this.#linBus);
    this.#channels.set(port, channel);
    this.#time.attend(segment);
    return channel;
  }

  lose(): void {
    this.#present = false;
    for (const channel of this.#channels.values()) channel.lose();
  }

  comeBack(): void {
    this.#present = true;
    for (const channel of this.#channels.values()) channel.comeBack();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => channel.close()));
  }
}

/**
 * Driver of the built-in bench, which needs no hardware. From the outside in:
 *
 *     VirtualDriver
 *       VirtualDevice                 the ports, and the open channels
 *         VirtualCanChannel           an open port
 *           VirtualCanOffload         jobs and routes
 *             CanDeviceRoutes         routes of the device, between ports seen as CanDevicePort
 *           CanBus                    arbitration, and the outcome of each frame
 *             CanNode                 a controller: queue, jobs, filters, error counters
 *               PortReporter          counts, and writes records into the sink
 *         VirtualLinChannel, LinBus, LinNode, PortReporter in the same order
 *       SegmentClock                  advances every bus, each seen as Segment
 */
export class VirtualDriver implements Driver {
  readonly kind = 'virtual';
  readonly device: VirtualDevice;
  readonly #time: SegmentClock;

  constructor({ clock, scheduler }: DriverContext) {
    this.#time = new SegmentClock(clock, scheduler);
    this.device = new VirtualDevice(this.#time);
  }

  async devices(): Promise<readonly DeviceInfo[]> {
    return this.device.isPresent ? [this.device.info] : [];
  }

  async open(
    sn: string,
    port: number,
    settings: OpenSettings,
    sink: ChannelSink,
  ): Promise<DriverChannel> {
    if (sn !== this.device.info.sn) throw noSuchPort(sn, port);
    return this.device.open(port, settings, sink);
  }

  async close(): Promise<void> {
    await this.device.close();
    this.#time.stop();
  }
}

export const createVirtualDriver = (context: DriverContext): VirtualDriver =>
  new VirtualDriver(context);
