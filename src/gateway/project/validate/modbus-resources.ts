import type { RowOf } from '../project.ts';
import type { Access } from '../tables/modbus-resources.ts';
import { addressesOf, directionOf, isOneBit, isRegister } from './modbus-words.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';

type Resource = RowOf<'modbus_resources'>;

interface Claim {
  readonly index: number;
  readonly resource: Resource;
  readonly from: number;
  readonly end: number;
}

const areApart = (one: Resource, other: Resource): boolean =>
  isRegister(one) &&
  isOneBit(one) &&
  isOneBit(other) &&
  one.bit_offset !== other.bit_offset &&
  one.access === other.access;

const checkClaims = (claims: Claim[], report: Report): void => {
  claims.sort((a, b) => a.from - b.from || a.index - b.index);
  /** Whole words can extend over several addresses; bits share one. */
  let furthest: Claim | undefined;
  let bits: Claim[] = [];
  for (const claim of claims) {
    const { resource, index, from, end } = claim;
    if (bits[0]?.from !== from) bits = [];
    const taken =
      furthest && furthest.end > from
        ? furthest
        : bits.find((other) => !areApart(resource, other.resource));
    if (taken) {
      const error = `is used by resource ${quoted(taken.resource.id)} (${taken.resource.access}); serve, external and write cannot share words or bits`;
      report(index, 'address', 'overlap', error);
    } else if (isOneBit(resource)) bits.push(claim);
    if (!isOneBit(resource) && (!furthest || end > furthest.end)) furthest = claim;
  }
};

/** Requires one resource for each written or served word or bit. */
const checkWordOverlaps = (links: ProjectLinks): void => {
  const { endpoints, modbus_resources } = links.draft.tables;
  const groups = new Map<string, Claim[]>();
  modbus_resources.rows.forEach((resource, index) => {
    const endpoint = endpoints.get(resource.endpoint);
    if (endpoint?.kind !== 'modbus' || resource.access === 'poll') return;
    const { network, role, node } = endpoint;
    const key = JSON.stringify([network, role, role === 'server' ? null : node, resource.table]);
    const claims = groups.get(key) ?? [];
    groups.set(key, claims);
    const from = resource.address;
    claims.push({ index, resource, from, end: from + addressesOf(resource) });
  });
  const report = links.reporter('modbus_resources');
  for (const claims of groups.values()) checkClaims(claims, report);
};

const addresses = 65_536;

const roleOf: Readonly<Record<Access, 'client' | 'server'>> = {
  poll: 'client',
  write: 'client',
  serve: 'server',
  external: 'server',
};

const checkAddress = (resource: Resource, index: number, report: Report): void => {
  const { address, count, bit_offset, table } = resource;
  if (!isRegister(resource)) {
    if (count !== undefined && count !== 1) {
      report(index, 'count', 'out_of_range', `must be 1 for a ${table}, or be omitted`);
    }
    if (bit_offset !== undefined) {
      report(index, 'bit_offset', 'not_applicable', 'is only for holding and input registers');
    }
  } else if (bit_offset !== undefined && count !== undefined && count !== 1) {
    const error = 'must be 1 for a bit of a register, or omitted';
    report(index, 'count', 'conflicting_fields', error);
  }
  if (address + addressesOf(resource) > addresses) {
    report(
      index,
      'count',
      'out_of_bounds',
      `must not lead beyond the last address, ${addresses - 1}`,
    );
  }
};

const checkAccess = (
  links: ProjectLinks,
  { endpoint: id, access, table, poll_ms, stale_after_ms }: Resource,
  index: number,
  report: Report,
): void => {
  const endpoint = links.draft.tables.endpoints.get(id);
  if (endpoint?.kind === 'can') {
    report(index, 'endpoint', 'wrong_kind', 'must be an endpoint of the kind modbus');
  } else if (endpoint && endpoint.role !== roleOf[access]) {
    const error =
      endpoint.role === 'client'
        ? 'must be poll or write, as the endpoint is a client'
        : 'must be serve or external, as the endpoint is a server';
    report(index, 'access', 'wrong_role', error);
  }
  if ((access === 'write' || access === 'external') && table !== 'coil' && table !== 'holding') {
    const error = `must be coil or holding for access ${access}: other tables are read-only`;
    report(index, 'table', 'read_only_table', error);
  }
  if (poll_ms !== undefined && access !== 'poll') {
    report(index, 'poll_ms', 'not_applicable', 'is only for access poll');
  }
  if (stale_after_ms !== undefined && access !== 'poll' && access !== 'external') {
    report(index, 'stale_after_ms', 'not_applicable', 'is only for access poll and external');
  }
};

const validityResources = (links: ProjectLinks): ReadonlyMap<string, number> => {
  const users = new Map<string, number>();
  for (const { validity_bit, direction } of links.draft.tables.bindings.rows) {
    if (typeof validity_bit !== 'string') continue;
    users.set(validity_bit, (users.get(validity_bit) ?? 0) + (direction === 'tx' ? 1 : 0));
  }
  return users;
};

/** Requires a single source for each output. An input can have several bindings. */
const checkBound = (links: ProjectLinks): void => {
  const { modbus_resources, bindings } = links.draft.tables;
  const report = links.reporter('modbus_resources');
  const validity = validityResources(links);
  modbus_resources.rows.forEach((resource, index) => {
    const bound = links.bindingsOfResource.get(resource.id) ?? [];
    const sources = bound.length + (validity.get(resource.id) ?? 0);
    if (bound.length === 0 && !validity.has(resource.id)) {
      if (!bindings.isComplete) return;
      report(index, 'id', 'no_binding', 'needs a binding, or to be the validity_bit of one');
    } else if (directionOf(resource) === 'tx' && sources > 1) {
      const error = 'is written by several bindings or validity bits; keep one';
      report(index, 'id', 'several_bindings', error);
    }
  });
};

export const checkModbusResources = (links: ProjectLinks): void => {
  const report = links.reporter('modbus_resources');
  links.draft.tables.modbus_resources.rows.forEach((resource, index) => {
    checkAddress(resource, index, report);
    checkAccess(links, resource, index, report);
  });
  checkBound(links);
  checkWordOverlaps(links);
};
