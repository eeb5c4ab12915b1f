import { isIPv6 } from 'node:net';
import { invalidArgument } from '../errors/busbar-error.ts';
import type { HostPort } from './host-port.ts';

const form = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:\s/]+)):([0-9]{1,5})$/;

/** Parses `host:port` or `[v6]:port`. Errors name `field`. */
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
