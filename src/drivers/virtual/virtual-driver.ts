import type { OpenSettings } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import type { DeviceInfo, Driver, DriverContext } from '../driver.ts';
import type { DriverChannel } from '../driver-channel.ts';
import { noSuchPort } from '../refusals.ts';
import { SegmentClock } from './segment-clock.ts';
import { VirtualDevice } from './virtual-device.ts';
import { VirtualFaults } from './virtual-faults.ts';

/**
 * The driver of the built-in bench, which needs no hardware. A line knows those that are further in
 * than itself, and none of those further out:
 *
 *     VirtualDriver, VirtualFaults
 *       VirtualDevice                 the ports, and those of them that are open
 *         VirtualCanChannel           an open port, as the driver contract has it
 *           VirtualCanOffload         jobs and routes that a caller has started
 *             CanDeviceRoutes         the device's, between ports seen as CanDevicePort
 *           CanBus                    who may send when, and what becomes of the frame
 *             CanNode                 a controller: queue, jobs, filters, error counters
 *               PortReporter          counts, and writes records into the sink
 *         VirtualLinChannel, LinBus, LinNode, PortReporter in the same order
 *       SegmentClock                  moves every bus on, each seen as Segment
 */
export class VirtualDriver implements Driver {
  readonly kind = 'virtual';
  readonly faults: VirtualFaults;
  readonly #time: SegmentClock;
  readonly #device: VirtualDevice;

  constructor({ clock, scheduler }: DriverContext) {
    this.#time = new SegmentClock(clock, scheduler);
    this.#device = new VirtualDevice(this.#time);
    this.faults = new VirtualFaults(this.#device);
  }

  async devices(): Promise<readonly DeviceInfo[]> {
    return this.#device.isPresent ? [this.#device.info] : [];
  }

  async open(
    sn: string,
    port: number,
    settings: OpenSettings,
    sink: ChannelSink,
  ): Promise<DriverChannel> {
    if (sn !== this.#device.info.sn) throw noSuchPort(sn, port);
    return this.#device.open(port, settings, sink);
  }

  async close(): Promise<void> {
    await this.#device.close();
    this.#time.stop();
  }
}

export const createVirtualDriver = (context: DriverContext): VirtualDriver =>
  new VirtualDriver(context);
