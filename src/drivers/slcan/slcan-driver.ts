import type { OpenSettings } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import { chooseNames } from '../choose-names.ts';
import type { DeviceInfo, Driver, DriverContext } from '../driver.ts';
import type { DriverChannel } from '../driver-channel.ts';
import { noSuchPort } from '../refusals.ts';
import { SlcanDevice } from './slcan-device.ts';
import { parseSlcanAddress, slcanAddressError } from './slcan-port.ts';

/**
 * CAN adapters on serial ports with the slcan protocol. Only ports in the bench file are opened:
 * probing every serial port would disturb other devices.
 *
 *     SlcanDriver
 *       SlcanDevice            the adapter at an address: search, probe, loss and return
 *         SlcanChannel         its open port
 *           SlcanTransmitter   frames without an outcome
 *           SlcanReports       errors and states
 *         SlcanPort            the serial port, and timeouts
 *           Exchange           matches responses to commands and frames; pure
 *             LineSplitter, frame-text, status-text
 */
class SlcanDriver implements Driver {
  readonly kind = 'slcan';
  readonly #context: DriverContext;
  readonly #devices = new Map<string, SlcanDevice>();

  constructor(context: DriverContext) {
    this.#context = context;
  }

  async devices(): Promise<readonly DeviceInfo[]> {
    await this.#followAddresses();
    const devices = [...this.#devices.values()];
    await Promise.all(devices.map((device) => device.look()));
    const used = devices.filter(({ isInUse }) => isInUse);
    const idle = devices.filter((device) => !device.isInUse && device.serials.length > 0);
    const serials = chooseNames(
      idle.map((device) => device.serials),
      new Set(used.map(({ knownSn = '' }) => knownSn)),
    );
    const uids = chooseNames(
      idle.map((device) => device.uids),
      new Set(used.map(({ knownUid = '' }) => knownUid)),
    );
    const names = new Map(
      idle.map((device, index) => {
        return [device, { sn: serials[index] as string, uid: uids[index] as string }];
      }),
    );
    return devices
      .map((device) => device.describe(names.get(device)))
      .filter((info) => info !== undefined);
  }

  async open(
    sn: string,
    port: number,
    settings: OpenSettings,
    sink: ChannelSink,
  ): Promise<DriverChannel> {
    const device = this.#find(sn) ?? (await this.devices().then(() => this.#find(sn)));
    if (!device || port !== 0) throw noSuchPort(sn, port);
    return device.open(settings, sink);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#devices.values()].map((device) => device.close()));
    this.#devices.clear();
  }

  #find(sn: string): SlcanDevice | undefined {
    return [...this.#devices.values()].find(({ knownSn }) => knownSn === sn);
  }

  /** Releases adapters no longer in the bench, unless open. */
  async #followAddresses(): Promise<void> {
    const { addresses } = this.#context;
    for (const text of addresses) {
      if (this.#devices.has(text) || slcanAddressError(text) !== undefined) continue;
      this.#devices.set(text, new SlcanDevice(parseSlcanAddress(text), this.#context));
    }
    for (const [text, device] of this.#devices) {
      if (addresses.includes(text) || device.isInUse) continue;
      this.#devices.delete(text);
      await device.close();
    }
  }
}

export const createSlcanDriver = (context: DriverContext): Driver => new SlcanDriver(context);
