import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { Endpoint } from '../../modbus/transport/endpoint.ts';
import { endpointOfNetwork, parseEndpoint } from '../../modbus/transport/endpoint-text.ts';

/** An endpoint as callers name it: by a network of their bench, or outright. */
export interface NamedEndpoint {
  readonly network?: string;
  readonly endpoint?: string;
}

/** What is said twice may be said differently, so it may be said once only. */
export const exclusive = (field: string, other: string): BusbarError =>
  invalidArgument(field, `${field} says the same as ${other}: leave one of them out`, {
    reason: 'exclusive',
  });

/** What a caller means by a network or an endpoint; `listens` allows a port that is to be chosen. */
export const namedEndpoint = async (
  { network, endpoint }: NamedEndpoint,
  bench: BenchSource,
  listens = false,
): Promise<Endpoint> => {
  if (endpoint !== undefined) {
    if (network !== undefined) throw exclusive('endpoint', 'network');
    return parseEndpoint(endpoint, { listens });
  }
  if (network === undefined) {
    throw invalidArgument('network', 'network or endpoint is required', { reason: 'missing' });
  }
  const { networks } = await bench();
  const found = Object.hasOwn(networks, network) ? networks[network] : undefined;
  if (!found || 'channel' in found) {
    const what = found ? 'is not a Modbus network' : 'is not a network of the bench';
    throw invalidArgument('network', `${network} ${what}`, {
      reason: found ? 'not_modbus' : 'unknown_network',
      network,
    });
  }
  return endpointOfNetwork(found);
};
