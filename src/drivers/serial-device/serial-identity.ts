import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Which device is behind the name of a serial port. */
export interface SerialIdentity {
  /** The device node that the name leads to now. */
  readonly path: string;
  /**
   * Stays the same over reboots and whichever socket the adapter is plugged into, where it is a USB
   * device with a serial number; else it is made of the name. Fit for a channel selector.
   */
  readonly sn: string;
  readonly uid: string;
  /** The same made of the name in any case: adapters that carry one serial number are told apart by it. */
  readonly ownName: Pick<SerialIdentity, 'sn' | 'uid'>;
  /** What the adapter calls itself, else the name of its node. */
  readonly name: string;
  readonly usb: UsbIdentity | undefined;
  /** A UART on the bus of the processor, whose line is controlled by registers. */
  readonly isMemoryMapped: boolean;
}

export interface UsbIdentity {
  readonly vendorId: string;
  readonly productId: string;
  readonly serial: string | undefined;
  /** Adapters with several ports have one interface for each. */
  readonly interfaceNumber: number;
  readonly product: string | undefined;
}

/** Where the kernel tells about its terminals; another place in tests. */
const ttyClass = '/sys/class/tty';
/** A terminal is at most a few levels below its USB device: port, interface, device. */
const mostLevels = 4;
/** Buses on which a register is written in less than a microsecond. */
const processorBuses: ReadonlySet<string> = new Set(['platform', 'pnp', 'amba', 'pci']);

const textOf = async (folder: string, file: string): Promise<string | undefined> => {
  try {
    const text = (await readFile(join(folder, file), 'utf8')).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
};

/** A name without characters that a selector or a shell would stumble over. */
const asWord = (text: string): string =>
  text
    .replace(/^\/(?:dev\/)?/, '')
    .replace(/[^\p{L}\p{N}._:+-]+/gu, '-')
    .replace(/^-+|-+$/g, '');

/** The place of a terminal among the kernel's devices; none where there is only a name. */
const deviceFolder = async (node: string, sysfs: string): Promise<string | undefined> => {
  try {
    return await realpath(join(sysfs, basename(node), 'device'));
  } catch {
    return undefined;
  }
};

/** Looks upwards from a terminal for the bus that its UART is on. */
const isOnProcessorBus = async (device: string): Promise<boolean> => {
  let folder = device;
  for (let level = 0; level < mostLevels; level++, folder = dirname(folder)) {
    const bus = await realpath(join(folder, 'subsystem')).then(basename, () => undefined);
    // Newer kernels have a level of their own between a UART and its bus.
    if (bus !== undefined && bus !== 'serial-base') return processorBuses.has(bus);
  }
  return false;
};

/** Looks upwards from a terminal for the USB device that it belongs to. */
const usbOf = async (device: string): Promise<UsbIdentity | undefined> => {
  let folder = device;
  let interfaceNumber = 0;
  for (let level = 0; level < mostLevels; level++, folder = dirname(folder)) {
    const number = await textOf(folder, 'bInterfaceNumber');
    if (number !== undefined) interfaceNumber = Number.parseInt(number, 16) || 0;
    const vendorId = await textOf(folder, 'idVendor');
    if (vendorId === undefined) continue;
    return {
      vendorId,
      productId: (await textOf(folder, 'idProduct')) ?? '',
      serial: await textOf(folder, 'serial'),
      interfaceNumber,
      product: await textOf(folder, 'product'),
    };
  }
  return undefined;
};

/** All but the first port of an adapter carry its number, as they share the serial number. */
const withInterface = (text: string, { interfaceNumber }: UsbIdentity): string =>
  interfaceNumber === 0 ? text : `${text}-${interfaceNumber}`;

const identityOf = (
  named: string,
  path: string,
  usb: UsbIdentity | undefined,
  isMemoryMapped: boolean,
): SerialIdentity => {
  const name = usb?.product ?? basename(path);
  const serial = asWord(usb?.serial ?? '');
  const word = asWord(named);
  const ownName = { sn: word, uid: `serial-${word}` };
  if (usb === undefined || serial === '') {
    return { path, ...ownName, ownName, name, usb, isMemoryMapped };
  }
  return {
    path,
    ownName,
    sn: withInterface(serial, usb),
    uid: withInterface(`usb-${usb.vendorId}-${usb.productId}-${serial}`, usb),
    name,
    usb,
    isMemoryMapped,
  };
};

/** The device that the name of a port leads to now; none if there is no such device. */
export const identifySerialDevice = async (
  named: string,
  sysfs = ttyClass,
): Promise<SerialIdentity | undefined> => {
  try {
    const path = await realpath(named);
    if (!(await stat(path)).isCharacterDevice()) return undefined;
    const device = await deviceFolder(path, sysfs);
    if (device === undefined) return identityOf(named, path, undefined, false);
    return identityOf(named, path, await usbOf(device), await isOnProcessorBus(device));
  } catch {
    return undefined;
  }
};
