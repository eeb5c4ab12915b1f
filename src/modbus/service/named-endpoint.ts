import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { Endpoint, LateUnitSettings } from '../transport/endpoint.ts';
import { endpointOfNetwork, parseEndpoint } from '../transport/endpoint-text.ts';
import { endpointText } from '../transport/notation/endpoint-notation.ts';
import type { TargetRecord } from './item-record.ts';

export interface NamedEndpoint {
  readonly network?: string;
  readonly endpoint?: string;
  readonly gap_ms?: number;
  readonly late_ms?: number;
  readonly probe?: boolean;
}

export interface Target {
  readonly endpoint: Endpoint;
  readonly named: TargetRecord;
}

/** Error for two fields with the same meaning. Only one is allowed. */
export const exclusive = (field: string, other: string): BusbarError =>
  invalidArgument(field, `${field} duplicates ${other}: omit one of them`, { reason: 'exclusive' });

const serialFields = ['gap_ms', 'late_ms', 'probe'] as const;

/** The caller's line settings override the bench's. */
const withCallersSettings = (endpoint: Endpoint, named: NamedEndpoint): Endpoint => {
  const reported = serialFields.filter((field) => named[field] !== undefined);
  const [first] = reported;
  if (first === undefined) return endpoint;
  if (endpoint.kind === 'tcp') {
    throw invalidArgument(first, `${first} applies to serial lines only: omit it`, {
      reason: 'not_serial',
    });
  }
  const { gap_ms, late_ms, probe } = named;
  const late: LateUnitSettings = {
    ...(late_ms !== undefined && { lateMs: late_ms }),
    ...(probe !== undefined && { probe }),
  };
  const units = Object.entries(endpoint.units ?? {}).map(([unit, own]) => [
    unit,
    { ...own, ...late },
  ]);
  const gapMs = gap_ms ?? endpoint.gapMs;
  return { ...endpoint, ...late, gapMs, units: Object.fromEntries(units) };
};

export const namedEndpoint = async (
  named: NamedEndpoint,
  bench: BenchSource,
  listens = false,
): Promise<Target> => {
  const target = await targetOf(named, bench, listens);
  return { ...target, endpoint: withCallersSettings(target.endpoint, named) };
};

const targetOf = async (
  { network, endpoint }: NamedEndpoint,
  bench: BenchSource,
  listens: boolean,
): Promise<Target> => {
  if (endpoint !== undefined) {
    if (network !== undefined) throw exclusive('endpoint', 'network');
    return { endpoint: parseEndpoint(endpoint, { listens }), named: { network: null, endpoint } };
  }
  if (network === undefined) {
    throw invalidArgument('network', 'network or endpoint is required', { reason: 'missing' });
  }
  const { networks } = await bench();
  const found = Object.hasOwn(networks, network) ? networks[network] : undefined;
  if (!found || 'channel' in found) {
    const bound = found && (found.channel === null ? 'no channel' : `the channel ${found.channel}`);
    const what = found
      ? `is bound to ${bound} and is not a Modbus network`
      : 'is not a network of the bench';
    throw invalidArgument('network', `${network} ${what}`, {
      reason: found ? 'not_modbus' : 'unknown_network',
      network,
    });
  }
  const resolved = endpointOfNetwork(found);
  return { endpoint: resolved, named: { network, endpoint: endpointText(resolved) } };
};

/**
 * Adds the endpoint to an error as its caller specified it. Other callers may use another name
 * for it.
 */
export const withCallersEndpoint = <Thrown>(
  { endpoint }: TargetRecord,
  thrown: Thrown,
): Thrown | BusbarError => {
  if (!(thrown instanceof BusbarError)) return thrown;
  const { message, details } = thrown;
  const { endpoint: reported } = details;
  if (typeof reported !== 'string' || reported === endpoint) return thrown;
  return thrown.with({
    message: message.replaceAll(reported, endpoint),
    details: { ...details, endpoint },
  });
};
