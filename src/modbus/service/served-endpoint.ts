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

export interface ServedEndpoint {
  readonly named: TargetRecord;
  readonly endpoint: Endpoint;
  readonly resolved: ResolvedEndpoint;
  /** Equal for all names of the endpoint; null until the system has chosen a port. */
  readonly key: string | null;
  readonly bound: ServedAddress | null;
}

export interface ResolvedTarget extends Target {
  readonly resolved: ResolvedEndpoint;
}

/** The endpoint that a caller requests; unresolved if resolving is no longer possible. */
export interface WantedPlace extends Target {
  readonly resolved: ResolvedEndpoint | undefined;
}

type EndpointMatcher = (place: ServedEndpoint, wanted: WantedPlace) => boolean;

const isSamePlace: EndpointMatcher = ({ key }, { resolved }) =>
  resolved !== undefined && key === resolved.key;

/** A wildcard address covers all local addresses. The IPv6 wildcard covers IPv4 too. */
const isEverywhere = (listening: string, asked: string): boolean =>
  listening === '::' || (listening === '0.0.0.0' && isIPv4(asked));

export interface ListenAddress {
  readonly key: string;
  readonly tcp: { readonly address: string; readonly port: number } | null;
}

export const listenPlaceOf = (endpoint: ResolvedEndpoint): ListenAddress => ({
  key: endpoint.key,
  tcp: isTcp(endpoint) ? { address: endpoint.address, port: endpoint.port } : null,
});

/**
 * Returns whether two servers exclude each other: the same endpoint, or a wildcard with the
 * same port.
 */
export const excludeEachOther = (one: ListenAddress, other: ListenAddress): boolean => {
  if (one.key === other.key) return true;
  if (one.tcp === null || other.tcp === null || one.tcp.port !== other.tcp.port) return false;
  const { address } = one.tcp;
  return isEverywhere(address, other.tcp.address) || isEverywhere(other.tcp.address, address);
};

const isOfThisMachine = (address: string): boolean =>
  isLoopback(address) ||
  Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address));

const isCovered: EndpointMatcher = ({ bound }, { resolved }) =>
  bound !== null &&
  isTcp(bound) &&
  resolved !== undefined &&
  isTcp(resolved) &&
  bound.port === resolved.port &&
  isEverywhere(bound.address, resolved.address) &&
  isOfThisMachine(resolved.address);

/** Equal names, even if they resolve differently now. Settings and framing are ignored. */
const isSameName: EndpointMatcher = ({ endpoint: served, resolved }, { endpoint: wanted }) => {
  if (isTcp(served)) {
    return isTcp(wanted) && served.host === wanted.host && served.port === wanted.port;
  }
  if (isTcp(wanted)) return false;
  const device = normalize(wanted.device);
  return device === normalize(served.device) || (!isTcp(resolved) && device === resolved.path);
};

const isSameNetwork: EndpointMatcher = ({ named }, wanted) =>
  wanted.named.network !== null && named.network === wanted.named.network;

/** Ways to find a server, most specific first. */
export const placeMatchers: readonly EndpointMatcher[] = [
  isSamePlace,
  isCovered,
  isSameName,
  isSameNetwork,
];

export const isChosenBySystem = (endpoint: Endpoint): boolean =>
  isTcp(endpoint) && endpoint.port === 0;

export const addressText = (served: ServedAddress): string =>
  isTcp(served)
    ? endpointText({ kind: served.kind, host: served.address, port: served.port })
    : served.path;

export const serverNotFound = (named: TargetRecord): BusbarError =>
  new BusbarError('server_not_found', { details: { ...named } });
