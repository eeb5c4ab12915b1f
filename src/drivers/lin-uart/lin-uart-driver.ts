import { openSerialPort } from '../../base/serial/serial-port.ts';
import type { OpenSettings } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import { chooseNames } from '../choose-names.ts';
import type { DeviceInfo, Driver, DriverContext } from '../driver.ts';
import { deviceLost, noSuchPort, portInUse } from '../refusals.ts';
import { identifySerialDevice, type SerialIdentity } from '../serial-device/serial-identity.ts';
import { serialNeeds } from '../serial-device/serial-needs.ts';
import {
  type LinUartAddress,
  linUartAddressError,
  parseLinUartAddress,
} from './lin-uart-address.ts';
import { LinUartChannel } from './lin-uart-channel.ts';
import type { OpenSerialPort } from './lin-uart-link.ts';
import { linUartPort, openedSettings } from './lin-uart-settings.ts';

interface FoundDevice {
  readonly text: string;
  readonly address: LinUartAddress;
  readonly identity: SerialIdentity;
}

interface OpenDevice {
  readonly text: string;
  readonly channel: LinUartChannel;
}

type IdentifySerialDevice = (named: string) => Promise<SerialIdentity | undefined>;

const firmwareVersion = '';

/**
 * LIN over serial ports with a transceiver. A serial port cannot identify the connected device,
 * so only ports in the bench file are used. From the outside in:
 *
 *     LinUartDriver              devices of the bench file
 *       LinUartChannel           an open port: settings, queue, loss and return
 *         LinLine                the node: expected input, and when to send (pure)
 *           LinSender            sent bytes, and whether they came back
 *           LinReporter          reports, and the outcomes of the queue
 *             LinUartReports     records and counts
 *         LinUartLink            the serial port: marks, breaks, bytes
 *           LineBreak            how this port makes a break
 */
export class LinUartDriver implements Driver {
  readonly kind = 'lin-uart';
  readonly #context: DriverContext;
  readonly #openPort: OpenSerialPort;
  readonly #identify: IdentifySerialDevice;
  readonly #seen = new Set<string>();
  readonly #open = new Map<string, OpenDevice>();

  constructor(context: DriverContext, openPort: OpenSerialPort, identify: IdentifySerialDevice) {
    this.#context = context;
    this.#openPort = openPort;
    this.#identify = identify;
  }

  async devices(): Promise<readonly DeviceInfo[]> {
    const found = await this.#look();
    return Promise.all(
      [...found.values()].map(async ({ text, identity: { sn, uid, name, path } }) => {
        const needs = await serialNeeds(path);
        return {
          sn,
          uid,
          name,
          address: text,
          firmwareVersion,
          ...(needs !== undefined && { needs }),
          ports: [linUartPort],
        };
      }),
    );
  }

  async open(
    sn: string,
    port: number,
    asked: OpenSettings,
    sink: ChannelSink,
  ): Promise<LinUartChannel> {
    const device = (await this.#look()).get(sn);
    if (port !== linUartPort.port) throw noSuchPort(sn, port);
    if (this.#open.has(sn)) throw portInUse(sn, port);
    if (device === undefined) throw this.#seen.has(sn) ? deviceLost(sn) : noSuchPort(sn, port);
    const { clock, scheduler } = this.#context;
    const channel = new LinUartChannel({
      sn,
      address: device.address,
      settings: openedSettings(asked),
      sink,
      clock,
      scheduler,
      openPort: this.#openPort,
      onClose: () => void this.#open.delete(sn),
    });
    this.#open.set(sn, { text: device.text, channel });
    try {
      await channel.start(device.identity);
    } catch (error) {
      this.#open.delete(sn);
      throw error;
    }
    return channel;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ channel }) => channel.close()));
  }

  async #look(): Promise<ReadonlyMap<string, FoundDevice>> {
    const openAs = new Map([...this.#open].map(([sn, { text }]) => [text, sn]));
    const devices = await this.#devicesThere();
    const idle = devices.filter(({ text }) => !openAs.has(text));
    const names = chooseNames(
      idle.map(({ identity: { sn, ownName } }) => [sn, ownName.sn]),
      new Set(openAs.values()),
    );
    const found = new Map<string, FoundDevice>();
    for (const device of devices) {
      const { identity, text } = device;
      const sn = openAs.get(text) ?? names[idle.indexOf(device)] ?? identity.sn;
      const { uid } = sn === identity.sn ? identity : identity.ownName;
      found.set(sn, { ...device, identity: { ...identity, sn, uid } });
      this.#seen.add(sn);
    }
    return found;
  }

  /** Devices named in the bench file. If several names mean the same device, the first is used. */
  async #devicesThere(): Promise<readonly FoundDevice[]> {
    const byPath = new Map<string, FoundDevice>();
    for (const text of this.#context.addresses) {
      if (linUartAddressError(text) !== undefined) continue;
      const address = parseLinUartAddress(text);
      const identity = await this.#identify(address.named);
      if (identity === undefined || byPath.has(identity.path)) continue;
      byPath.set(identity.path, { text, address, identity });
    }
    return [...byPath.values()];
  }
}

export const createLinUartDriver = (
  context: DriverContext,
  openPort: OpenSerialPort = openSerialPort,
  identify: IdentifySerialDevice = identifySerialDevice,
): LinUartDriver => new LinUartDriver(context, openPort, identify);
