import { openSerialPort } from '../../base/serial/serial-port.ts';
import type { OpenSettings } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import type { DeviceInfo, Driver, DriverContext } from '../driver.ts';
import { deviceLost, noSuchPort, portInUse } from '../refusals.ts';
import { identifySerialDevice, type SerialIdentity } from '../serial-device/serial-identity.ts';
import { serialNeeds } from '../serial-device/serial-needs.ts';
import {
  type LinUartAddress,
  linUartAddressFlaw,
  parseLinUartAddress,
} from './lin-uart-address.ts';
import { LinUartChannel } from './lin-uart-channel.ts';
import type { OpenSerialPort } from './lin-uart-link.ts';
import { linUartPort, openedSettings } from './lin-uart-settings.ts';

interface FoundDevice {
  /** As the bench has it. */
  readonly text: string;
  readonly address: LinUartAddress;
  readonly identity: SerialIdentity;
}

/** What a UART says of its own firmware, which is nothing. */
const firmwareVersion = '';

/**
 * LIN over serial ports with a transceiver. A port does not tell what is connected to it, so that
 * only those are used that the bench names. From the outside in:
 *
 *     LinUartDriver              the devices that the bench names
 *       LinUartChannel           an open port: settings, queue, loss and return
 *         LinLine                the node: what it expects to hear, and when to speak (pure)
 *           LinSender            what was sent, and whether it came back
 *           LinReporter          what is reported, and the outcomes of the queue
 *             LinUartReports     records and counts
 *         LinUartLink            the serial port: marks, breaks, bytes
 *           LineBreak            how this port makes a break
 */
export class LinUartDriver implements Driver {
  readonly kind = 'lin-uart';
  readonly #context: DriverContext;
  readonly #openPort: OpenSerialPort;
  /** Serial numbers of devices that were there at some time. */
  readonly #seen = new Set<string>();
  readonly #channels = new Map<string, LinUartChannel>();

  constructor(context: DriverContext, openPort: OpenSerialPort) {
    this.#context = context;
    this.#openPort = openPort;
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
    if (this.#channels.has(sn)) throw portInUse(sn, port);
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
      onClose: () => void this.#channels.delete(sn),
    });
    this.#channels.set(sn, channel);
    try {
      await channel.start(device.identity);
    } catch (error) {
      this.#channels.delete(sn);
      throw error;
    }
    return channel;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => channel.close()));
  }

  /** The devices that are there now, by serial number. Several names may lead to one. */
  async #look(): Promise<ReadonlyMap<string, FoundDevice>> {
    const found = new Map<string, FoundDevice>();
    for (const text of this.#context.addresses) {
      if (linUartAddressFlaw(text) !== undefined) continue;
      const address = parseLinUartAddress(text);
      const identity = await identifySerialDevice(address.named);
      if (identity === undefined || found.has(identity.sn)) continue;
      found.set(identity.sn, { text, address, identity });
      this.#seen.add(identity.sn);
    }
    return found;
  }
}

export const createLinUartDriver = (
  context: DriverContext,
  openPort: OpenSerialPort = openSerialPort,
): LinUartDriver => new LinUartDriver(context, openPort);
