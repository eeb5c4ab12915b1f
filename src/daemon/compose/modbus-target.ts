import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { type DataTable, tableRows } from '../../modbus/pdu/data-tables.ts';
import { type ItemAddress, parseReference } from '../../modbus/pdu/references.ts';
import type { ValueType } from '../../modbus/pdu/register-values.ts';
import type { Endpoint } from '../../modbus/transport/endpoint.ts';
import { endpointOfNetwork, parseEndpoint } from '../../modbus/transport/endpoint-text.ts';

/** An endpoint as callers name it: by a network of their bench, or outright. */
export interface NamedEndpoint {
  readonly network?: string;
  readonly endpoint?: string;
}

/** Items as callers name them. */
export interface NamedItems {
  readonly table?: DataTable;
  readonly address?: number;
  readonly reference?: string;
  readonly type?: ValueType;
}

const exclusive = (field: string, other: string) =>
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

/** The first item that is meant, told in one of two ways. */
export const namedItem = ({ table, address, reference }: NamedItems): ItemAddress => {
  if (reference !== undefined) {
    if (address !== undefined) throw exclusive('reference', 'address');
    return parseReference(reference, table);
  }
  if (table === undefined) {
    throw invalidArgument('table', 'table is required where there is no reference', {
      reason: 'missing',
    });
  }
  if (address === undefined) {
    throw invalidArgument('address', 'address or reference is required', { reason: 'missing' });
  }
  return { table, address };
};

/** What the values of a table are, unless the caller says otherwise. */
export const valueTypeOf = (type: ValueType | undefined, table: DataTable): ValueType => {
  const { holdsBits } = tableRows[table];
  if (holdsBits && type !== undefined && type !== 'bool') {
    throw invalidArgument('type', `The table ${table} holds bits: its values are bool`, {
      reason: 'not_in_table',
    });
  }
  return type ?? (holdsBits ? 'bool' : 'u16');
};
