import { BlockList, isIPv4 } from 'node:net';

// Knows every spelling of an address, and IPv4 addresses written as IPv6.
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a resolved address can only be reached from this machine. */
export const isLoopback = (address: string): boolean => {
  return loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
};
