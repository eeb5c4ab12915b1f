import { compileIdFilters, type IdPredicate } from '../../frame/id-filter.ts';
import type { OpenSettings } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import { PortReporter } from '../port-reporter.ts';
import { deviceLost, noSuchPort, portInUse, unsupportedByHardware } from '../refusals.ts';
import { CanBus } from './can-bus.ts';
import { CanDeviceRoutes } from './can-device-routes.ts';
import { LinBus } from './lin-bus.ts';
import type { SegmentClock } from './segment-clock.ts';
import { VirtualCanChannel } from './virtual-can-channel.ts';
import { VirtualLinChannel } from './virtual-lin-channel.ts';
import { canSegments, virtualDevice } from './virtual-ports.ts';
import { openedSettings } from './virtual-settings.ts';

type AnyVirtualChannel = VirtualCanChannel | VirtualLinChannel;

/** One predicate for each filter, so that a frame can tell which one let it pass. */
const compileEach = (asked: OpenSettings, bus: string): IdPredicate[] => {
  const { filters = [] } = asked;
  if (bus === 'lin' && filters.length > 0) {
    throw unsupportedByHardware('filters', 'A LIN port has no filters');
  }
  compileIdFilters(filters);
  return filters.map((filter) => compileIdFilters([filter]));
};

/** The one device of the virtual bench: its buses, and the channels on its ports. */
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
    // A port that joins must not take part in what has happened before.
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

  /** The device is unplugged. */
  lose(): void {
    this.#present = false;
    for (const channel of this.#channels.values()) channel.lose();
  }

  /** The device is plugged in again. */
  comeBack(): void {
    this.#present = true;
    for (const channel of this.#channels.values()) channel.comeBack();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => channel.close()));
  }
}
