import { tableRows } from '../../modbus/pdu/data-tables.ts';
import { limits } from '../../modbus/pdu/function-codes.ts';
import { readRequest } from '../../modbus/pdu/make-request.ts';
import type { ReadBits, ReadRegisters } from '../../modbus/pdu/requests.ts';
import { defaultPollMs, type ModbusResourceRow } from '../project/tables/modbus-resources.ts';
import { addressesOf } from '../project/validate/modbus-words.ts';

export interface FilledResource {
  readonly resource: ModbusResourceRow;
  readonly at: number;
}

export interface PollRead {
  readonly endpoint: string;
  readonly pollMs: number;
  readonly request: ReadBits | ReadRegisters;
  readonly fills: readonly FilledResource[];
}

type PolledTable = Pick<PollRead, 'endpoint' | 'pollMs'> & {
  readonly table: ModbusResourceRow['table'];
  readonly resources: ModbusResourceRow[];
};

const tablesOf = (resources: readonly ModbusResourceRow[]): Iterable<PolledTable> => {
  const tables = new Map<string, PolledTable>();
  for (const resource of resources) {
    const { endpoint, table, access, poll_ms: pollMs = defaultPollMs } = resource;
    if (access !== 'poll') continue;
    const key = JSON.stringify([endpoint, table, pollMs]);
    const known = tables.get(key);
    if (known) known.resources.push(resource);
    else tables.set(key, { endpoint, table, pollMs, resources: [resource] });
  }
  return tables.values();
};

/** Yields the reads of one table. Each resource is in a single read, so that no value is torn. */
function* readsOf({ endpoint, table, pollMs, resources }: PolledTable): Generator<PollRead> {
  const max = tableRows[table].holdsBits ? limits.readBits : limits.readRegisters;
  const sorted = resources.sort((one, other) => one.address - other.address);
  for (let next = 0; next < sorted.length; ) {
    const { address } = sorted[next] as ModbusResourceRow;
    const fills: FilledResource[] = [];
    let end = address;
    for (; next < sorted.length; next++) {
      const resource = sorted[next] as ModbusResourceRow;
      const endOfBoth = Math.max(end, resource.address + addressesOf(resource));
      if (resource.address > end || endOfBoth - address > max) break;
      fills.push({ resource, at: resource.address - address });
      end = endOfBoth;
    }
    yield { endpoint, pollMs, request: readRequest(table, address, end - address), fills };
  }
}

/**
 * Plans the reads that poll resources. Adjacent or overlapping resources of one table with equal
 * periods share a read. No read covers a gap, because a unit may reject undeclared addresses.
 */
export const pollReads = (resources: readonly ModbusResourceRow[]): PollRead[] =>
  Array.from(tablesOf(resources), (table) => [...readsOf(table)]).flat();
