import type { ResourceRow, Tables } from './project.ts';
import { addressesOf, isRegister } from './registers.ts';
import type { ReadRequest, WriteStep } from './script.ts';

/** Maximum number of items per request in the protocol. */
const max = { readBits: 2000, readRegisters: 125, writeBits: 1968, writeRegisters: 123 };

/** Resources of one request: items without a gap. */
interface Run {
  readonly address: number;
  readonly count: number;
  readonly resources: readonly ResourceRow[];
}

/** Adjacent and overlapping resources of one table, by address; none is in two groups. */
const runsOf = (resources: readonly ResourceRow[], limit: number): Run[] => {
  const runs: Run[] = [];
  for (const resource of [...resources].sort((a, b) => a.address - b.address)) {
    const last = runs.at(-1);
    const end = resource.address + addressesOf(resource);
    const count = last === undefined ? 0 : Math.max(last.count, end - last.address);
    const fits = last !== undefined && resource.address <= last.address + last.count;
    if (last === undefined || !fits || count > limit) {
      const { address } = resource;
      runs.push({ address, count: addressesOf(resource), resources: [resource] });
    } else {
      runs[runs.length - 1] = { ...last, count, resources: [...last.resources, resource] };
    }
  }
  return runs;
};

const grouped = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
};

export const pollMsOf = ({ poll_ms = 1000 }: ResourceRow): number => poll_ms;

/** A read, and its resources. */
export interface Read extends ReadRequest {
  readonly resources: readonly ResourceRow[];
}

/** Polled resources of one endpoint, table and period that touch share a read. */
export const readsOf = (tables: Tables): Read[] => {
  const polled = tables.modbus_resources.filter(({ access }) => access === 'poll');
  const keyOf = (row: ResourceRow): string =>
    JSON.stringify([row.endpoint, row.table, pollMsOf(row)]);
  return grouped(polled, keyOf).flatMap((resources) => {
    const [first] = resources;
    if (first === undefined) return [];
    const { endpoint, table } = first;
    const limit = isRegister(first) ? max.readRegisters : max.readBits;
    const pollMs = pollMsOf(first);
    return runsOf(resources, limit).map((run) => ({ endpoint, table, pollMs, ...run }));
  });
};

/** The minimum number of reads for exactly these addresses. */
const readsOfAddresses = (addresses: readonly number[]): { address: number; count: number }[] => {
  const reads: { address: number; count: number }[] = [];
  for (const address of [...new Set(addresses)].sort((a, b) => a - b)) {
    const last = reads.at(-1);
    if (last !== undefined && last.address + last.count === address) last.count += 1;
    else reads.push({ address, count: 1 });
  }
  return reads;
};

/** The request of a group; `itemsOf` returns the items of a resource, with other bits 0. */
const stepOf = (run: Run, itemsOf: (resource: ResourceRow) => readonly number[]): WriteStep => {
  const { address, count, resources } = run;
  const items = Array.from({ length: count }, () => 0);
  const masks = Array.from({ length: count }, () => 0);
  for (const resource of resources) {
    itemsOf(resource).forEach((item, place) => {
      const at = resource.address - address + place;
      items[at] = (items[at] ?? 0) | item;
      const { bit_offset: bit } = resource;
      masks[at] = (masks[at] ?? 0) | (bit === undefined ? 0xffff : 1 << bit);
    });
  }
  if (!resources.every(isRegister)) return { function: count === 1 ? 5 : 15, address, items };
  const byBits = resources.filter(({ bit_offset }) => bit_offset !== undefined);
  const reads = readsOfAddresses(byBits.map((resource) => resource.address));
  const code = count === 1 ? 6 : 16;
  if (reads.length === 0) return { function: code, address, items };
  return { function: code, address, reads, masks, items };
};

/**
 * The request group of a task: tables in the order in which the task names them, addresses
 * ascending.
 */
export const writeStepsOf = (
  resources: readonly ResourceRow[],
  itemsOf: (resource: ResourceRow) => readonly number[],
): WriteStep[] =>
  grouped(resources, ({ table }) => table).flatMap((members) => {
    const limit = members.every(isRegister) ? max.writeRegisters : max.writeBits;
    return runsOf(members, limit).map((run) => stepOf(run, itemsOf));
  });
