import { realpath, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errnoOf } from '../../base/errors/errno-of.ts';
import { formatHostPort } from '../../base/net/host-port.ts';
import { addressesOf, type Lookup } from '../../base/net/resolve-host.ts';
import {
  type Endpoint,
  isTcp,
  type ResolvedEndpoint,
  type ResolvedSerialEndpoint,
  type ResolvedTcpEndpoint,
  type SerialEndpoint,
  type TcpEndpoint,
} from './endpoint.ts';
import { endpointText } from './notation/endpoint-notation.ts';
import { unreachable } from './unreachable.ts';

export interface NameSources {
  addressesOf(host: string): Promise<readonly { address: string; family: number }[]>;
  realPath(path: string): Promise<string>;
  deviceNumber(path: string): Promise<number | undefined>;
}

export const namesOfSystem = (clock: Clock, look?: Lookup): NameSources => ({
  addressesOf: async (host) =>
    (await addressesOf(host, clock, look)).map((address) => ({ address, family: isIP(address) })),
  realPath: (path) => realpath(path),
  deviceNumber: async (path) => {
    const found = await stat(path);
    return found.isCharacterDevice() ? found.rdev : undefined;
  },
});

export const systemResolver =
  (clock: Clock) =>
  (endpoint: Endpoint): Promise<ResolvedEndpoint> =>
    resolveEndpoint(endpoint, namesOfSystem(clock));

const resolveTcp = async (
  { kind, host, port, gapMs }: TcpEndpoint,
  text: string,
  names: NameSources,
): Promise<ResolvedTcpEndpoint> => {
  const addresses = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await names.addressesOf(host);
  const chosen = addresses.find(({ family }) => family === 4) ?? addresses[0];
  if (!chosen) throw unreachable(text, 'ENOTFOUND');
  const address = chosen.family === 6 ? canonicalAddress(chosen.address) : chosen.address;
  return {
    kind,
    address,
    port,
    ...(gapMs !== undefined && { gapMs }),
    // The same port, regardless of the framing.
    key: `tcp:${formatHostPort({ host: address, port })}`,
    text,
  };
};

/** A URL normalizes IPv6 addresses; some are mapped IPv4. */
const canonicalAddress = (address: string): string => {
  const [bare = '', zone] = address.split('%');
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical);
  if (mapped) {
    const words = [mapped[1], mapped[2]].map((word) => Number.parseInt(word ?? '', 16));
    return words.flatMap((word) => [word >> 8, word & 0xff]).join('.');
  }
  return zone === undefined ? canonical : `${canonical}%${zone}`;
};

const resolveSerial = async (
  { kind, device, settings, gapMs }: SerialEndpoint,
  text: string,
  names: NameSources,
): Promise<ResolvedSerialEndpoint> => {
  const path = await names.realPath(device);
  const number = await names.deviceNumber(path);
  if (number === undefined) throw unreachable(text, 'not_a_serial_port');
  return { kind, named: device, path, settings, gapMs, key: `tty:${number}`, text };
};

/**
 * Resolves an endpoint once: IPv4 before IPv6, and the device after following all links. Fails
 * with `modbus_unreachable` before anything is opened.
 */
export const resolveEndpoint = async (
  endpoint: Endpoint,
  names: NameSources,
): Promise<ResolvedEndpoint> => {
  const text = endpointText(endpoint);
  try {
    return isTcp(endpoint)
      ? await resolveTcp(endpoint, text, names)
      : await resolveSerial(endpoint, text, names);
  } catch (error) {
    if (error instanceof BusbarError) throw error;
    throw unreachable(text, errnoOf(error) ?? 'unknown', error);
  }
};
