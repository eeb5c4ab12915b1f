import { isIPv4, isIPv6 } from 'node:net';
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

/** Whether a resolved address can only be reached from this machine. */
export const isLoopback = (address: string): boolean => {
  if (isIPv4(address)) return address.startsWith('127.');
  const lower = address.toLowerCase();
  return lower === '::1' || lower.startsWith('::ffff:127.');
};

/** Where a browser on this machine finds the listener, also one that is bound to every address. */
export const consoleUrl = ({ host, port }: HostPort): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${formatHostPort({ host: reachable, port })}/`;
};
