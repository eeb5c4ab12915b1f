import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { normalize } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { isLoopback } from '../../base/net/loopback.ts';
import type { ServedAddress } from '../server/modbus-server.ts';
import { type Endpoint, isTcp, type ResolvedEndpoint } from '../transport/endpoint.ts';
import { endpointText } from '../transport/notation/endpoint-notation.ts';
import type { TargetRecord } from './item-record.ts';
import type { Target } from './named-endpoint.ts';

/** Where a server is, by every name that it has. */
export interface ServedPlace {
  /** As its caller named it. */
  readonly named: TargetRecord;
  readonly endpoint: Endpoint;
  /** What that stood for when it was started. */
  readonly resolved: ResolvedEndpoint;
  /** The same for all names of the place; null while the system has not chosen a port. */
  readonly key: string | null;
  /** Where it listens; null before it does. */
  readonly bound: ServedAddress | null;
}

/** A place whose name was looked up before. */
export interface ResolvedTarget extends Target {
  readonly resolved: ResolvedEndpoint;
}

/** What a caller is looking for; not resolved where that cannot be done any more. */
export interface WantedPlace extends Target {
  readonly resolved: ResolvedEndpoint | undefined;
}

type PlaceMatcher = (place: ServedPlace, wanted: WantedPlace) => boolean;

const isSamePlace: PlaceMatcher = ({ key }, { resolved }) =>
  resolved !== undefined && key === resolved.key;

/** Listening everywhere serves every address of this machine; that of IPv6 has those of IPv4 too. */
const isEverywhere = (listening: string, asked: string): boolean =>
  listening === '::' || (listening === '0.0.0.0' && isIPv4(asked));

/** Where a server listens or would: a host and port of TCP, or a device. */
export interface ListenPlace {
  /** The same for all names of the place. */
  readonly key: string;
  /** Null for a device. */
  readonly tcp: { readonly address: string; readonly port: number } | null;
}

export const listenPlaceOf = (endpoint: ResolvedEndpoint): ListenPlace => ({
  key: endpoint.key,
  tcp: isTcp(endpoint) ? { address: endpoint.address, port: endpoint.port } : null,
});

/** Whether two servers cannot listen at the same time: at one place, or everywhere and at one port. */
export const excludeEachOther = (one: ListenPlace, other: ListenPlace): boolean => {
  if (one.key === other.key) return true;
  if (one.tcp === null || other.tcp === null || one.tcp.port !== other.tcp.port) return false;
  const { address } = one.tcp;
  return isEverywhere(address, other.tcp.address) || isEverywhere(other.tcp.address, address);
};

const isOfThisMachine = (address: string): boolean =>
  isLoopback(address) ||
  Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address));

const isCovered: PlaceMatcher = ({ bound }, { resolved }) =>
  bound !== null &&
  isTcp(bound) &&
  resolved !== undefined &&
  isTcp(resolved) &&
  bound.port === resolved.port &&
  isEverywhere(bound.address, resolved.address) &&
  isOfThisMachine(resolved.address);

/** The name is the same, though it may lead elsewhere by now: settings and framing do not count. */
const isSameName: PlaceMatcher = ({ endpoint: served, resolved }, { endpoint: wanted }) => {
  if (isTcp(served)) {
    return isTcp(wanted) && served.host === wanted.host && served.port === wanted.port;
  }
  if (isTcp(wanted)) return false;
  const device = normalize(wanted.device);
  return device === normalize(served.device) || (!isTcp(resolved) && device === resolved.path);
};

const isSameNetwork: PlaceMatcher = ({ named }, wanted) =>
  wanted.named.network !== null && named.network === wanted.named.network;

/** Ways to find a server, the surest first: a place counts before its name. */
export const placeMatchers: readonly PlaceMatcher[] = [
  isSamePlace,
  isCovered,
  isSameName,
  isSameNetwork,
];

/** Whether it asks for any port that is free. */
export const isChosenBySystem = (endpoint: Endpoint): boolean =>
  isTcp(endpoint) && endpoint.port === 0;

/** Where a server listens, as callers may name it. */
export const addressText = (served: ServedAddress): string =>
  isTcp(served)
    ? endpointText({ kind: served.kind, host: served.address, port: served.port })
    : served.path;

export const serverNotFound = (named: TargetRecord): BusbarError =>
  new BusbarError('server_not_found', { details: { ...named } });
