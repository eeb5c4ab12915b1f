import type { RowOf } from '../project.ts';
import type { Direction } from '../tables/messages.ts';

/** The part of a resource that says which items it has. */
export type Resource = Pick<
  RowOf<'modbus_resources'>,
  'table' | 'address' | 'count' | 'bit_offset' | 'access'
>;

/** Whether the addresses of a table are registers and not bits. */
export const isRegister = ({ table }: Resource): boolean =>
  table === 'holding' || table === 'input';

/** Whether a resource is one bit, of its own or of a register. */
export const isOneBit = (resource: Resource): boolean =>
  !isRegister(resource) || resource.bit_offset !== undefined;

/** Addresses that a resource takes. */
export const addressesOf = (resource: Resource): number =>
  isOneBit(resource) ? 1 : (resource.count ?? 1);

/** Bits of the raw of a resource. */
export const resourceBits = (resource: Resource): number =>
  isOneBit(resource) ? 1 : 16 * addressesOf(resource);

/** Whether the gateway takes values from a resource or puts them there. */
export const directionOf = ({ access }: Resource): Direction =>
  access === 'serve' || access === 'write' ? 'tx' : 'rx';
