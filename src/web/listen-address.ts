import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { invalidArgument } from '../base/errors/busbar-error.ts';

/** Host and port as a user wrote them. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const form = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:\s/]+)):([0-9]{1,5})$/;

/** Reads `host:port` or `[v6]:port`; `field` is blamed when it is neither. */
export const parseHostPort = (text: string, field: string): HostPort => {
  const match = form.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || (match?.[1] !== undefined && !isIPv6(host))) {
    throw invalidArgument(field, `${field} must be <host>:<port>, with IPv6 hosts in brackets`);
  }
  if (port > 65535) throw invalidArgument(field, `${field} must have a port from 0 to 65535`);
  return { host, port };
};

export const formatHostPort = ({ host, port }: HostPort): string =>
  isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;

// Knows every spelling of an address, and IPv4 addresses written as IPv6.
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a resolved address can only be reached from this machine. */
export const isLoopback = (address: string): boolean => {
  return loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
};

/** Where a browser on this machine finds the listener, also one that is bound to every address. */
export const consoleUrl = ({ host, port }: HostPort): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${formatHostPort({ host: reachable, port })}/`;
};
