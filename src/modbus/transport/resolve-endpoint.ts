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

/** Who knows what names stand for. */
export interface NameSources {
  /** All addresses of a host, in no particular order. */
  addressesOf(host: string): Promise<readonly { address: string; family: number }[]>;
  /** Follows all links of a path. */
  realPath(path: string): Promise<string>;
  /** The number of the device that a path leads to, if it leads to one at all. */
  deviceNumber(path: string): Promise<number | undefined>;
}

/** The system, which is not waited for without end. */
export const namesOfSystem = (clock: Clock, look?: Lookup): NameSources => ({
  addressesOf: async (host) =>
    (await addressesOf(host, clock, look)).map((address) => ({ address, family: isIP(address) })),
  realPath: (path) => realpath(path),
  deviceNumber: async (path) => {
    const found = await stat(path);
    return found.isCharacterDevice() ? found.rdev : undefined;
  },
});

/** Resolves endpoints by what the system knows. */
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
    // Whatever is spoken there, the port is one.
    key: `tcp:${formatHostPort({ host: address, port })}`,
    text,
  };
};

/** IPv6 addresses can be written in many ways, of which a URL keeps one; some are IPv4 in disguise. */
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
 * Finds out once what an endpoint stands for: IPv4 before IPv6, and the device behind all links.
 * What cannot be found fails with `modbus_unreachable`, before anything has been opened.
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
