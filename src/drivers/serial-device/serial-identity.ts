import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface SerialIdentity {
  readonly path: string;
  /**
   * Stable across reboots and USB ports if the adapter has a serial number; otherwise derived
   * from its name. Valid in a selector.
   */
  readonly sn: string;
  readonly uid: string;
  /** Derived from the name only, for adapters that share a serial number. */
  readonly ownName: Pick<SerialIdentity, 'sn' | 'uid'>;
  readonly name: string;
  readonly usb: UsbIdentity | undefined;
  readonly isMemoryMapped: boolean;
}

export interface UsbIdentity {
  readonly vendorId: string;
  readonly productId: string;
  readonly serial: string | undefined;
  readonly interfaceNumber: number;
  readonly product: string | undefined;
}

const ttyClass = '/sys/class/tty';
/** Maximum depth of a terminal below its USB device. */
const maxLevels = 4;
/** Buses with register access below a microsecond. */
const processorBuses: ReadonlySet<string> = new Set(['platform', 'pnp', 'amba', 'pci']);

const textOf = async (folder: string, file: string): Promise<string | undefined> => {
  try {
    const text = (await readFile(join(folder, file), 'utf8')).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
};

const asWord = (text: string): string =>
  text
    .replace(/^\/(?:dev\/)?/, '')
    .replace(/[^\p{L}\p{N}._:+-]+/gu, '-')
    .replace(/^-+|-+$/g, '');

const deviceFolder = async (node: string, sysfs: string): Promise<string | undefined> => {
  try {
    return await realpath(join(sysfs, basename(node), 'device'));
  } catch {
    return undefined;
  }
};

const isOnProcessorBus = async (device: string): Promise<boolean> => {
  let folder = device;
  for (let level = 0; level < maxLevels; level++, folder = dirname(folder)) {
    const bus = await realpath(join(folder, 'subsystem')).then(basename, () => undefined);
    // Newer kernels have an extra level.
    if (bus !== undefined && bus !== 'serial-base') return processorBuses.has(bus);
  }
  return false;
};

const usbOf = async (device: string): Promise<UsbIdentity | undefined> => {
  let folder = device;
  let interfaceNumber = 0;
  for (let level = 0; level < maxLevels; level++, folder = dirname(folder)) {
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

/**
 * Ports of an adapter share its serial number, so all but the first append their interface number.
 */
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
