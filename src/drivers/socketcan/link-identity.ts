import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chooseNames } from '../choose-names.ts';
import type { CanLink } from './netlink/links.ts';

export interface LinkIdentity {
  readonly sn: string;
  readonly place: string;
  readonly label: string;
  readonly firmwareVersion: string;
}

export const systemFiles = '/sys';

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Files may be missing or unreadable.
    return '';
  }
};

const targetOf = (path: string): string => {
  try {
    return basename(readlinkSync(path));
  } catch {
    return '';
  }
};

/** Drivers use either file for the channel number. */
const channelOf = (folder: string): number => {
  const numbers = ['dev_id', 'dev_port'].map((file) => Number(textOf(join(folder, file))) || 0);
  return Math.max(...numbers);
};

const usbFolderOf = (folder: string): string | undefined => {
  try {
    return dirname(realpathSync(join(folder, 'device')));
  } catch {
    return undefined;
  }
};

/** Valid in a selector: no blanks, no slash. */
const inSelector = (text: string): string => text.replaceAll(/[\s/\p{Cc}]+/gu, '_');

const usbRevision = /^([0-9]{2})([0-9]{2})$/;

const firmwareOf = (bcdDevice: string): string => {
  const [, major, minor] = usbRevision.exec(bcdDevice) ?? [];
  return major === undefined ? '' : `${Number(major)}.${minor}`;
};

const placeOf = ({ name, parentBus, parentDevice }: CanLink, channel: number): string =>
  parentDevice === undefined
    ? name
    : inSelector(`${parentBus ?? 'device'}:${parentDevice}:${channel}`);

/**
 * USB adapters are identified by vendor, product, serial number and channel; others by location
 * or name.
 */
export const linkIdentity = (link: CanLink, sysfs = systemFiles): LinkIdentity => {
  const folder = join(sysfs, 'class', 'net', link.name);
  const channel = channelOf(folder);
  const place = placeOf(link, channel);
  const driver = targetOf(join(folder, 'device', 'driver'));
  const unnamed = {
    sn: place,
    place,
    label: driver || link.kind || link.name,
    firmwareVersion: '',
  };
  const usb = link.parentBus === 'usb' ? usbFolderOf(folder) : undefined;
  if (usb === undefined) return unnamed;
  const of = (file: string): string => textOf(join(usb, file));
  const label = [of('manufacturer'), of('product')].filter(Boolean).join(' ');
  const serial = of('serial');
  const sn = [of('idVendor'), of('idProduct'), serial, channel].join(':');
  return {
    sn: serial === '' ? place : inSelector(sn),
    place,
    label: label || unnamed.label,
    firmwareVersion: firmwareOf(of('bcdDevice')),
  };
};

/** Adapters that share a serial number are distinguished by location. */
export const distinctSerials = (identities: readonly LinkIdentity[]): readonly LinkIdentity[] => {
  const serials = chooseNames(identities.map(({ sn, place }) => [sn, place]));
  return identities.map((identity, index) => ({ ...identity, sn: serials[index] as string }));
};
