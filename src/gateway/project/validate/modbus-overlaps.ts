import type { RowOf } from '../project.ts';
import { addressesOf, isOneBit, isRegister } from './modbus-words.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';

type Resource = RowOf<'modbus_resources'>;

interface Claim {
  readonly index: number;
  readonly resource: Resource;
  /** Addresses from the first to the one behind the last. */
  readonly from: number;
  readonly end: number;
}

/** Whether two resources of one word have bits of their own there. */
const areApart = (one: Resource, other: Resource): boolean =>
  isRegister(one) &&
  isOneBit(one) &&
  isOneBit(other) &&
  one.bit_offset !== other.bit_offset &&
  one.access === other.access;

const checkClaims = (claims: Claim[], report: Report): void => {
  claims.sort((a, b) => a.from - b.from || a.index - b.index);
  /** Claims of whole words reach on; those of bits share an address. */
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
      const flaw = `is taken by resource ${quoted(taken.resource.id)} (${taken.resource.access}); serve, external and write need words or bits of their own`;
      report(index, 'address', 'overlap', flaw);
    } else if (isOneBit(resource)) bits.push(claim);
    if (!isOneBit(resource) && (!furthest || end > furthest.end)) furthest = claim;
  }
};

/** Words and bits that a project writes or offers, each by one resource. */
export const checkWordOverlaps = (links: ProjectLinks): void => {
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
