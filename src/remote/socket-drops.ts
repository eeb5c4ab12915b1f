import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { endianness } from 'node:os';
import type { HostPort } from '../base/net/host-port.ts';

const localColumn = 1;

/** Datagrams dropped by the system since the socket was bound. Null except on Linux. */
export const droppedBySystem = (local: HostPort): number | null => {
  try {
    return dropsIn(
      readFileSync(isIPv6(local.host) ? '/proc/net/udp6' : '/proc/net/udp', 'latin1'),
      local,
    );
  } catch {
    return null;
  }
};

export const dropsIn = (table: string, local: HostPort): number | null => {
  const key = `${hexAddress(local.host)}:${local.port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n')) {
    const columns = line.trim().split(/\s+/);
    if (columns[localColumn] === key) return Number(columns.at(-1));
  }
  return null;
};

/** Addresses in the table have machine byte order. */
const hexAddress = (host: string): string => {
  const bytes = isIPv6(host) ? ipv6Bytes(host) : Buffer.from(host.split('.').map(Number));
  if (endianness() === 'LE') bytes.swap32();
  return bytes.toString('hex').toUpperCase();
};

const ipv6Bytes = (host: string): Buffer => {
  const [address = ''] = host.split('%');
  // The canonical form may end in dotted IPv4.
  const hex = address.replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const bytes = Buffer.from(dotted.split('.').map(Number));
    return `${bytes.toString('hex', 0, 2)}:${bytes.toString('hex', 2)}`;
  });
  const [head = '', tail] = hex.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const groups = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
  return Buffer.from(groups.join(''), 'hex');
};

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));
